import type { Tx } from "../../db/client";
import { taskAssignees } from "../../db/schema";
import { rowsOf } from "../../db/writes";
import { MESSAGES } from "../contract/messages";
import type { CreateTask, UpdateTask } from "../contract/tasks";
import { type FieldErrorsOf, type FieldPath, ValidationError } from "../core/errors";
import { involvedIds } from "../projects/policy";
import type { LockedProject } from "../projects/queries";
import { findActiveIds } from "../users/queries";

type TaskInput = CreateTask | UpdateTask;

/** Assignees are people of the project or admins, and active when they are added. */
export async function requireAssignable(
  tx: Tx,
  { project, added, field }: { project: LockedProject; added: string[]; field: FieldPath<TaskInput> },
): Promise<void> {
  const ofProject = new Set(involvedIds(project));
  const employees = await findActiveIds(tx, added, ["user", "admin"]);
  const admins = await findActiveIds(
    tx,
    added.filter((id) => !ofProject.has(id)),
    ["admin"],
  );
  if (added.every((id) => employees.has(id) && (ofProject.has(id) || admins.has(id)))) return;
  const errors: FieldErrorsOf<TaskInput> = {};
  errors[field] = [MESSAGES.tasks.notAssignable];
  throw new ValidationError<TaskInput>(errors);
}

/** Adds assignees to a task. */
export async function insertAssignees(tx: Tx, taskId: string, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return;
  const rows = userIds.map((userId) => ({ taskId, userId }));
  await tx.insert(taskAssignees).values(rowsOf(taskAssignees, rows));
}
