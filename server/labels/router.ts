import { createLabelSchema, labelIdSchema, updateLabelSchema } from "../contract/task-labels";
import { resumeSchema } from "../contract/text";
import { activeProcedure, employeeProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { openStream } from "../realtime/stream";
import { labelSource } from "./events";
import { createLabel, deleteLabel, updateLabel } from "./mutations";
import { findLabelUsage, listLabels } from "./queries";

export const labelsRouter = router({
  /** By name. Clients get those on tasks that they may see. */
  list: activeProcedure.query(({ ctx }) => listLabels(ctx.db, { actor: ctx.actor })),

  /** On how many tasks a label is, also of projects that the caller does not see: deleting it takes it off all of them. */
  usage: employeeProcedure.input(labelIdSchema).query(({ ctx, input }) => findLabelUsage(ctx.db, input)),

  /** At most 200. A name that is taken, in capitals or not, is a CONFLICT that carries the label that has it. */
  create: employeeProcedure.input(createLabelSchema).mutation(({ ctx, input }) => createLabel(ctx.db, input)),

  /** A missing key stays as it is. */
  update: employeeProcedure.input(updateLabelSchema).mutation(({ ctx, input }) => updateLabel(ctx.db, input)),

  /** Also takes it off every task. */
  delete: employeeProcedure.input(labelIdSchema).mutation(({ ctx, input }) => deleteLabel(ctx.db, input)),

  /** All labels that the caller sees, whenever these have changed. */
  onChange: activeProcedure
    .input(resumeSchema)
    .subscription(({ ctx, input, signal }) =>
      openStream({ ctx, signal, cursor: input?.lastEventId }, labelSource(ctx)),
    ),
});
