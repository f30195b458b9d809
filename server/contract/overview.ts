import * as z from "zod/mini";

/** What "since you were here" counts. */
const CHANGE_KINDS = ["tasksDone", "datesMoved", "commits", "messages"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

const EARLIEST = Date.UTC(2000);
const LATEST = Date.UTC(2101);
const INSTANT = "Enter an instant, such as 2026-11-20T10:42:00Z.";

/** A Date, or an ISO-8601 instant with its offset. */
const instantSchema = z
  .pipe(
    z.union([z.date(), z.iso.datetime({ offset: true })], { error: INSTANT }),
    z.transform((at) => new Date(at)),
  )
  .check(z.refine((at) => at.valueOf() >= EARLIEST && at.valueOf() < LATEST, { error: INSTANT }));

/** `upTo` of `sinceLastVisit`: everything until then has been seen. */
export const markSeenSchema = z.strictObject({ upTo: instantSchema });

export const listChangesSchema = z.strictObject({ since: instantSchema, kind: z.enum(CHANGE_KINDS) });
