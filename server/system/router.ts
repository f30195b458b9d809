import { type SystemStatus, type TestMailResult, testMailSchema } from "../contract/system";
import { adminProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { noteTestMail } from "./mutations";

export const systemRouter = router({
  /** The servers, their database, backups, mail and jobs, and what an admin should see to. */
  status: adminProcedure.query(({ ctx }): Promise<SystemStatus> => ctx.system.readStatus()),

  /** Sends a test email at once, past the queue, and says what the mail server answered. At most 10 an hour for each admin. */
  sendTestMail: adminProcedure.input(testMailSchema).mutation(async ({ ctx, input }): Promise<TestMailResult> => {
    await ctx.limits.consume("testMail", ctx.actor.id);
    const result = await ctx.system.sendTestMail(input.to);
    await noteTestMail(ctx.db, { by: ctx.actor });
    return result;
  }),
});
