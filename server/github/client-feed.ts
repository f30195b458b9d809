import { and, desc, eq, gt, isNotNull, not, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { aliased, countRows, holds, jsonRows } from "../../db/expressions";
import { commits, organisation, projects } from "../../db/schema";
import type { CommitFeed } from "../contract/views";
import type { Linked } from "./linked-projects";

const COUNTED_DAYS = 10;

/** What a client's feed has besides commits; `timeZone` holds until an admin has chosen one. Of the statement that has `linked`. */
export function clientColumns(
  db: Db,
  { linked, isAsked, timeZone }: { linked: Linked; isAsked: SQL | undefined; timeZone: string },
) {
  const zone = sql`coalesce((select ${organisation.timeZone} from ${organisation} limit 1), ${timeZone})`;
  const day = sql<string>`((${commits.authoredAt} at time zone ${zone})::date)::text`;
  const ofDay = db
    .select({ day: day.as("day"), count: countRows().as("count") })
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
    hiddenProjects: sql`(${hidden})`.mapWith(Number),
    masked: jsonRows(masked),
  };
}
