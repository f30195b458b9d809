import { and, asc, between, eq, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { projects, tasks } from "../../db/schema";
import type { Calendar } from "../contract/views";
import type { Actor } from "../core/context";
import { involving, mayEdit } from "./policy";
import { isAssignedTo, isCompleted } from "./task-columns";

/** What is due within these days in the projects that the actor takes part in, and the actor's own tasks elsewhere. */
export async function listCalendar(
  db: Db,
  { actor, from, to }: { actor: Actor; from: string; to: string },
): Promise<Calendar> {
  const canEdit = mayEdit(actor);
  const [dueProjects, dueTasks] = await Promise.all([
    db
      .select({
        id: projects.id,
        key: projects.key,
        title: projects.title,
        status: projects.status,
        startDate: projects.startDate,
        dueDate: dueDay(projects.dueDate),
        version: projects.version,
      })
      .from(projects)
      .where(and(between(projects.dueDate, from, to), involving(actor)))
      .orderBy(asc(projects.dueDate), asc(projects.title), asc(projects.id)),
    db
      .select({
        id: tasks.id,
        projectId: tasks.projectId,
        number: tasks.number,
        title: tasks.title,
        status: tasks.status,
        completed: isCompleted,
        dueDate: dueDay(tasks.dueDate),
        version: tasks.version,
        project: { id: projects.id, key: projects.key, title: projects.title },
      })
      .from(tasks)
      .innerJoin(projects, eq(projects.id, tasks.projectId))
      .where(and(between(tasks.dueDate, from, to), concerns(actor)))
      .orderBy(asc(tasks.dueDate), asc(projects.key), asc(tasks.number)),
  ]);
  return {
    projects: dueProjects.map((project) => ({ ...project, canEdit })),
    tasks: dueTasks.map((task) => ({ ...task, canEdit })),
  };
}

/** Others than admins see only what they take part in; that a task is their own adds nothing for them. */
function concerns(actor: Actor): SQL | undefined {
  return actor.accountType === "admin" ? or(involving(actor), isAssignedTo(actor.id)) : involving(actor);
}

/** A due day of rows that are known to have one. */
function dueDay(column: typeof projects.dueDate | typeof tasks.dueDate): SQL<string> {
  return sql`${column}`;
}
