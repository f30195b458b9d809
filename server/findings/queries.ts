import { fromAbsolute, toCalendarDate } from "@internationalized/date";
import { and, asc, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Db } from "../../db/client";
import { fingerprintOf, isoInstant, jsonObject, whenPresent } from "../../db/expressions";
import { liveLinks, projects, repositories, tasks } from "../../db/schema";
import { DEAD_AFTER_CHECKS, RUNNING_STATUSES } from "../contract/findings";
import { MAX_FINDINGS } from "../contract/messages/overview";
import type { Finding } from "../contract/views";
import type { Actor } from "../core/context";
import { findOrganisation } from "../organisation/queries";
import { managedBy } from "../projects/policy";
import { lateProjects, lateTasks, quietProjects, quietTasks } from "./changes";
import { type NearDay, nearDays } from "./due-window";
import { type Asked, foundColumns, type Managed, managedProjects } from "./subjects";

/**
 * What may be worth a look in the projects that the actor answers for, or in one of them, the newest first. Everything follows from
 * the rows as they are, in one statement; `timeZone` is that of the server, until an admin has chosen one.
 */
export async function listFindings(db: Db, { timeZone, ...asked }: Asked & { timeZone: string }): Promise<Finding[]> {
  const calendar = await findOrganisation(db, { timeZone });
  const today = toCalendarDate(fromAbsolute(Date.now(), calendar.timeZone)).toString();
  const managed = managedProjects(db, asked);
  const quiet = db.$with("quiet").as(quietProjects(db, { managed, zone: calendar.timeZone }));
  const late = db.$with("late").as(lateProjects(db, { managed }));
  const projectsOf = (lines: typeof quiet | typeof late) => sql`(select ${lines.projectId} from ${lines})`;
  const found = unionAll(
    db.select().from(quiet),
    db.select().from(late),
    quietTasks(db, { managed, zone: calendar.timeZone, exceptIn: projectsOf(quiet) }),
    lateTasks(db, { managed, exceptIn: projectsOf(late) }),
    dueSoon(db, { managed, near: nearDays(calendar, today) }),
    deadRepositories(db, managed),
    deadLiveLinks(db, managed),
  ).as("found");
  return db
    .with(managed, quiet, late)
    .select({
      projectId: found.projectId,
      taskId: found.taskId,
      kind: found.kind,
      since: isoInstant(sql<Date>`${found.since}`),
      count: found.count,
      project: jsonObject({ id: projects.id, key: projects.key, title: projects.title, dueDate: projects.dueDate }),
      task: whenPresent(tasks.id, jsonObject({ number: tasks.number, title: tasks.title })),
    })
    .from(found)
    .innerJoin(projects, eq(projects.id, found.projectId))
    .leftJoin(tasks, eq(tasks.id, found.taskId))
    .orderBy(desc(found.since), asc(found.projectId), asc(found.kind), asc(found.taskId))
    .limit(MAX_FINDINGS);
}

/** Projects in work that are due soon with open tasks. What is overdue is in lists of its own. */
function dueSoon(db: Db, { managed, near }: { managed: Managed; near: readonly NearDay[] }) {
  const days = sql`json_to_recordset(${JSON.stringify(near)}::json) as near(day date, since timestamptz)`;
  return db
    .select(
      foundColumns({
        projectId: managed.id,
        kind: "due-soon",
        since: sql`greatest(near.since, ${managed.createdAt})`,
        count: sql`${managed.openTasks}`,
      }),
    )
    .from(managed)
    .innerJoin(days, sql`near.day = ${managed.dueDate}`)
    .where(and(isRunning(managed), sql`${managed.openTasks} > 0`));
}

/** A link that leads to no repository, or to one that may not be read. Other problems pass, and are not those of the link. */
function deadRepositories(db: Db, managed: Managed) {
  return db
    .select(
      foundColumns({
        projectId: managed.id,
        kind: "repository-dead",
        since: sql`coalesce(${repositories.lastSuccessAt}, ${repositories.linkedAt})`,
      }),
    )
    .from(managed)
    .innerJoin(repositories, eq(repositories.id, managed.repositoryId))
    .where(and(isRunning(managed), inArray(repositories.problem, ["not-found", "auth"])));
}

function deadLiveLinks(db: Db, managed: Managed) {
  return db
    .select(foundColumns({ projectId: managed.id, kind: "live-link-dead", since: sql`${liveLinks.failingSince}` }))
    .from(managed)
    .innerJoin(liveLinks, and(eq(liveLinks.id, managed.id), eq(liveLinks.url, managed.liveLink)))
    .where(and(isRunning(managed), sql`${liveLinks.failures} >= ${DEAD_AFTER_CHECKS}::int`));
}

function isRunning(managed: Managed): SQL {
  return inArray(managed.status, [...RUNNING_STATUSES]);
}

/** Another text whenever commits, repositories or live links of the projects that the actor answers for are other ones. */
export async function fingerprintCauses(db: Db, { actor }: { actor: Actor }): Promise<string> {
  const [row] = await db
    .select({
      fingerprint: fingerprintOf([
        projects.id,
        repositories.changeSeq,
        sql`${liveLinks.upSince} is null`,
        liveLinks.failingSince,
        sql`${liveLinks.failures} >= ${DEAD_AFTER_CHECKS}::int`,
      ]),
    })
    .from(projects)
    .leftJoin(repositories, eq(repositories.id, projects.repositoryId))
    .leftJoin(liveLinks, eq(liveLinks.id, projects.id))
    .where(managedBy(actor));
  return row?.fingerprint ?? "";
}
