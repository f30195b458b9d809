/** A page of a list holds so many of them. */
export const MAX_LISTED_REQUESTS = 500;

/** Questions and answers of one request. */
export const MAX_REPLIES = 200;

export const REQUEST_MESSAGES = {
  titleRequired: "Please enter a title.",
  textRequired: "Please say what you need.",
  urgencyRequired: "Choose how urgent it is for you.",
  replyRequired: "Please enter some text.",
  reasonRequired: "Please say why.",
  notFound: "This request is not available to you, or it no longer exists.",
  messageNotFound: "The message is not available to you, or it no longer exists.",
  collaborationOff: "Client collaboration is off in this project. You can read it, but not write.",
  managersOnly: "Only the project's managers and admins can decide on its requests.",
  clientsOnly: "Only the client can answer here.",
  alreadyDecided: "This request has already been decided.",
  tooManyReplies: `A request holds ${MAX_REPLIES} questions and answers. It can only be decided now.`,
  keyTaken: "This request was already sent, with other content.",
  otherProject: "Choose a request of the same project.",
  othersLoading: "The other requests of this project are still loading.",
  othersFailed: "The other requests of this project could not be read.",
  noOther: "This project has no other requests.",
  itself: "A request can't be a duplicate of itself.",
  isDuplicate: "That request is a duplicate itself. Choose the request it duplicates.",
  createFailed: "Failed to send request. Please try again.",
  acceptFailed: "Failed to accept request. Please try again.",
  askFailed: "Failed to send question. Please try again.",
  answerFailed: "Failed to send answer. Please try again.",
  declineFailed: "Failed to decline request. Please try again.",
  duplicateFailed: "Failed to mark as duplicate. Please try again.",
  empty: "No requests yet",
  emptyOff: "Requests are not turned on for your projects yet. Write to us in Messages.",
  noneOfStatus: "No requests with this status",
  unavailable: "Request not available",
} as const;
