import { desc, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { aliased, isoInstant, jsonRows } from "../../db/expressions";
import { liveLinkChecks, liveLinks } from "../../db/schema";
import { DEAD_AFTER_CHECKS } from "../contract/findings";
import type { LiveLinkPulse } from "../contract/views";

const CHECKS_SHOWN = 10;

/** Whether a project's live link answers, with its last checks; null without a link, and while the project rests. */
export async function findPulse(db: Db, { projectId }: { projectId: string }): Promise<LiveLinkPulse | null> {
  const checks = db
    .select(
      aliased({
        at: isoInstant(liveLinkChecks.at),
        isUp: liveLinkChecks.isUp,
        status: liveLinkChecks.status,
        error: liveLinkChecks.error,
      }),
    )
    .from(liveLinkChecks)
    .where(eq(liveLinkChecks.projectId, liveLinks.id))
    .orderBy(desc(liveLinkChecks.id));
  const [row] = await db
    .select({
      url: liveLinks.url,
      failures: liveLinks.failures,
      isRefused: liveLinks.isRefused,
      since: isoInstant(sql<Date | null>`coalesce(${liveLinks.failingSince}, ${liveLinks.upSince})`),
      lastCheckedAt: isoInstant(liveLinks.lastCheckedAt),
      checks: jsonRows(checks, CHECKS_SHOWN),
    })
    .from(liveLinks)
    .where(eq(liveLinks.id, projectId));
  if (!row) return null;
  const { failures, isRefused, ...shown } = row;
  return { ...shown, state: stateOf({ failures, isRefused, lastCheckedAt: row.lastCheckedAt }) };
}

function stateOf(link: { failures: number; isRefused: boolean; lastCheckedAt: string | null }): LiveLinkPulse["state"] {
  if (link.isRefused) return "refused";
  if (link.lastCheckedAt === null) return "unknown";
  if (link.failures >= DEAD_AFTER_CHECKS) return "dead";
  return link.failures > 0 ? "failing" : "up";
}
