export const GENERAL_MESSAGES = {
  notAllowed: "You are not allowed to do this.",
  notFound: "There is nothing here.",
  changedMeanwhile: (what: string) => `${what} was changed by someone else while you were editing.`,
  typedIsKept: "What you typed is still here.",
  invalid: "Please check the marked fields.",
  unreadable: "The request could not be read.",
  tooLarge: "The request is too large.",
  foreignOrigin: "This request came from another site.",
  tooMany: "Too many requests. Please wait a moment.",
  internal: "Something went wrong on our side. Please try again.",
  unreachable: "The server cannot be reached. Please check your connection and try again.",
  overHttp: "Sign in and out over HTTP: this connection cannot set cookies.",
} as const;
