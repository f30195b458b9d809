import {
  approveSignOffSchema,
  askSignOffSchema,
  listSignOffsSchema,
  readSignOffSchema,
  requestChangesSchema,
  signOffIdSchema,
} from "../contract/sign-offs";
import type { SignOff } from "../contract/views";
import { clientProcedure, employeeProcedure, impersonatedReadProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { effectiveActor } from "../users/procedures";
import { approveSignOff, askSignOff, requestChanges, withdrawSignOff } from "./mutations";
import { managedProject, managedSignOff, ownSignOff, visibleSignOff, visibleSignOffs } from "./procedures";
import { showSignOff } from "./queries";

export const signOffsRouter = router({
  /**
   * Those that are asked first, then the newest. Of one project: NOT_FOUND where the caller sees neither the project nor a sign-off of
   * it. Without one: of all projects that the caller sees, and what the caller was asked and has decided.
   */
  list: impersonatedReadProcedure.input(listSignOffsSchema).query(async ({ ctx, input: { asClientId, ...filter } }) => {
    const call = { db: ctx.db, actor: await effectiveActor(ctx, asClientId), timeZone: ctx.timeZone };
    const rows = await visibleSignOffs(call, filter);
    return rows.map((row): SignOff => showSignOff(row, call));
  }),

  /** One, with what has changed since where it is approved. */
  byId: impersonatedReadProcedure.input(readSignOffSchema).query(async ({ ctx, input: { signOffId, asClientId } }) => {
    const call = { db: ctx.db, actor: await effectiveActor(ctx, asClientId), timeZone: ctx.timeZone };
    const row = await visibleSignOff(call, signOffId);
    return showSignOff(row, call);
  }),

  /** For managers and admins. Without `signerId` the project's client is asked. */
  ask: employeeProcedure.input(askSignOffSchema).mutation(async ({ ctx, input }) => {
    const project = await managedProject(ctx, input.projectId);
    return askSignOff(ctx.db, { project, asked: input, by: ctx });
  }),

  /** For managers and admins, while it is asked. */
  withdraw: employeeProcedure.input(signOffIdSchema).mutation(async ({ ctx, input }) => {
    const { id } = await managedSignOff(ctx, input.signOffId);
    return withdrawSignOff(ctx.db, { id, by: ctx });
  }),

  /** By the one who was asked, once. A record that has changed since `seenVersion` is a CONFLICT that carries the sign-off. */
  approve: clientProcedure.input(approveSignOffSchema).mutation(async ({ ctx, input: { signOffId, seenVersion } }) => {
    const { id } = await ownSignOff(ctx, signOffId);
    return approveSignOff(ctx.db, { id, seenVersion, by: ctx });
  }),

  /** By the one who was asked, once, with what is to be changed. */
  requestChanges: clientProcedure
    .input(requestChangesSchema)
    .mutation(async ({ ctx, input: { signOffId, reason } }) => {
      const { id } = await ownSignOff(ctx, signOffId);
      return requestChanges(ctx.db, { id, reason, by: ctx });
    }),
});
