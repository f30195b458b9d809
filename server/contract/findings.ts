import type { ProjectStatus } from "@db/enums";
import * as z from "zod/mini";
import { idSchema } from "./text";

/** Of one project, or of all that the caller answers for. */
export const listFindingsSchema = z.optional(z.strictObject({ projectId: z.optional(idSchema) }));

/** Projects that somebody works on: dead links and due dates matter there. */
export const RUNNING_STATUSES = ["todo", "inProgress"] as const satisfies ProjectStatus[];
/** Calendar days without a commit, by the organisation's clock. */
export const QUIET_DAYS = 7;
/** Commits after a completion are worth a look for so long after the last of them. */
export const LATE_COMMIT_DAYS = 30;
/** A due date is near from so many business days before it. */
export const DUE_SOON_BUSINESS_DAYS = 2;
/** Checks without an answer in a row that make a live link dead. */
export const DEAD_AFTER_CHECKS = 3;
