import type { ChangedField, ProjectStatus, TaskStatus } from "@db/enums";
import { and, eq, isNotNull, isNull, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db } from "../../db/client";
import { holds } from "../../db/expressions";
import { commitMentions, commits, projectEvents, projects, repositories, tasks } from "../../db/schema";
import { LATE_COMMIT_DAYS, QUIET_DAYS } from "../contract/findings";
import { foundColumns, type Managed } from "./subjects";

/*
 * What commits say of work that is in progress, and of work that is done. Of repositories that could be read the last time: of
 * others nobody knows.
 */

interface Looked {
  managed: Managed;
}

interface Zoned extends Looked {
  /** Days are counted by its clock. */
  zone: string;
}

interface Narrowed {
  /** Projects that have a line of their own, so that their tasks need none. */
  exceptIn: SQLWrapper;
}

/** Projects in progress whose repository has had no commit for days, and which were not begun since. */
export function quietProjects(db: Db, { managed, zone }: Zoned) {
  const lastCommit = sql`(select max(${commits.arrivedAt}) from ${commits} where ${eq(commits.repositoryId, repositories.id)})`;
  const last = db
    .select({
      id: managed.id,
      since: sql<Date>`greatest(${managed.createdAt}, ${lastCommit}, ${statusChange(managed)})`.as("last_commit"),
    })
    .from(managed)
    .innerJoin(repositories, isReadable(managed))
    .where(holds(managed.status, "inProgress"))
    .as("last");
  const days = daysSince(last.since, zone);
  return db
    .select(foundColumns({ projectId: last.id, kind: "no-commits", since: sql`${last.since}`, count: days }))
    .from(last)
    .where(isQuiet(days));
}

/** The same of tasks, in projects whose commits name tasks. */
export function quietTasks(db: Db, { managed, zone, exceptIn }: Zoned & Narrowed) {
  const ofProject = and(eq(commitMentions.repositoryId, repositories.id), eq(commitMentions.projectKey, managed.key));
  const named = and(ofProject, eq(commitMentions.taskNumber, tasks.number));
  const lastCommit = sql`(select max(${commits.arrivedAt}) from ${commitMentions}
    join ${commits} on ${eq(commits.id, commitMentions.commitId)} where ${named})`;
  const last = db
    .select({
      projectId: sql<string>`${managed.id}`.as("last_project"),
      id: sql<string>`${tasks.id}`.as("last_task"),
      since: sql<Date>`greatest(${tasks.createdAt}, ${lastCommit}, ${statusChange(managed, tasks)})`.as("last_commit"),
    })
    .from(managed)
    .innerJoin(repositories, isReadable(managed))
    .innerJoin(tasks, eq(tasks.projectId, managed.id))
    .where(
      and(
        holds(managed.status, "inProgress"),
        holds(tasks.status, "inProgress"),
        sql`exists (select from ${commitMentions} where ${ofProject})`,
        sql`${managed.id} not in ${exceptIn}`,
      ),
    )
    .as("last");
  const days = daysSince(last.since, zone);
  const columns = { projectId: last.projectId, taskId: last.id, since: sql`${last.since}` };
  return db
    .select(foundColumns({ ...columns, kind: "no-commits", count: days }))
    .from(last)
    .where(isQuiet(days));
}

/** Completed projects with commits since, unless another project that is not over has the same repository: they may be of that one. */
export function lateProjects(db: Db, { managed }: Looked) {
  const other = alias(projects, "other");
  const isShared = sql`exists (select from ${projects} as ${sql.identifier("other")} where ${and(
    eq(other.repositoryId, managed.repositoryId),
    not(eq(other.id, managed.id)),
    not(holds(other.status, "completed")),
    not(holds(other.status, "cancelled")),
  )})`;
  const completedAt = sql`coalesce(${statusChange(managed, null, "completed")}, ${managed.createdAt})`;
  const late = sql`lateral (select min(${commits.authoredAt}) as first, max(${commits.authoredAt}) as last, count(*)
    from ${commits} where ${eq(commits.repositoryId, repositories.id)} and ${commits.authoredAt} > ${completedAt}) as late`;
  return db
    .select(foundColumns({ projectId: managed.id, ...LATE }))
    .from(managed)
    .innerJoin(repositories, isReadable(managed))
    .innerJoin(late, isRecent(sql`late.last`))
    .where(and(holds(managed.status, "completed"), not(isShared)));
}

/** Completed tasks that a commit of later names. */
export function lateTasks(db: Db, { managed, exceptIn }: Looked & Narrowed) {
  // By the few commits of the last weeks: of most tasks nobody speaks any more.
  const spokenOf = db
    .selectDistinct({
      ...{ projectId: tasks.projectId, id: tasks.id, number: tasks.number, completedAt: tasks.completedAt },
      repositoryId: commitMentions.repositoryId,
      key: commitMentions.projectKey,
    })
    .from(managed)
    .innerJoin(repositories, isReadable(managed))
    .innerJoin(commits, and(eq(commits.repositoryId, repositories.id), isRecent(commits.authoredAt)))
    .innerJoin(commitMentions, and(eq(commitMentions.commitId, commits.id), eq(commitMentions.projectKey, managed.key)))
    .innerJoin(
      tasks,
      and(
        eq(tasks.projectId, managed.id),
        eq(tasks.number, commitMentions.taskNumber),
        sql`${tasks.completedAt} < ${commits.authoredAt}`,
      ),
    )
    .where(sql`${managed.id} not in ${exceptIn}`)
    .as("spoken_of");
  const late = sql`lateral (select min(${commits.authoredAt}) as first, count(*) from ${commitMentions}
    join ${commits} on ${eq(commits.id, commitMentions.commitId)} where ${and(
      eq(commitMentions.repositoryId, spokenOf.repositoryId),
      eq(commitMentions.projectKey, spokenOf.key),
      eq(commitMentions.taskNumber, spokenOf.number),
      sql`${commits.authoredAt} > ${spokenOf.completedAt}`,
    )}) as late`;
  return db
    .select(foundColumns({ projectId: spokenOf.projectId, taskId: spokenOf.id, ...LATE }))
    .from(spokenOf)
    .innerJoin(late, sql`true`);
}

const LATE = { kind: "commits-after-completion", since: sql`late.first`, count: sql`late.count` } as const;

function isReadable(managed: Managed): SQL | undefined {
  return and(
    eq(repositories.id, managed.repositoryId),
    not(repositories.withheld),
    isNull(repositories.problem),
    isNotNull(repositories.lastSuccessAt),
  );
}

/** When a project, or a task of it, last got another status, or that one; null for never. */
function statusChange(managed: Managed, task: typeof tasks | null = null, to?: ProjectStatus & TaskStatus): SQL {
  const field: ChangedField = "status";
  const isChange = sql`${projectEvents.changes} @> ${JSON.stringify([{ field, to }])}::jsonb`;
  const ofTask = task && sql`(${isChange} or ${holds(projectEvents.kind, "task.reopened")})`;
  return sql`(select max(${projectEvents.at}) from ${projectEvents} where ${and(
    eq(projectEvents.projectId, managed.id),
    task ? eq(projectEvents.taskId, task.id) : isNull(projectEvents.taskId),
    ofTask ?? isChange,
  )})`;
}

function daysSince(instant: SQLWrapper, zone: string): SQL<number> {
  const dayOf = (at: SQLWrapper) => sql`(${at} at time zone ${zone}::text)::date`;
  return sql`(${dayOf(sql`now()`)} - ${dayOf(instant)})`;
}

function isQuiet(days: SQL<number>): SQL {
  return sql`${days} >= ${QUIET_DAYS}::int`;
}

function isRecent(instant: SQLWrapper): SQL {
  return sql`${instant} > now() - make_interval(days => ${LATE_COMMIT_DAYS}::int)`;
}
