export const TWO_FACTOR_MESSAGES = {
  proofRequired: "Confirm that it's you to continue.",
  proofMissing: "Enter your password or a code.",
  wrongPassword: "This is not your password.",
  noPassword: "You have no password yet. Log out and set one with Forgot Password, then try again.",
  wrongCode: "This code is wrong or was already used. Enter the one your app shows now.",
  codeRequired: "Enter the code from your authenticator app, or a recovery code.",
  appCodeRequired: "Enter the six digits that your authenticator app shows.",
  unreadable:
    "The server can no longer read your authenticator's secret. Use a recovery code, or ask an admin to reset it.",
  setupRequired: "Your organisation requires two-factor sign-in for admins. Set it up to continue.",
  alreadyOn: "Two-factor sign-in is already on.",
  notStarted: "Start again: setup was not started, or is already finished.",
  notOn: "Two-factor sign-in is not on.",
  signInExpired: "This took too long. Please log in again.",
} as const;
