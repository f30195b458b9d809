import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { columnValue, isoInstant, jsonArray } from "../../db/expressions";
import { projects, taskAssignees, tasks } from "../../db/schema";
import type { Task } from "../contract/views";
import type { Actor } from "../core/context";
import { visibleTo } from "../projects/policy";

/** Tasks of a project that the caller has been shown: open first, then by number. */
export async function listTasks(db: Db, { projectId }: { projectId: string }): Promise<Task[]> {
  return selectTasks(db, eq(tasks.projectId, projectId)).orderBy(asc(isCompleted), asc(tasks.number));
}

/** The task, found through its own project's visibility, or null: not theirs and not there are the same. */
export async function findVisibleTask(db: Db, { id, actor }: { id: string; actor: Actor }): Promise<Task | null> {
  const [task] = await selectTasks(db, and(eq(tasks.id, id), visibleTo(actor)));
  return task ?? null;
}

/** A task by id, for whoever has just written it. */
export async function findTask(db: Db | Tx, { id }: { id: string }): Promise<Task | null> {
  const [task] = await selectTasks(db, eq(tasks.id, id));
  return task ?? null;
}

const isCompleted = sql<boolean>`(${tasks.status} = 'completed')`;

function selectTasks(db: Db | Tx, where: SQL | undefined) {
  const assignees = db
    .select({ ids: jsonArray(columnValue(taskAssignees.userId), { orderBy: taskAssignees.userId }).as("ids") })
    .from(taskAssignees)
    .where(eq(taskAssignees.taskId, tasks.id))
    .as("assignees");
  return db
    .select({
      id: tasks.id,
      number: tasks.number,
      projectId: tasks.projectId,
      title: tasks.title,
      description: tasks.description,
      status: tasks.status,
      completed: isCompleted,
      dueDate: tasks.dueDate,
      assignedTo: assignees.ids,
      createdAt: isoInstant(tasks.createdAt),
      createdBy: tasks.createdBy,
      version: tasks.version,
    })
    .from(tasks)
    .innerJoin(projects, eq(projects.id, tasks.projectId))
    .innerJoinLateral(assignees, sql`true`)
    .where(where)
    .$dynamic();
}
