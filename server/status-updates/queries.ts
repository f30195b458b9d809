import { and, asc, desc, eq, gt, isNotNull, isNull, lt, not, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { isoInstant } from "../../db/expressions";
import { commits, projectEvents, projects, repositories, statusUpdates, tasks, users } from "../../db/schema";
import { firstLineOf } from "../contract/masked-commits";
import { maskOf } from "../contract/masking";
import type { StatusUpdate } from "../contract/views";
import { isCompleted } from "../projects/task-columns";
import { personJson } from "../users/queries";

const MAX_LISTED = 500;

/** The status updates of a project that the caller has been shown, newest first. */
export function listStatusUpdates(db: Db, { projectId }: { projectId: string }): Promise<StatusUpdate[]> {
  return selectUpdates(db)
    .where(eq(statusUpdates.projectId, projectId))
    .orderBy(desc(statusUpdates.sentAt), desc(statusUpdates.id))
    .limit(MAX_LISTED);
}

/** A status update by its author's key, in whichever project. */
export async function findUpdateByKey(
  db: Db,
  { clientUpdateId, authorId }: { clientUpdateId: string; authorId: string },
): Promise<StatusUpdate | null> {
  const [row] = await selectUpdates(db).where(
    and(eq(statusUpdates.authorId, authorId), eq(statusUpdates.clientUpdateId, clientUpdateId)),
  );
  return row ?? null;
}

function selectUpdates(db: Db) {
  const { id, projectId, health, text, authorId, sentAt } = statusUpdates;
  return db
    .select({ ...{ id, projectId, health, text, authorId }, sentAt: isoInstant(sentAt), author: personJson(users) })
    .from(statusUpdates)
    .innerJoin(users, eq(users.id, authorId));
}

/** What has happened in a project since what its last status update reaches up to, or since it was created. */
export interface Progress {
  /** When it was read: what came later may be missing. */
  upTo: string;
  /** Titles, the latest first. */
  done: string[];
  /** Due dates that are other ones now; without a title the project's own. */
  moved: { title: string | null; to: string }[];
  /** How many, and the first lines of the latest few; null where the client sees no commits, or none are read. */
  commits: { count: number; titles: string[] } | null;
  isLate: boolean;
  hasOverdueTasks: boolean;
}

const MAX_COMMIT_TITLES = 3;

/** `timeZone` says which day it is. */
export async function findProgress(
  db: Db,
  { projectId, timeZone }: { projectId: string; timeZone: string },
): Promise<Progress> {
  // `least` passes over what is not there; a draft cannot reach further than the update that was made of it.
  const last = sql`(select max(least(${statusUpdates.upTo}, ${statusUpdates.sentAt})) from ${statusUpdates} where ${eq(statusUpdates.projectId, projectId)})`;
  const created = sql`(select ${projects.createdAt} from ${projects} where ${eq(projects.id, projectId)})`;
  const since = sql<Date>`coalesce(${last}, ${created})`;
  const today = sql`(now() at time zone ${timeZone}::text)::date`;
  const isLate = sql<boolean>`coalesce(${projects.dueDate} < ${today}, false)`;
  const hasOverdueTasks = sql<boolean>`exists (select from ${tasks}
    where ${and(eq(tasks.projectId, projects.id), sql`not ${isCompleted}`, lt(tasks.dueDate, today))})`;
  // Before the rest: what happens in between is then said twice rather than never.
  const [read] = await db
    .select({ upTo: isoInstant(sql<Date>`clock_timestamp()`) })
    .from(projects)
    .limit(1);
  const [done, moves, [project]] = await Promise.all([
    db
      .select({ title: tasks.title })
      .from(tasks)
      .where(and(eq(tasks.projectId, projectId), isCompleted, gt(tasks.completedAt, since)))
      .orderBy(desc(tasks.completedAt), asc(tasks.number)),
    listMoves(db, { projectId, since }),
    db
      .select({
        isLate,
        hasOverdueTasks,
        commitMode: projects.commitMode,
        maskedWords: projects.maskedWords,
        repositoryId: projects.repositoryId,
      })
      .from(projects)
      .where(eq(projects.id, projectId)),
  ]);
  const seen = project && (await findCommits(db, { ...project, since }));
  return {
    upTo: read?.upTo ?? new Date().toISOString(),
    done: done.map(({ title }) => title),
    moved: moves,
    commits: seen ?? null,
    isLate: project?.isLate ?? false,
    hasOverdueTasks: project?.hasOverdueTasks ?? false,
  };
}

/** From the first change to the last one: what is where it was has not moved. Tasks that are gone are left out. */
async function listMoves(
  db: Db,
  { projectId, since }: { projectId: string; since: SQL<Date> },
): Promise<Progress["moved"]> {
  const rows = await db
    .select({ taskId: projectEvents.taskId, title: tasks.title, changes: projectEvents.changes })
    .from(projectEvents)
    .leftJoin(tasks, eq(tasks.id, projectEvents.taskId))
    .where(
      and(
        eq(projectEvents.projectId, projectId),
        gt(projectEvents.at, since),
        sql`${projectEvents.changes} @> '[{"field": "dueDate"}]'`,
        or(isNull(projectEvents.taskId), isNotNull(tasks.id)),
      ),
    )
    .orderBy(asc(projectEvents.id));
  const moves = new Map<string | null, { title: string | null; from: string | null; to: string | null }>();
  for (const { taskId, title, changes } of rows) {
    for (const change of changes) {
      if (change.field !== "dueDate" || "added" in change) continue;
      const first = moves.get(taskId)?.from;
      moves.set(taskId, { title, from: first === undefined ? change.from : first, to: change.to });
    }
  }
  return [...moves.values()].flatMap(({ title, from, to }) => (from && to && from !== to ? [{ title, to }] : []));
}

/** What came since then, whenever it was written, as the project's client sees it: titles without masked words, or only how many. */
async function findCommits(
  db: Db,
  {
    repositoryId,
    commitMode,
    maskedWords,
    since,
  }: Pick<typeof projects.$inferSelect, "repositoryId" | "commitMode" | "maskedWords"> & { since: SQL<Date> },
): Promise<Progress["commits"]> {
  if (repositoryId === null || commitMode === "hidden") return null;
  const rows = await db
    .select({ message: commits.message, count: sql`count(*) over ()`.mapWith(Number) })
    .from(commits)
    .innerJoin(repositories, and(eq(repositories.id, commits.repositoryId), not(repositories.withheld)))
    .where(and(eq(commits.repositoryId, repositoryId), gt(commits.arrivedAt, since)))
    .orderBy(desc(commits.authoredAt), desc(commits.id))
    .limit(MAX_COMMIT_TITLES);
  const mask = maskOf(maskedWords);
  const titles = commitMode === "titles" ? rows.map(({ message }) => firstLineOf(mask(message))) : [];
  return { count: rows[0]?.count ?? 0, titles };
}
