export const EMAIL_CONFIRMATION_MESSAGES = {
  sent: "Please confirm your email: we sent you a link.",
  sentAgain: "If there is something to confirm for this address, a new link is on its way.",
  sendFailed: "The link could not be sent. Please try again.",
  confirmed: "Your email is confirmed.",
  confirmFailed: "Your email could not be confirmed. Please try again.",
  linkDead: "This link has expired or was already used.",
} as const;
