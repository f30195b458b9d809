import { and, asc, eq, isNotNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { holds, isoInstant } from "../../db/expressions";
import { calendarFeeds, projects, tasks, users } from "../../db/schema";
import type { Actor } from "../core/context";
import { involving } from "../projects/policy";
import { isAssignedTo } from "../projects/task-columns";

/** Older due dates are left out: calendars ask for all of them again and again. */
const PAST_DAYS = 365;
const MAX_EVENTS = 2_000;

/** Since when a person's calendar has an address. */
export async function findCalendarFeed(db: Db, { userId }: { userId: string }): Promise<{ createdAt: string | null }> {
  const [feed] = await db
    .select({ createdAt: isoInstant(calendarFeeds.createdAt) })
    .from(calendarFeeds)
    .where(eq(calendarFeeds.userId, userId));
  return feed ?? { createdAt: null };
}

type Owner = Pick<Actor, "id" | "accountType">;

/** Whose calendar an address is; null for one that is unknown or revoked, and while its person is not active. */
export async function findFeedOwner(db: Db, { tokenHash }: { tokenHash: string }): Promise<Owner | null> {
  const [owner] = await db
    .select({ id: users.id, accountType: users.accountType })
    .from(calendarFeeds)
    .innerJoin(users, and(eq(users.id, calendarFeeds.userId), holds(users.accountStatus, "active")))
    .where(eq(calendarFeeds.tokenHash, tokenHash));
  return owner ?? null;
}

/** What is due, by day: of a task with its number. */
export interface DueThing {
  id: string;
  key: string;
  number: number | null;
  title: string;
  projectTitle: string;
  dueDate: string;
  isDone: boolean;
  updatedAt: Date;
}

/**
 * The projects that a person takes part in, and their own tasks; of a client all tasks of these projects. By day. Of more than MAX_EVENTS
 * those nearest to today stay, and what is still to come before anything that is past.
 */
export async function listDue(db: Db, owner: Owner): Promise<DueThing[]> {
  const today = sql`(now() at time zone 'UTC')::date`;
  const isRecent = (day: SQL) => sql`${day} >= ${today} - ${PAST_DAYS}::int`;
  const nearestFirst = (day: SQL) => [sql`${day} < ${today}`, sql`abs(${day} - ${today})`];
  const isOwn = owner.accountType === "client" ? involving(owner) : and(isAssignedTo(owner.id), sees(owner));
  const [dueProjects, dueTasks] = await Promise.all([
    db
      .select({
        ...{ id: projects.id, key: projects.key, title: projects.title, projectTitle: projects.title },
        number: sql<null>`null`,
        dueDate: sql<string>`${projects.dueDate}::text`,
        isDone: sql<boolean>`${holds(projects.status, "completed")}`,
        updatedAt: projects.updatedAt,
      })
      .from(projects)
      .where(and(isNotNull(projects.dueDate), isRecent(sql`${projects.dueDate}`), notCancelled, involving(owner)))
      .orderBy(...nearestFirst(sql`${projects.dueDate}`), asc(projects.id))
      .limit(MAX_EVENTS),
    db
      .select({
        ...{ id: tasks.id, key: projects.key, title: tasks.title, projectTitle: projects.title, number: tasks.number },
        dueDate: sql<string>`${tasks.dueDate}::text`,
        isDone: sql<boolean>`${holds(tasks.status, "completed")}`,
        updatedAt: tasks.updatedAt,
      })
      .from(tasks)
      .innerJoin(projects, eq(projects.id, tasks.projectId))
      .where(and(isNotNull(tasks.dueDate), isRecent(sql`${tasks.dueDate}`), notCancelled, isOwn))
      .orderBy(...nearestFirst(sql`${tasks.dueDate}`), asc(tasks.id))
      .limit(MAX_EVENTS),
  ]);
  return [...dueProjects.toSorted(byDay), ...dueTasks.toSorted(byDay)];
}

/** An order that does not change with the day on which it is read. */
function byDay(one: DueThing, other: DueThing): number {
  const [a, b] = [`${one.dueDate} ${one.id}`, `${other.dueDate} ${other.id}`];
  return a < b ? -1 : a > b ? 1 : 0;
}

const notCancelled = ne(projects.status, "cancelled");

/** An admin may be assigned to a task of a project that they take no part in. */
function sees(owner: Owner): SQL | undefined {
  return owner.accountType === "admin" ? undefined : or(involving(owner));
}
