/** What the page of an invitation's link says. */
export const ACCEPTANCE_MESSAGES = {
  linkDead: "This link has expired, was withdrawn or was already used.",
  accepted: "Your account is ready. Please log in with your new password.",
  acceptFailed: "Your invitation could not be accepted. Please try again.",
  haveAccount: "You already have an account with this email. Please log in.",
} as const;
