import { MESSAGES } from "../contract/messages";
import type { Actor, Context } from "../core/context";
import { DomainError } from "../core/errors";
import { mayEdit, mayManage } from "./policy";
import { findProject, type ProjectRow } from "./queries";
import { findProjectOfTask } from "./task-columns";

/** What object checks need of a call. */
export type ActiveCall = Pick<Context, "db"> & { actor: Actor };

/** Check 5: the project, if the caller may see it; else NOT_FOUND, as for an id that does not exist. */
export async function visibleProject({ db, actor }: ActiveCall, id: string): Promise<ProjectRow> {
  const project = await findProject(db, { id, actor });
  if (!project) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
  return project;
}

/** Check 5: the id of a task's project, if the caller may see it; else NOT_FOUND, as for a task that does not exist. */
export async function visibleProjectOfTask({ db, actor }: ActiveCall, taskId: string): Promise<string> {
  const projectId = await findProjectOfTask(db, { taskId, actor });
  if (!projectId) throw new DomainError("NOT_FOUND", MESSAGES.tasks.notFound);
  return projectId;
}

/** Checks 5 and 6: the project, if the caller may also change it and its tasks. */
export async function editableProject(call: ActiveCall, id: string): Promise<ProjectRow> {
  const project = await visibleProject(call, id);
  if (!mayEdit(call.actor)) throw new DomainError("FORBIDDEN", MESSAGES.projects.readOnly);
  return project;
}

/** Checks 5 and 6: the project, if the caller answers for it: for its managers and admins. */
export async function managedProject(call: ActiveCall, id: string): Promise<ProjectRow> {
  const project = await visibleProject(call, id);
  if (!mayManage(call.actor, project)) throw new DomainError("FORBIDDEN", MESSAGES.projects.managersOnly);
  return project;
}

/** The error of a project, or with its id of a task, that somebody may not see, or that does not exist. */
export function subjectNotFound(taskId: string | null): DomainError {
  return new DomainError("NOT_FOUND", taskId === null ? MESSAGES.projects.notFound : MESSAGES.tasks.notFound);
}
