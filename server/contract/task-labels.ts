import { LABEL_COLOURS } from "@db/enums";
import * as z from "zod/mini";
import { LABEL_MESSAGES } from "./messages/labels";
import { distinctIdsSchema, idSchema, lineSchema } from "./text";

/** So many may an organisation have. */
export const MAX_LABELS = 200;

const name = lineSchema({ max: 40, required: LABEL_MESSAGES.required, label: "Name" });
const colour = z.enum(LABEL_COLOURS, { error: "Choose a colour." });

export const createLabelSchema = z.strictObject({ name, colour });

/** A missing key stays as it is. */
export const updateLabelSchema = z.strictObject({
  labelId: idSchema,
  name: z.optional(name),
  colour: z.optional(colour),
});

export const labelIdSchema = z.strictObject({ labelId: idSchema });

/** The labels of a task. */
export const labelIdsSchema = distinctIdsSchema({ max: 20, tooMany: "At most 20 labels." });

export type CreateLabel = z.output<typeof createLabelSchema>;
export type UpdateLabel = z.output<typeof updateLabelSchema>;
