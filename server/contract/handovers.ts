import * as z from "zod/mini";
import { idSchema } from "./text";

/** What somebody holds and can hand over; open requests go with the projects that they manage. */
export const HOLDING_PARTS = ["tasks", "managerOf", "conversations"] as const;
export type HoldingPart = (typeof HOLDING_PARTS)[number];

/** `parts`: without it all. */
export const handOverAllSchema = z.strictObject({
  userId: idSchema,
  toUserId: idSchema,
  parts: z.optional(z.array(z.enum(HOLDING_PARTS)).check(z.minLength(1), z.maxLength(HOLDING_PARTS.length))),
});
export type HandOverAll = z.output<typeof handOverAllSchema>;

/** How much of each somebody holds. */
export interface Holdings {
  /** Open tasks that they are assigned to. */
  tasks: number;
  /** Projects that they manage. */
  managerOf: number;
  /** Conversations of an admin that nobody covers. */
  conversations: number;
  /** Undecided requests in the projects that they manage. */
  requests: number;
}
