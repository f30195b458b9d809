import { signInSchema, signUpSchema } from "../contract/accounts";
import { MESSAGES } from "../contract/messages";
import type { Context } from "../core/context";
import { DomainError } from "../core/errors";
import { publicProcedure, refusedStatus } from "../core/procedures";
import { router } from "../core/trpc";
import { findMe, insertAccount } from "./queries";

export const authRouter = router({
  /** Null for the signed-out; a refused account is told why, once: its session ends. */
  me: publicProcedure.query(async ({ ctx }) => {
    const session = await ctx.session();
    if (!session) return null;
    ctx.trace.actorId = session.actor.id;
    if (session.actor.accountStatus !== "active") {
      await ctx.endSession(session.id);
      throw refusedStatus(session.actor.accountStatus);
    }
    return findMe(ctx.db, session.actor);
  }),

  /** Makes a pending user. A taken address gets the same answer after the same work, and changes nothing. */
  signUp: publicProcedure.input(signUpSchema).mutation(async ({ ctx, input }) => {
    const { name, email, mobile, password } = input;
    const passwordHash = await ctx.auth.hashPassword(password);
    await insertAccount(ctx.db, { name, email, mobile, passwordHash, accountType: "user", accountStatus: "pending" });
    return { ok: true };
  }),

  signIn: publicProcedure.input(signInSchema).mutation(async ({ ctx, input }) => {
    const setCookie = requireCookies(ctx);
    const { userId, cookies } = await ctx.auth.signIn(input, ctx.headers);
    const user = await findMe(ctx.db, { id: userId });
    if (!user) throw new DomainError("FORBIDDEN", MESSAGES.auth.profileNotFound);
    for (const cookie of cookies) setCookie(cookie);
    return { user };
  }),

  /** Idempotent: signing out without a session is fine. */
  signOut: publicProcedure.mutation(async ({ ctx }) => {
    const setCookie = requireCookies(ctx);
    const { cookies } = await ctx.auth.signOut(ctx.headers);
    for (const cookie of cookies) setCookie(cookie);
    return { ok: true };
  }),
});

function requireCookies(ctx: Context): (cookie: string) => void {
  if (!ctx.setCookie) throw new DomainError("BAD_REQUEST", MESSAGES.general.overHttp);
  return ctx.setCookie;
}
