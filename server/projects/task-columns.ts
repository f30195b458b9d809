import { and, eq, exists, inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { arrayOf, holds, isoInstant } from "../../db/expressions";
import { taskAssignees, tasks } from "../../db/schema";
import type { Task } from "../contract/views";

export const isCompleted = holds(tasks.status, "completed");

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

/** Tasks of that project by id, whoever may see them: for watchers, which check visibility on the project's row. */
export async function findTaskRows(
  db: Db,
  { projectId, taskIds }: { projectId: string; taskIds: readonly string[] },
): Promise<Task[]> {
  if (taskIds.length === 0) return [];
  return db
    .select(taskColumns)
    .from(tasks)
    .where(and(inArray(tasks.id, [...taskIds]), eq(tasks.projectId, projectId)));
}
