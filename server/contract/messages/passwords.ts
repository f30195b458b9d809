// Apart from those of signing in, whose page has to be small.

export const PASSWORD_MESSAGES = {
  resetLinkDead: "This link has expired or was already used. Please request a new one.",
  passwordsDiffer: "Passwords do not match",
  passwordTooShort: "Password should be at least 6 characters",
  passwordTooLong: "Password should be at most 128 characters",
} as const;
