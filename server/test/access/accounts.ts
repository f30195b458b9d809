import { randomUUID } from "node:crypto";
import { createConfirmationToken } from "../../auth/email-confirmation";
import { createResetToken } from "../../auth/password-changes";
import { createInvitationToken } from "../../invitations/acceptance";
import { nowhere, open, own, type Rows, refusedByRule, row } from "./rows";

/** Of everybody who may sign in. */
export const PASSWORD = "the-present-one";

export const newEmail = () => `new-${randomUUID()}@sangam.example`;
const signUp = () => ({
  name: "New Person",
  email: newEmail(),
  mobile: "+91 98200 00000",
  password: "secret-enough",
  confirmPassword: "secret-enough",
  agreeToTerms: true as const,
});
/** Rows of the access matrix. */
export const ACCOUNTS: Rows = {
  "auth.me": {
    row: row("null", "FORBIDDEN", "FORBIDDEN", "ok", "ok", "ok", "ok", "ok"),
    call: (caller) => caller.auth.me(),
  },
  "auth.signUp": { row: open, call: (caller) => caller.auth.signUp(signUp()) },
  "auth.signOut": { row: open, key: "BAD_REQUEST", call: (caller) => caller.auth.signOut() },
  "auth.signInWithGoogle": { row: open, call: (caller) => caller.auth.signInWithGoogle({ intent: "signIn" }) },
  "auth.requestPasswordReset": {
    row: open,
    call: (caller) => caller.auth.requestPasswordReset({ email: "anyone@sangam.example" }),
  },
  "auth.resetPassword": {
    row: open,
    call: async (caller, { pendingUserId }, db) =>
      caller.auth.resetPassword({
        token: await createResetToken(db, { userId: pendingUserId }),
        password: "another-one",
        confirmPassword: "another-one",
      }),
  },
  "auth.confirmEmail": {
    row: open,
    call: async (caller, { pendingUserId }, db) =>
      caller.auth.confirmEmail({ token: await createConfirmationToken(db, { userId: pendingUserId }) }),
  },
  "auth.resendConfirmation": {
    row: open,
    call: (caller) => caller.auth.resendConfirmation({ email: "anyone@sangam.example" }),
  },
  "auth.acceptInvitation": {
    row: open,
    call: async (caller, { invitationId }, db) =>
      caller.auth.acceptInvitation({
        token: await createInvitationToken(db, { invitationId }),
        password: "another-one",
        confirmPassword: "another-one",
        agreeToTerms: true,
      }),
  },
  "auth.changePassword": {
    row: own,
    key: "FORBIDDEN",
    call: (caller) => caller.auth.changePassword({ currentPassword: PASSWORD, newPassword: PASSWORD }),
  },
  "auth.apiKeys": { row: own, key: "FORBIDDEN", call: (caller) => caller.auth.apiKeys() },
  "auth.createApiKey": {
    row: own,
    key: "FORBIDDEN",
    call: (caller) => caller.auth.createApiKey({ name: "Nightly report", scope: "read" }),
  },
  "auth.revokeApiKey (another's)": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", ...nowhere),
    key: "FORBIDDEN",
    call: (caller, { foreignKeyId }) => caller.auth.revokeApiKey({ keyId: foreignKeyId }),
  },
  "auth.twoFactorStatus": { row: own, key: "FORBIDDEN", call: (caller) => caller.auth.twoFactorStatus() },
  "auth.enableTwoFactor": {
    row: own,
    key: "FORBIDDEN",
    call: (caller) => caller.auth.enableTwoFactor({ password: PASSWORD }),
  },
  // Theirs is not on.
  "auth.confirmTwoFactor": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", ...refusedByRule("BAD_REQUEST")),
    key: "FORBIDDEN",
    call: (caller) => caller.auth.confirmTwoFactor({ code: "no code" }),
  },
  "auth.disableTwoFactor": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", ...refusedByRule("BAD_REQUEST")),
    key: "FORBIDDEN",
    call: (caller) => caller.auth.disableTwoFactor({ password: PASSWORD, code: "000000" }),
  },
  "auth.renewRecoveryCodes": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", ...refusedByRule("CONFLICT")),
    key: "FORBIDDEN",
    call: (caller) => caller.auth.renewRecoveryCodes(),
  },
  "auth.confirmIdentity": {
    row: own,
    key: "FORBIDDEN",
    call: (caller) => caller.auth.confirmIdentity({ password: PASSWORD }),
  },
  "auth.sessions": { row: own, key: "FORBIDDEN", call: (caller) => caller.auth.sessions() },
  "auth.revokeSession (another's)": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", ...nowhere),
    key: "FORBIDDEN",
    call: (caller, { foreignSessionId }) => caller.auth.revokeSession({ sessionId: foreignSessionId }),
  },
  "auth.revokeOtherSessions": { row: own, key: "FORBIDDEN", call: (caller) => caller.auth.revokeOtherSessions() },
};
