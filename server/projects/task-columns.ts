import { and, eq, exists, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { arrayOf, holds, isoInstant } from "../../db/expressions";
import { projects, type StoredChecklistItem, taskAssignees, taskLabels, tasks } from "../../db/schema";
import type { Actor } from "../core/context";
import { visibleTo } from "./policy";

export const isCompleted = holds(tasks.status, "completed");

/** Without the spaces that PostgreSQL puts into jsonb; most tasks have none, and pay nothing. */
const checklistJson = sql<StoredChecklistItem[]>`case when ${tasks.checklist} = '[]' then '[]'::json else
  (select array_to_json(array_agg(row_to_json(item))) from jsonb_to_recordset(${tasks.checklist}) as item(id uuid, text text, done boolean)) end`;

/** A task as it is shown; its people by id. Of a query over `tasks`. */
export const taskColumns = {
  id: tasks.id,
  number: tasks.number,
  rank: tasks.rank,
  projectId: tasks.projectId,
  title: tasks.title,
  description: tasks.description,
  status: tasks.status,
  completed: isCompleted,
  dueDate: tasks.dueDate,
  priority: tasks.priority,
  checklist: checklistJson,
  labelIds: arrayOf(taskLabels.labelId, { from: taskLabels, where: sql`${taskLabels.taskId} = ${tasks.id}` }),
  assignedTo: arrayOf(taskAssignees.userId, { from: taskAssignees, where: sql`${taskAssignees.taskId} = ${tasks.id}` }),
  createdAt: isoInstant(tasks.createdAt),
  createdBy: tasks.createdBy,
  version: tasks.version,
};

/** Whether that person is assigned to the surrounding task row. */
export function isAssignedTo(userId: string): SQL {
  return exists(
    sql`(select 1 from ${taskAssignees} where ${and(eq(taskAssignees.taskId, tasks.id), eq(taskAssignees.userId, userId))})`,
  );
}

/** The id of the project of a task that the actor may see, or null. */
export async function findProjectOfTask(
  db: Db,
  { taskId, actor }: { taskId: string; actor: Actor },
): Promise<string | null> {
  const [row] = await db
    .select({ projectId: projects.id })
    .from(tasks)
    .innerJoin(projects, eq(projects.id, tasks.projectId))
    .where(and(eq(tasks.id, taskId), visibleTo(actor)));
  return row?.projectId ?? null;
}
