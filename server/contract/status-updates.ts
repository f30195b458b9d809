import { PROJECT_HEALTHS } from "@db/client-enums";
import * as z from "zod/mini";
import { instantSchema } from "./instants";
import { idSchema, textSchema } from "./text";

/** How long a status update may be. */
export const MAX_STATUS_TEXT = 2_000;

/**
 * What a manager tells the client of a project: how it stands, and some lines about it. `clientUpdateId` is made once per update by the
 * author's browser and kept through retries and reloads.
 */
export const sendStatusUpdateSchema = z.strictObject({
  projectId: idSchema,
  health: z.enum(PROJECT_HEALTHS, { error: "Choose how the project stands." }),
  text: textSchema({ max: MAX_STATUS_TEXT, required: "Please write a status update.", label: "Status update" }),
  /** Of the draft that it began with: what came after that is for the next draft. Without it, what came after it was sent. */
  upTo: z.optional(instantSchema),
  clientUpdateId: z.optional(idSchema),
});
