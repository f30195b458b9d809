import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { jobKinds } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { describeError } from "../core/logger";

/** Notes how the jobs of each kind fare, for all processes together. */
export interface JobHealth {
  noteSuccess(kind: string): Promise<void>;
  noteFailure(kind: string, error: unknown): Promise<void>;
}

/** While all is well a process writes no more often. */
const NOTED_EVERY_MS = 60_000;

/** Notes it in the database (`job_kinds`). */
export function createJobHealth(db: Db): JobHealth {
  /** Kinds whose last job in this process succeeded, and when that was last written. */
  const notedMs = new Map<string, number>();
  return {
    async noteSuccess(id) {
      const nowMs = performance.now();
      const success = { lastSuccessAt: sql`now()`, failingSince: null };
      if (nowMs - (notedMs.get(id) ?? Number.NEGATIVE_INFINITY) < NOTED_EVERY_MS) {
        // Another process may have noted a failure since.
        await db
          .update(jobKinds)
          .set(columnsOf(jobKinds, success))
          .where(and(eq(jobKinds.id, id), isNotNull(jobKinds.failingSince)));
        return;
      }
      notedMs.set(id, nowMs);
      await db
        .insert(jobKinds)
        .values(columnsOf(jobKinds, { id, ...success }))
        .onConflictDoUpdate({ target: jobKinds.id, set: columnsOf(jobKinds, success) });
    },
    async noteFailure(id, error) {
      notedMs.delete(id);
      const lastError = nameOf(error);
      const failingSince = sql`coalesce(${jobKinds.failingSince}, now())`;
      await db
        .insert(jobKinds)
        .values({ id, lastError, failingSince: sql`now()` })
        .onConflictDoUpdate({ target: jobKinds.id, set: columnsOf(jobKinds, { lastError, failingSince }) });
    },
  };
}

/** Classes and code, such as "Error ECONNREFUSED": messages may repeat addresses. */
function nameOf(error: unknown): string {
  const { error: classes, sqlState: code } = describeError(error);
  return [classes, code].filter(Boolean).join(" ");
}
