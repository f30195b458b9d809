/** What is said of an HTTP request as such. Only the server says it: no page carries these sentences. */
export const HTTP_MESSAGES = {
  tooLarge: "The request is too large.",
  wrongMethod: "Send queries by GET or POST, mutations by POST, and subscribe by GET.",
  headersTooLarge: "The address and headers are too long. Send fewer calls at once, or a long query by POST.",
  foreignOrigin: "This request came from another site.",
  tooMany: "Too many requests.",
  databaseAway: "The server cannot reach its database right now. Please try again in a moment.",
  readTimeout: "This took too long. Please try again.",
  overHttp: "Log in and out over HTTP: this connection can't set cookies.",
} as const;
