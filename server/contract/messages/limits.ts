export const LIMIT_MESSAGES = {
  tooManyConnections: "Too many connections are open. Close some tabs or programs, or try again in a moment.",
  busy: "The server is very busy right now. Please try again in a moment.",
} as const;
