export const GENERAL_MESSAGES = {
  notAllowed: "You are not allowed to do this.",
  notFound: "There is nothing here.",
  changedMeanwhile: (what: string) => `${what} was changed by someone else while you were editing.`,
  typedIsKept: "What you typed is still here.",
  invalid: "Please check the marked fields.",
  unreadable: "The request could not be read.",
  internal: "Something went wrong on our side. Please try again.",
  unreachable: "The server cannot be reached. Please check your connection and try again.",
} as const;
