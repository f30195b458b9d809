export const CHAT_MESSAGES = {
  textRequired: "Please enter a message.",
  notFound: "This conversation is not available to you, or it no longer exists.",
  recipientNotFound: "This person cannot be written to.",
  notOneself: "You cannot write to yourself.",
  recipientInactive: "This person's account is not active, so messages cannot be sent.",
  notAPair: "Messages go between an admin and a user or client only.",
  keyTaken: "Another message was already sent under this key.",
  unread: (count: number) => `${count} unread`,
  emptyList: "No conversations yet",
  emptyPane: "Choose a conversation",
  sendFailed: "Failed to send message. Please try again.",
  startFailed: "Failed to start conversation. Please try again.",
} as const;
