import { and, eq, inArray, isNotNull, not, notExists, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { instantAfter } from "../../db/expressions";
import { liveLinks, projects } from "../../db/schema";
import { rowsOf } from "../../db/writes";
import { RUNNING_STATUSES } from "../contract/findings";

/** Only so many at a time are spread: nobody waits for the check of a link that was just entered. */
const SPREAD_SECONDS = 60;

/** Links of the demo, and others of names that are kept for examples (RFC 2606): nobody asks them, and they belong to nobody. */
export const isReserved = sql`${liveLinks.url} ~* ${"^https?://([^/?#]*\\.)?(example|test|invalid|example\\.(com|net|org))\\.?(:[0-9]+)?([/?#]|$)"}`;

const isOfProject = eq(projects.id, liveLinks.id);
const isRunning = inArray(projects.status, [...RUNNING_STATUSES]);

/** After a project's link or status was written: another link is checked anew, and none without a link or while the project rests. */
export async function followLiveLink(tx: Tx, projectId: string): Promise<void> {
  await deleteOutdated(tx, eq(liveLinks.id, projectId));
  await insertMissing(tx, { which: eq(projects.id, projectId), spreadSeconds: 0 });
}

/** The same for all projects: those that were imported or restored, too. */
export async function followLiveLinks(db: Db | Tx): Promise<void> {
  // Apart from each other: whoever holds a project's row may wait for that of its link, nobody the other way round.
  await deleteOutdated(db, undefined);
  await db.transaction((tx) => insertMissing(tx, { which: undefined, spreadSeconds: SPREAD_SECONDS }));
}

/** For servers that check no links: what was found before is no news any more. */
export async function deleteLiveLinks(db: Db): Promise<void> {
  await db.delete(liveLinks).where(not(isReserved));
}

async function deleteOutdated(db: Db | Tx, which: SQL | undefined): Promise<void> {
  const present = db
    .select({ id: projects.id })
    .from(projects)
    .where(and(isOfProject, isRunning, eq(projects.liveLink, liveLinks.url)));
  await db.delete(liveLinks).where(and(which, notExists(present)));
}

async function insertMissing(
  tx: Tx,
  { which, spreadSeconds }: { which: SQL | undefined; spreadSeconds: number },
): Promise<void> {
  const known = tx.select({ id: liveLinks.id }).from(liveLinks).where(isOfProject);
  const missing = await tx
    .select({ id: projects.id, url: projects.liveLink })
    .from(projects)
    .where(and(which, isRunning, isNotNull(projects.liveLink), notExists(known)))
    // A link that is being changed is read as it becomes.
    .for("share");
  const rows = missing.map(({ id, url }) => ({
    id,
    url: url ?? "",
    dueAt: instantAfter(sql`now()`, sql<number>`random() * ${spreadSeconds}::float`),
  }));
  if (rows.length > 0) await tx.insert(liveLinks).values(rowsOf(liveLinks, rows)).onConflictDoNothing();
}
