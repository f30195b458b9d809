import { countingFailures } from "../auth/failed-attempts";
import { isRefusedLink } from "../auth/links";
import { acceptInvitationSchema, invitationIdSchema, inviteSchema } from "../contract/invitations";
import { MESSAGES } from "../contract/messages";
import { userIdSchema } from "../contract/profiles";
import { adminProcedure, publicProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { acceptInvitation, requireInvitationLink } from "./acceptance";
import { invitePerson, invitePersonOfAccount, resendInvitation, withdrawInvitation } from "./mutations";
import { listInvitations } from "./queries";

const ofInvitation = adminProcedure.input(invitationIdSchema);

/** Part of `users`: an invitation names projects, which users do not know. */
export const invitationsRouter = router({
  /**
   * Invites somebody by email. Accepting within 7 days opens an active account of that type in the chosen projects. A known address
   * is a CONFLICT, `account-exists`; one that is invited already `already-invited`.
   */
  invite: adminProcedure.input(inviteSchema).mutation(async ({ ctx, input }) => {
    await ctx.limits.consume("invitation", input.email);
    await invitePerson(ctx.db, { ...input, by: ctx.actor });
    return { ok: true };
  }),

  /** Invitations that nobody has accepted or withdrawn, newest first. */
  invitations: adminProcedure.query(({ ctx }) => listInvitations(ctx.db)),

  /** Sends a new link, valid for 7 days, in the name of the caller. */
  resendInvitation: ofInvitation.mutation(async ({ ctx, input }) => {
    await ctx.limits.consume("invitation", input.invitationId);
    await resendInvitation(ctx.db, { ...input, by: ctx.actor });
    return { ok: true };
  }),

  /** Withdraws an invitation. Its links stop working. */
  withdrawInvitation: ofInvitation.mutation(async ({ ctx, input }) => {
    await withdrawInvitation(ctx.db, { ...input, by: ctx.actor });
    return { ok: true };
  }),

  /** Invites an active person who has nothing to sign in with, as imported people have. */
  sendInvitation: adminProcedure.input(userIdSchema).mutation(async ({ ctx, input }) => {
    await ctx.limits.consume("invitation", input.userId);
    await invitePersonOfAccount(ctx.db, { ...input, by: ctx.actor });
    return { ok: true };
  }),
});

/** Part of `auth`. */
export const acceptanceRouter = router({
  /**
   * Opens the account of an invitation with that password. Works once per link and signs nobody in: `email` is what to sign in with.
   */
  acceptInvitation: publicProcedure
    .meta({ access: "anyone", refuses: [{ code: "SERVICE_UNAVAILABLE", sentence: MESSAGES.limits.busy }] })
    .input(acceptInvitationSchema)
    .mutation(async ({ ctx, input: { token, password } }) => {
      const accept = async () => {
        await requireInvitationLink(ctx.db, { token });
        return acceptInvitation(ctx.db, { token, passwordHash: await ctx.auth.hashPassword(password) });
      };
      return ctx.auth.withHashSlot(ctx.address, () =>
        countingFailures(ctx, { account: null, check: accept, isWrong: isRefusedLink }),
      );
    }),
});
