export const CHAT_MESSAGES = {
  textRequired: "Please enter a message.",
  notFound: "This conversation is not available to you, or it no longer exists.",
  recipientNotFound: "You cannot message this person.",
  notOneself: "You cannot message yourself.",
  recipientInactive: "This person's account is not active. You can read the conversation, but not reply.",
  notAPair: "Only an admin and a user or client can message each other.",
  keyTaken: "This clientMessageId was already used for another message.",
  unread: (count: number) => `${count} unread`,
  emptyList: "No conversations yet",
  emptyPane: "Choose a conversation",
  sendFailed: "Failed to send message. Please try again.",
  startFailed: "Failed to start conversation. Please try again.",
} as const;
