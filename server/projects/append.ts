import type { TaskPriority } from "@db/enums";
import { eq, sql } from "drizzle-orm";
import type { Tx } from "../../db/client";
import { appendedRank } from "../../db/ranks";
import { projectEvents, projects, taskAssignees, taskLabels, tasks } from "../../db/schema";
import { taskTotals } from "../../db/task-totals";
import { columnsOf, rowsOf } from "../../db/writes";
import type { NewTask } from "../contract/tasks";
import type { ChecklistItem } from "../contract/views";
import type { Actor } from "../core/context";

/** A task that a project begins with. */
export interface FirstTask extends NewTask {
  priority?: TaskPriority;
  checklist?: ChecklistItem[];
  /** Labels that are held until the transaction ends. */
  labelIds?: string[];
  /** Without it the task goes to the actor. */
  assignedTo?: string[];
}

/** Rows of one statement, whose parameters PostgreSQL counts to 65,535. */
const ROWS_AT_ONCE = 2_000;

/** Gives a project that was just made its tasks, numbered in their order. */
export async function insertFirstTasks(
  tx: Tx,
  { projectId, firstTasks, by }: { projectId: string; firstTasks: FirstTask[]; by: Actor },
): Promise<void> {
  if (firstTasks.length === 0) return;
  const made = firstTasks.map((task, index) => ({ ...task, id: crypto.randomUUID(), number: index + 1 }));
  for (const some of batchesOf(made)) {
    const rows = some.map(({ assignedTo: _, labelIds: __, status = "todo", dueDate = null, ...task }) => ({
      ...task,
      projectId,
      rank: appendedRank(task.number),
      status,
      statusBefore: status === "completed" ? ("todo" as const) : null,
      completedAt: status === "completed" ? sql`now()` : null,
      dueDate,
      createdBy: by.id,
    }));
    await tx.insert(tasks).values(rowsOf(tasks, rows));
  }
  const assigned = made.flatMap(({ id, assignedTo = [by.id] }) => assignedTo.map((userId) => ({ taskId: id, userId })));
  for (const some of batchesOf(assigned)) await tx.insert(taskAssignees).values(rowsOf(taskAssignees, some));
  const labelled = made.flatMap(({ id, labelIds = [] }) => labelIds.map((labelId) => ({ taskId: id, labelId })));
  for (const some of batchesOf(labelled)) await tx.insert(taskLabels).values(rowsOf(taskLabels, some));
  await tx.update(projects).set(columnsOf(projects, taskTotals)).where(eq(projects.id, projectId));
  const events = made.map(({ id, number, title }) => ({
    ...{ projectId, actorId: by.id, kind: "task.created" as const, changes: [] },
    ...{ taskId: id, taskNumber: number, taskTitle: title },
  }));
  for (const some of batchesOf(events)) await tx.insert(projectEvents).values(rowsOf(projectEvents, some));
}

function batchesOf<Row>(rows: readonly Row[]): Row[][] {
  const batches: Row[][] = [];
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) batches.push(rows.slice(at, at + ROWS_AT_ONCE));
  return batches;
}
