/**
 * Why a call was refused, as `data.reason`: programs branch on it, the sentence beside it is for people. Errors without one
 * say enough by their code.
 */
export const ERROR_REASONS = {
  "session-ended": "Nobody is logged in: the session or the API key has ended.",
  "account-pending": "The account awaits approval.",
  "account-inactive": "The account is rejected or inactive.",
  "profile-missing": "The account no longer exists.",
  "reauthentication-required":
    "The last proof of identity is older than 15 minutes: call auth.confirmIdentity, then repeat.",
  "two-factor-setup-required": "The organisation requires two-factor sign-in of this account, and it is not set up.",
  "sign-in-expired": "The first step of the sign-in is too long ago, or was used: sign in again.",
  "api-key-not-allowed": "An API key may not do this.",
  "link-expired": "The link in an email has expired or was already used.",
  "account-exists": "Someone has an account with this email.",
  "already-invited": "An invitation to this email is open: resend or withdraw it.",
  "stale-version": "It was changed in the meantime; `data.current`, where there is one, is the row as it is now.",
  "already-decided":
    "It was decided in the meantime: an account, its type, a sign-off, or a request, then with `data.current`.",
  "collaboration-off": "Client collaboration is off in the project.",
  "no-client": "The project has no client who could be asked.",
  "project-gone": "The project was deleted.",
  "key-taken": "The key that makes the call idempotent was already used with other content.",
  "label-exists": "A label has this name; `data.current` is that one.",
  "too-many": "The limit is reached: delete one first.",
  limited: "Too many calls; `data.retryAfterSeconds` says when to try again.",
  busy: "Too many passwords are being checked; `data.retryAfterSeconds` says when to try again.",
  "too-many-connections": "Too many sockets or event streams are open.",
  "read-timeout": "A stream could not read in time: subscribe again, after the last id.",
  "database-unavailable": "The server cannot reach its database.",
  "other-site": "A browser sent it from another site.",
  "too-large": "The body, or the address with the headers, is too large.",
  "quota-exceeded": "The organisation's files fill the space that FILES_QUOTA_GB gives them.",
  "already-attached": "The file is already attached to something: upload it again.",
  "already-linked": "The message is already a task.",
  "handed-over": "Someone covers the conversation: its admin can read it, and takes it back to write.",
  "not-handed-over": "Nobody covers the conversation.",
  "missing-envelope": 'The input is not wrapped in `{"json": …}`.',
  "unsupported-input": "The input holds what no call needs.",
  "unsupported-media-type": "The input is not JSON.",
} as const;

export type ErrorReason = keyof typeof ERROR_REASONS;
