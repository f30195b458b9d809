import { setTimeout as sleep } from "node:timers/promises";
import {
  googleSchema,
  requestResetSchema,
  resetPasswordSchema,
  signInSchema,
  signUpSchema,
} from "../contract/accounts";
import { confirmEmailSchema, requestConfirmationSchema } from "../contract/email-confirmation";
import { MESSAGES } from "../contract/messages";
import { verifyTwoFactorSchema } from "../contract/two-factor";
import type { Context } from "../core/context";
import { DomainError } from "../core/errors";
import { findActiveSession, profileMissing, publicProcedure, refusedKey } from "../core/procedures";
import { router } from "../core/trpc";
import { notifyAccount } from "../realtime/notify";
import { confirmEmail, requestConfirmation } from "./email-confirmation";
import { countingFailures, isWrongSecret } from "./failed-attempts";
import { isRefusedLink } from "./links";
import { insertAccount } from "./mutations";
import { requestPasswordReset, requireResetLink, resetPassword } from "./password-changes";
import { BUSY } from "./passwords";
import { findMe } from "./queries";
import { passChallenge } from "./second-step";

/** Longer than the hash and every write of either outcome take, so that time reveals nothing about an address. */
const SIGN_UP_MS = 300;
const LINK_REQUEST_MS = 100;

const signInProcedure = publicProcedure.meta({
  access: "anyone",
  refuses: [
    { code: "UNAUTHORIZED", sentence: MESSAGES.auth.signInFailed },
    { code: "FORBIDDEN", sentence: MESSAGES.auth.pending },
    { code: "FORBIDDEN", sentence: MESSAGES.auth.refused },
    BUSY,
  ],
});

const verifyProcedure = publicProcedure.meta({
  access: "anyone",
  refuses: [
    { code: "FORBIDDEN", sentence: MESSAGES.auth.pending },
    { code: "FORBIDDEN", sentence: MESSAGES.auth.refused },
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
   * account's status is answered only to the right password. With two-factor sign-in, and no remembered browser, it answers a
   * `challenge` for `auth.verifyTwoFactor` instead.
   */
  signIn: signInProcedure.input(signInSchema).mutation(async ({ ctx, input }) => {
    const setCookie = requireCookies(ctx);
    const signedIn = await ctx.auth.withHashSlot(ctx.address, () =>
      countingFailures(ctx, {
        account: input.email,
        check: () => ctx.auth.signIn(input, ctx),
        isWrong: isWrongSecret,
      }),
    );
    if ("challenge" in signedIn) return { twoFactor: true as const, challenge: signedIn.challenge };
    const user = await findMe(ctx.db, { id: signedIn.userId });
    if (!user) throw profileMissing();
    for (const cookie of signedIn.cookies) setCookie(cookie);
    return { user };
  }),

  /**
   * The second step of a sign-in: the code of the authenticator app, or a recovery code. Sets the session's cookie, so over HTTP
   * only. A challenge is good for ten minutes and one sign-in; each code once.
   */
  verifyTwoFactor: verifyProcedure.input(verifyTwoFactorSchema).mutation(async ({ ctx, input }) => {
    const setCookie = requireCookies(ctx);
    const passed = await passChallenge(ctx, input);
    const { cookies } = await ctx.auth.finishSignIn(passed, ctx);
    const user = await findMe(ctx.db, { id: passed.userId });
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
