import { AUDIT_KINDS } from "@db/event-kinds";
import * as z from "zod/mini";
import { idSchema } from "./text";

/** Newest first; `personId` is who did it or to whom it was done; `cursor` is the `nextCursor` of the page before. */
export const listAuditSchema = z.strictObject({
  personId: z.optional(idSchema),
  kind: z.optional(z.enum(AUDIT_KINDS)),
  cursor: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
  /** Sent along by the browser's query library; only forward is there. */
  direction: z.optional(z.literal("forward")),
});
