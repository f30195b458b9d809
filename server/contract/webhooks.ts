import { NOTIFICATION_KINDS } from "@db/event-kinds";
import * as z from "zod/mini";
import { webLinkSchema } from "./links";
import { idSchema } from "./text";

/** Where events of these kinds are sent. */
export const createWebhookSchema = z.strictObject({
  url: webLinkSchema,
  kinds: z.pipe(
    z
      .array(z.enum(NOTIFICATION_KINDS, { error: "Choose from the list." }))
      .check(z.minLength(1, { error: "Choose at least one event." }), z.maxLength(100)),
    z.transform((kinds) => [...new Set(kinds)]),
  ),
});
export type NewWebhook = z.output<typeof createWebhookSchema>;

export const webhookIdSchema = z.strictObject({ webhookId: idSchema });
