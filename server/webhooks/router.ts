import { createWebhookSchema, webhookIdSchema } from "../contract/webhooks";
import { adminProcedure, provenAdminProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { createWebhook, deleteWebhook, queueTest } from "./mutations";
import { listDeliveries, listWebhooks } from "./queries";

export const webhooksRouter = router({
  /** Newest first. */
  list: adminProcedure.query(({ ctx }) => listWebhooks(ctx.db)),

  /** The answer alone holds the secret. An address that is not public is refused by its field. */
  create: provenAdminProcedure
    .input(createWebhookSchema)
    .mutation(({ ctx, input }) =>
      createWebhook(ctx.db, { ...input, by: ctx.actor, vault: ctx.vault, outgoing: ctx.outgoing }),
    ),

  /** With its deliveries; what waits is not sent any more. */
  delete: adminProcedure
    .input(webhookIdSchema)
    .mutation(({ ctx, input }) => deleteWebhook(ctx.db, { ...input, by: ctx.actor })),

  /** The newest 100 of one webhook. */
  deliveries: adminProcedure.input(webhookIdSchema).query(({ ctx, input }) => listDeliveries(ctx.db, input)),

  /** Sends an event of the kind `test`, whatever kinds were chosen. */
  sendTest: adminProcedure.input(webhookIdSchema).mutation(({ ctx, input }) => queueTest(ctx.db, input)),
});
