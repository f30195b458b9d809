import type { Tx } from "../../db/client";
import { taskLabels } from "../../db/schema";
import { rowsOf } from "../../db/writes";
import { MESSAGES } from "../contract/messages";
import type { CreateTask, UpdateTask } from "../contract/tasks";
import type { Label } from "../contract/views";
import { type FieldErrorsOf, type FieldPath, ValidationError } from "../core/errors";

type TaskInput = CreateTask | UpdateTask;

/** Labels are those of the organisation: one that somebody has just deleted is refused like one that never was. */
export function requireKnown(
  labelIds: readonly string[],
  { held, field }: { held: readonly Label[]; field: FieldPath<TaskInput> },
): void {
  if (labelIds.every((labelId) => held.some(({ id }) => id === labelId))) return;
  const errors: FieldErrorsOf<TaskInput> = {};
  errors[field] = [MESSAGES.labels.unknown];
  throw new ValidationError<TaskInput>(errors);
}

/** Puts labels on a task. */
export async function insertTaskLabels(tx: Tx, taskId: string, labelIds: readonly string[]): Promise<void> {
  if (labelIds.length === 0) return;
  const rows = labelIds.map((labelId) => ({ taskId, labelId }));
  await tx.insert(taskLabels).values(rowsOf(taskLabels, rows));
}
