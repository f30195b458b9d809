import { and, eq, isNotNull } from "drizzle-orm";
import type { Tx } from "./client";
import { liveLinkChecks, liveLinks, projects } from "./schema";
import { rowsOf } from "./writes";

/** Whose live link answers no more, and since when. */
const DEAD_KEY = "SC";
const DEAD_HOURS = 31;
const UP_DAYS = 12;
const CHECKS = 12;
const HOUR_MS = 3_600_000;
/** Links of the demo lead nowhere, so that servers never ask them. */
const NEVER_DUE = new Date("2100-01-01T00:00:00Z");

/** What checks of the live links would have found: all answer but one. */
export async function seedLiveLinks(tx: Tx): Promise<void> {
  const linked = await tx
    .select({ id: projects.id, key: projects.key, url: projects.liveLink })
    .from(projects)
    .where(and(isNotNull(projects.liveLink), eq(projects.status, "inProgress")));
  const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
  for (const { id, key, url } of linked) {
    const isDead = key === DEAD_KEY;
    await tx.insert(liveLinks).values({
      id,
      url: url ?? "",
      dueAt: NEVER_DUE,
      lastCheckedAt: ago(1),
      failures: isDead ? DEAD_HOURS : 0,
      upSince: isDead ? null : ago(UP_DAYS * 24),
      failingSince: isDead ? ago(DEAD_HOURS) : null,
    });
    // Oldest first: numbers rise with time.
    const found = Array.from({ length: CHECKS }, (_, index) => CHECKS - index).map((step) => {
      const hoursAgo = isDead ? step * 4 - 3 : step;
      const isUp = !isDead || hoursAgo > DEAD_HOURS;
      return { projectId: id, at: ago(hoursAgo), isUp, status: isUp ? 200 : 503 };
    });
    await tx.insert(liveLinkChecks).values(rowsOf(liveLinkChecks, found));
  }
}
