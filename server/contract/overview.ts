import * as z from "zod/mini";
import { instantSchema } from "./instants";

/** What "since you were here" counts. */
const CHANGE_KINDS = ["tasksDone", "datesMoved", "commits", "messages"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** `upTo` of `sinceLastVisit`: everything until then has been seen. */
export const markSeenSchema = z.strictObject({ upTo: instantSchema });

export const listChangesSchema = z.strictObject({ since: instantSchema, kind: z.enum(CHANGE_KINDS) });
