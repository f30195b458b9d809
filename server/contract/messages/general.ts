export const GENERAL_MESSAGES = {
  notAllowed: "You are not allowed to do this.",
  notFound: "There is nothing here.",
  changedMeanwhile: (what: string) => `${what} was changed by someone else while you were editing.`,
  typedIsKept: "What you typed is still here.",
  invalid: "Please check the marked fields.",
  unreadable: "The request could not be read.",
  unsupportedInput:
    "An input may hold JSON values, dates and undefined only, each written out where it stands, and no more than a call needs.",
  missingEnvelope: 'Wrap the input in an object with the key "json": {"json": {…}}.',
  jsonOnly: "Send the input as JSON, with the header content-type: application/json.",
  tooLarge: "The request is too large.",
  foreignOrigin: "This request came from another site.",
  tooMany: "Too many requests.",
  internal: "Something went wrong on our side. Please try again.",
  databaseAway: "The server cannot reach its database right now. Please try again in a moment.",
  unreachable: "The server cannot be reached. Please check your connection and try again.",
  overHttp: "Sign in and out over HTTP: this connection cannot set cookies.",
} as const;
