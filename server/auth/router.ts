import { setTimeout as sleep } from "node:timers/promises";
import {
  type ChangePassword,
  changePasswordSchema,
  googleSchema,
  requestResetSchema,
  resetPasswordSchema,
  sessionIdSchema,
  signInSchema,
  signUpSchema,
} from "../contract/accounts";
import { apiKeyIdSchema, createApiKeySchema } from "../contract/api-keys";
import { confirmEmailSchema, requestConfirmationSchema } from "../contract/email-confirmation";
import { MESSAGES } from "../contract/messages";
import { confirmIdentitySchema } from "../contract/two-factor";
import type { Context } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import {
  findActiveSession,
  ownCredentialsProcedure,
  profileMissing,
  provenCredentialsProcedure,
  publicProcedure,
  refusedKey,
} from "../core/procedures";
import { router } from "../core/trpc";
import { notifyAccount } from "../realtime/notify";
import { createApiKey, listApiKeys, revokeApiKey } from "./api-keys";
import { confirmEmail, requestConfirmation } from "./email-confirmation";
import { countingFailures, isWrongSecret } from "./failed-attempts";
import { confirmIdentity } from "./identity";
import { isRefusedLink } from "./links";
import { endOtherSessions, endOwnSession, insertAccount } from "./mutations";
import { changePassword, requestPasswordReset, requireResetLink, resetPassword } from "./password-changes";
import { findMe, findPasswordHash, listSessions } from "./queries";

/** Longer than the hash and every write of either outcome take, so that time reveals nothing about an address. */
const SIGN_UP_MS = 300;
const LINK_REQUEST_MS = 100;

/** Of calls that hash a password. */
const BUSY = { code: "SERVICE_UNAVAILABLE", sentence: MESSAGES.limits.busy } as const;

const signInProcedure = publicProcedure.meta({
  access: "anyone",
  refuses: [
    { code: "UNAUTHORIZED", sentence: MESSAGES.auth.signInFailed },
    { code: "FORBIDDEN", sentence: MESSAGES.auth.pending },
    { code: "FORBIDDEN", sentence: MESSAGES.auth.refused },
    BUSY,
  ],
});

const hashingProcedure = publicProcedure.meta({ access: "anyone", refuses: [BUSY] });

/** Google is not set up here, or does not answer. */
const googleProcedure = publicProcedure.meta({
  access: "anyone",
  refuses: [
    { code: "SERVICE_UNAVAILABLE", sentence: MESSAGES.auth.googleSignInFailed },
    { code: "SERVICE_UNAVAILABLE", sentence: MESSAGES.auth.googleSignUpFailed },
  ],
});

export const authRouter = router({
  /** The signed-in person, or null. A refused account gets the reason once; its session ends. */
  me: publicProcedure.query(async ({ ctx }) => {
    const session = await findActiveSession(ctx, "read");
    return session && findMe(ctx.db, session.actor);
  }),

  /**
   * Makes a pending user, who gets an email with a link that confirms the address. A taken address gets the same answer after the
   * same time, and its owner another email.
   */
  signUp: hashingProcedure.input(signUpSchema).mutation(async ({ ctx, input }) => {
    await ctx.auth.withHashSlot(ctx.address, async () => {
      await ctx.limits.consume("signUp", ctx.address);
      const { name, email, mobile, password } = input;
      await atLeast(SIGN_UP_MS, async () => {
        const passwordHash = await ctx.auth.hashPassword(password);
        await insertAccount(ctx.db, {
          name,
          email,
          mobile,
          passwordHash,
          accountType: "user",
          accountStatus: "pending",
        });
      });
    });
    return { ok: true };
  }),

  /**
   * Sets the session's cookie, so over HTTP only. A wrong password and an unknown address are one UNAUTHORIZED; the
   * account's status is answered only to the right password.
   */
  signIn: signInProcedure.input(signInSchema).mutation(async ({ ctx, input }) => {
    const setCookie = requireCookies(ctx);
    const { userId, cookies } = await ctx.auth.withHashSlot(ctx.address, () =>
      countingFailures(ctx, {
        account: input.email,
        check: () => ctx.auth.signIn(input, ctx),
        isWrong: isWrongSecret,
      }),
    );
    const user = await findMe(ctx.db, { id: userId });
    if (!user) throw profileMissing();
    for (const cookie of cookies) setCookie(cookie);
    return { user };
  }),

  /** Where to send the browser; it comes back signed in, or to /login with a notice. */
  signInWithGoogle: googleProcedure.input(googleSchema).mutation(async ({ ctx, input }) => {
    await ctx.limits.consume("google", ctx.address);
    const setCookie = requireCookies(ctx);
    const { url, cookies } = await ctx.auth.startGoogle({ ...input, headers: ctx.headers });
    for (const cookie of cookies) setCookie(cookie);
    return { url };
  }),

  /** Ends the session and its streams. Works without a session too; an API key has none to end. */
  signOut: publicProcedure.mutation(async ({ ctx }) => {
    const session = await ctx.session();
    if (session?.isKey) throw refusedKey("BAD_REQUEST", MESSAGES.apiKeys.signOut);
    const setCookie = requireCookies(ctx);
    const { cookies } = await ctx.auth.signOut(ctx.headers);
    if (session) await notifyAccount(ctx.db, { userId: session.actor.id });
    for (const cookie of cookies) setCookie(cookie);
    return { ok: true };
  }),

  /** Sends a reset link. The answer and its time are the same for every address. */
  requestPasswordReset: publicProcedure.input(requestResetSchema).mutation(async ({ ctx, input }) => {
    await ctx.limits.consume("passwordReset", ctx.address);
    await atLeast(LINK_REQUEST_MS, () => requestPasswordReset(ctx.db, input));
    return { ok: true };
  }),

  /** Sets a new password. Works once per link, ends every session and signs nobody in. */
  resetPassword: hashingProcedure.input(resetPasswordSchema).mutation(async ({ ctx, input: { token, password } }) => {
    const reset = async () => {
      await requireResetLink(ctx.db, { token });
      await resetPassword(ctx.db, { token, passwordHash: await ctx.auth.hashPassword(password) });
    };
    await ctx.auth.withHashSlot(ctx.address, () =>
      countingFailures(ctx, { account: null, check: reset, isWrong: isRefusedLink }),
    );
    return { ok: true };
  }),

  /** Confirms an address with the link mailed after sign-up. Works once per link and signs nobody in. */
  confirmEmail: publicProcedure.input(confirmEmailSchema).mutation(async ({ ctx, input }) => {
    const confirm = () => confirmEmail(ctx.db, input);
    await countingFailures(ctx, { account: null, check: confirm, isWrong: isRefusedLink });
    return { ok: true };
  }),

  /** Sends another confirmation link. The answer and its time are the same for every address. */
  resendConfirmation: publicProcedure.input(requestConfirmationSchema).mutation(async ({ ctx, input }) => {
    await ctx.limits.consume("emailConfirmation", ctx.address);
    await atLeast(LINK_REQUEST_MS, () => requestConfirmation(ctx.db, input));
    return { ok: true };
  }),

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

function requireCookies(ctx: Context): (cookie: string) => void {
  if (!ctx.setCookie) throw new DomainError("BAD_REQUEST", MESSAGES.general.overHttp);
  return ctx.setCookie;
}

/** Does the work and answers no sooner than after `minimumMs`, also when the work fails. */
async function atLeast<Result>(minimumMs: number, work: () => Promise<Result>): Promise<Result> {
  const [outcome] = await Promise.allSettled([work(), sleep(minimumMs)]);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
