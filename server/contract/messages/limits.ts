export const LIMIT_MESSAGES = {
  tooManyConnections: "Too many connections are open. Close some tabs or programs.",
  busy: "The server is very busy right now.",
} as const;
