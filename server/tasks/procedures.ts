import { MESSAGES } from "../contract/messages";
import type { Task } from "../contract/views";
import { DomainError } from "../core/errors";
import { mayEdit } from "../projects/policy";
import type { ActiveCall } from "../projects/procedures";
import { findVisibleTask } from "./queries";

/** Checks 5 and 6 for a task: visible through its own project, and the caller may change that project's tasks. */
export async function editableTask({ db, actor }: ActiveCall, id: string): Promise<Task> {
  const task = await findVisibleTask(db, { id, actor });
  if (!task) throw new DomainError("NOT_FOUND", MESSAGES.tasks.notFound);
  if (!mayEdit(actor)) throw new DomainError("FORBIDDEN", MESSAGES.projects.readOnly);
  return task;
}
