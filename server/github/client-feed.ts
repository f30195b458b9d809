import { and, asc, desc, eq, gt, gte, isNotNull, lte, not, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import {
  aliased,
  columnValue,
  countRows,
  holds,
  jsonArray,
  jsonObject,
  jsonRows,
  whenPresent,
} from "../../db/expressions";
import { commitMentions, commits, organisation, projects, tasks } from "../../db/schema";
import type { CommitFeed } from "../contract/views";
import type { Linked } from "./linked-projects";

const COUNTED_DAYS = 10;

/** What a client's feed has besides commits; `timeZone` holds until an admin has chosen one. Of the statement that has `linked`. */
export function clientColumns(
  db: Db,
  {
    linked,
    isAsked,
    perRepository,
    timeZone,
  }: { linked: Linked; isAsked: SQL | undefined; perRepository: number; timeZone: string },
) {
  const zone = sql`coalesce((select ${organisation.timeZone} from ${organisation} limit 1), ${timeZone})`;
  const ofDay = db
    .select({ day: dayIn(zone).as("day"), count: countRows().as("count") })
    .from(commits)
    .where(and(eq(commits.repositoryId, linked.repositoryId), gt(commits.authoredAt, sql`now() - interval '1 year'`)))
    .groupBy(sql`1`)
    .orderBy(sql`1 desc`)
    .limit(COUNTED_DAYS)
    .as("of_day");
  const counts = db
    .select(
      aliased({ projectId: linked.projectId, day: sql<string>`${ofDay.day}`, count: sql<number>`${ofDay.count}` }),
    )
    .from(linked)
    .crossJoinLateral(ofDay)
    .where(and(eq(linked.commitMode, "counts"), not(linked.withheld)))
    .orderBy(desc(sql`${ofDay.day}`), linked.title, linked.projectId);
  const masked = db
    .select(aliased({ projectId: linked.projectId, maskedWords: linked.maskedWords }))
    .from(linked)
    .where(sql`cardinality(${linked.maskedWords}) > 0`);
  const hidden = db
    .select({ count: countRows().as("count") })
    .from(projects)
    .where(and(isAsked, isNotNull(projects.githubRepo), holds(projects.commitMode, "hidden")));
  return {
    counts: jsonRows<CommitFeed["counts"][number]>(counts),
    groups: jsonRows(selectGroups(db, { linked, perRepository, zone })),
    hiddenProjects: sql`(${hidden})`.mapWith(Number),
    masked: jsonRows(masked),
  };
}

/** All commits of the days that a repository's newest ones are of: a day that is begun is counted to its end. */
function selectGroups(db: Db, { linked, perRepository, zone }: { linked: Linked; perRepository: number; zone: SQL }) {
  const listed = db
    .select({ authoredAt: commits.authoredAt })
    .from(commits)
    .where(eq(commits.repositoryId, linked.repositoryId))
    .orderBy(desc(commits.authoredAt), desc(commits.id))
    .limit(perRepository)
    .as("listed_of_repository");
  const oldest = db.select({ at: sql`min(${listed.authoredAt})`.as("oldest_at") }).from(listed);
  const firstDay = sql`(date_trunc('day', (${oldest}) at time zone ${zone}) at time zone ${zone})`;
  const firstTask = db
    .select({ id: tasks.id })
    .from(commitMentions)
    .innerJoin(tasks, and(eq(tasks.projectId, linked.projectId), eq(tasks.number, commitMentions.taskNumber)))
    .where(and(eq(commitMentions.commitId, commits.id), eq(commitMentions.projectKey, linked.key)))
    .orderBy(asc(tasks.number))
    .limit(1);
  const placed = db
    .select({
      sha: commits.sha,
      authoredAt: commits.authoredAt,
      place: sql<number>`row_number() over (order by ${commits.authoredAt} desc, ${commits.id} desc)`.as("placed_at"),
      day: dayIn(zone).as("placed_day"),
      taskId: sql<string | null>`(${firstTask})`.as("placed_task"),
    })
    .from(commits)
    .where(and(eq(commits.repositoryId, linked.repositoryId), gte(commits.authoredAt, firstDay)))
    .as("placed");
  const { projectId, key, title } = linked;
  const grouped = db
    .select({
      ...{ projectId, key, title, day: placed.day, taskId: placed.taskId },
      count: countRows().as("group_count"),
      shas: jsonArray(columnValue(placed.sha), {
        orderBy: sql`${placed.place}`,
        where: lte(placed.place, perRepository),
      }).as("group_shas"),
      newestAt: sql`max(${placed.authoredAt})`.as("group_newest_at"),
    })
    .from(linked)
    .crossJoinLateral(placed)
    .where(and(eq(linked.commitMode, "titles"), not(linked.withheld)))
    .groupBy(projectId, key, title, placed.day, placed.taskId)
    .as("grouped");
  const { id, number } = tasks;
  const task = jsonObject({ id, number, title: tasks.title, completed: holds(tasks.status, "completed") });
  return db
    .select(
      aliased({
        project: jsonObject({ id: grouped.projectId, key: grouped.key, title: grouped.title }),
        day: sql<string>`${grouped.day}`,
        task: whenPresent(tasks.id, task),
        count: sql<number>`${grouped.count}`,
        shas: sql<string[]>`${grouped.shas}`,
      }),
    )
    .from(grouped)
    .leftJoin(tasks, sql`${tasks.id} = ${grouped.taskId}`)
    .orderBy(desc(sql`${grouped.day}`), desc(sql`${grouped.newestAt}`), grouped.projectId);
}

/** The day of a commit by the organisation's clock. */
function dayIn(zone: SQL): SQL<string> {
  return sql<string>`((${commits.authoredAt} at time zone ${zone})::date)::text`;
}
