import * as z from "zod/mini";

const EARLIEST = Date.UTC(2000);
const LATEST = Date.UTC(2101);
const INSTANT = "Enter an instant, such as 2026-11-20T10:42:00Z.";

/** A Date, or an ISO-8601 instant with its offset. */
export const instantSchema = z
  .pipe(
    z.union([z.date(), z.iso.datetime({ offset: true })], { error: INSTANT }),
    z.transform((at) => new Date(at)),
  )
  .check(z.refine((at) => at.valueOf() >= EARLIEST && at.valueOf() < LATEST, { error: INSTANT }));
