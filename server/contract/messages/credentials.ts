/** Of accounts, passwords and sessions, what /login says nothing of: its page carries none of it. */
export const CREDENTIAL_MESSAGES = {
  signUpFailed: "Failed to create an account. ",
  passwordChanged: "Your password has been changed.",
  passwordChangedMeanwhile: "Your password was changed elsewhere in the meantime. Please log in again.",
  wrongCurrentPassword: "This is not your current password.",
  sessionNotFound: "This session has already ended.",
  signInAgain: "Your session has ended. Sign in again to continue: nothing you typed is lost.",
  termsRequired: "Please accept the Terms and the Privacy Policy.",
} as const;
