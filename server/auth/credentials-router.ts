import { type ChangePassword, changePasswordSchema, sessionIdSchema } from "../contract/accounts";
import { apiKeyIdSchema, createApiKeySchema } from "../contract/api-keys";
import { MESSAGES } from "../contract/messages";
import { userIdSchema } from "../contract/profiles";
import {
  confirmIdentitySchema,
  confirmTwoFactorSchema,
  disableTwoFactorSchema,
  enableTwoFactorSchema,
} from "../contract/two-factor";
import { ValidationError } from "../core/errors";
import {
  ownCredentialsProcedure,
  profileMissing,
  provenAdminProcedure,
  provenCredentialsProcedure,
  setUpProcedure,
} from "../core/procedures";
import { router } from "../core/trpc";
import { refuseOneself } from "../users/policy";
import { createApiKey, listApiKeys, revokeApiKey } from "./api-keys";
import { countingFailures, isWrongSecret } from "./failed-attempts";
import { confirmIdentity, requireOwnCode, requireOwnPassword, requireRightCode } from "./identity";
import { endOtherSessions, endOwnSession } from "./mutations";
import { changePassword } from "./password-changes";
import { BUSY } from "./passwords";
import { findMe, findPasswordHash, listSessions } from "./queries";
import { removeTwoFactor } from "./second-step";
import { confirmSetUp, findTwoFactorStatus, renewRecoveryCodes, startSetUp } from "./two-factor";

/** One's own password, second factor, sessions and API keys. */
export const credentialsRouter = router({
  /** Changes one's own password and ends every other session. */
  changePassword: ownCredentialsProcedure
    .meta({ access: "active", refuses: [BUSY] })
    .input(changePasswordSchema)
    .mutation(async ({ ctx, input }) => {
      const { actor, sessionId } = ctx;
      const check = async () => {
        const hash = await findPasswordHash(ctx.db, { userId: actor.id });
        const isRight = hash !== null && (await ctx.auth.verifyPassword({ password: input.currentPassword, hash }));
        if (!isRight)
          throw new ValidationError<ChangePassword>({
            currentPassword: [MESSAGES.auth.wrongCurrentPassword],
          });
        return hash;
      };
      await ctx.auth.withHashSlot(ctx.address, async () => {
        const checkedHash = await countingFailures(ctx, { account: actor.id, check, isWrong: isWrongSecret });
        const passwordHash = await ctx.auth.hashPassword(input.newPassword);
        await changePassword(ctx.db, { actor, sessionId, checkedHash, passwordHash });
      });
      return { ok: true };
    }),

  /**
   * A fresh proof of who calls, by password or code: what answers 403, `reauthentication-required`, is open to this session
   * `until` then.
   */
  confirmIdentity: ownCredentialsProcedure
    .meta({ access: "browsers", refuses: [BUSY] })
    .input(confirmIdentitySchema)
    .mutation(({ ctx, input }) => confirmIdentity(ctx, input)),

  /** Whether one's own two-factor sign-in is on, and whether the organisation requires it. */
  twoFactorStatus: setUpProcedure.query(({ ctx }) => findTwoFactorStatus(ctx.db, ctx)),

  /**
   * Begins to set up two-factor sign-in. Only this answer contains the secret, its `otpauth:` address, that as a QR code (SVG), and
   * the recovery codes. No sign-in asks for a code before `confirmTwoFactor`.
   */
  enableTwoFactor: setUpProcedure
    .meta({ access: "browsers", refuses: [BUSY] })
    .input(enableTwoFactorSchema)
    .mutation(async ({ ctx, input }) => {
      await requireOwnPassword(ctx, input.password);
      const me = await findMe(ctx.db, ctx.actor);
      if (!me) throw profileMissing();
      return startSetUp(ctx.db, { vault: ctx.vault, actor: ctx.actor, email: me.email });
    }),

  /** Turns two-factor sign-in on, with a code of the app that was set up. */
  confirmTwoFactor: setUpProcedure.input(confirmTwoFactorSchema).mutation(async ({ ctx, input }) => {
    const { db, vault, actor } = ctx;
    await requireRightCode(ctx, () => confirmSetUp(db, { vault, actor, code: input.code }));
    return { ok: true };
  }),

  /** Turns two-factor sign-in off and forgets remembered browsers. */
  disableTwoFactor: ownCredentialsProcedure
    .meta({ access: "browsers", refuses: [BUSY] })
    .input(disableTwoFactorSchema)
    .mutation(async ({ ctx, input }) => {
      await requireOwnPassword(ctx, input.password);
      await requireOwnCode(ctx, input.code);
      await removeTwoFactor(ctx.db, { userId: ctx.actor.id, actorId: ctx.actor.id });
      return { ok: true };
    }),

  /** New recovery codes. The former ones no longer work. */
  renewRecoveryCodes: provenCredentialsProcedure.mutation(({ ctx }) => renewRecoveryCodes(ctx.db, ctx)),

  /** One's own sessions, newest first. */
  sessions: ownCredentialsProcedure.query(({ ctx }) =>
    listSessions(ctx.db, { userId: ctx.actor.id, currentId: ctx.sessionId }),
  ),

  /** One's own valid API keys, newest first. */
  apiKeys: ownCredentialsProcedure.query(({ ctx }) => listApiKeys(ctx.db, { userId: ctx.actor.id })),

  /** Creates an API key. Only this answer contains the key itself. */
  createApiKey: provenCredentialsProcedure
    .input(createApiKeySchema)
    .mutation(({ ctx: { db, actor, sessionId }, input }) => createApiKey(db, { ...input, actor, sessionId })),

  /** Revokes a key and those in its `mayHaveMade`. Their streams end. */
  revokeApiKey: ownCredentialsProcedure.input(apiKeyIdSchema).mutation(async ({ ctx, input }) => {
    await revokeApiKey(ctx.db, { actor: ctx.actor, keyId: input.keyId });
    return { ok: true };
  }),

  /** Ends one of one's own sessions, its streams included. */
  revokeSession: ownCredentialsProcedure.input(sessionIdSchema).mutation(async ({ ctx, input }) => {
    await endOwnSession(ctx.db, { actor: ctx.actor, sessionId: input.sessionId });
    return { ok: true };
  }),

  /** Ends all of one's own other sessions and answers how many. API keys stay. */
  revokeOtherSessions: ownCredentialsProcedure.mutation(async ({ ctx }) => ({
    ended: await endOtherSessions(ctx.db, ctx),
  })),
});

/** What an admin may do about somebody else's credentials: part of the `users` router. */
export const recoveryRouter = router({
  /** Removes somebody's authenticator, recovery codes and remembered browsers, so that their password is enough again. */
  resetTwoFactor: provenAdminProcedure.input(userIdSchema).mutation(async ({ ctx, input }) => {
    refuseOneself(ctx.actor, input);
    await removeTwoFactor(ctx.db, { ...input, actorId: ctx.actor.id });
    return { ok: true };
  }),
});
