export const API_KEY_MESSAGES = {
  readsOnly: "This API key can only read.",
  notFound: "This API key does not exist, or it was already revoked.",
  nameRequired: "Please enter a name for the key.",
  expiryPast: "Choose a day in the future.",
  notAllowed:
    "An API key cannot manage keys, sessions, the password, two-factor sign-in or the profile. Do this in Settings.",
  needsPerson: "This needs a fresh proof of identity, which an API key can't give. Do it in the app.",
  signOut: "An API key has no session to end. Revoke it in Settings.",
  revoked: "The API key has been revoked.",
  revokeFailed: "The API key could not be revoked. Please try again.",
  tooMany: "You have 50 API keys. Revoke one before you create another.",
} as const;
