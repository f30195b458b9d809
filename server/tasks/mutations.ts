import type { TaskStatus } from "@db/enums";
import { and, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { projects, taskAssignees, tasks } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import type { NewTask, TaskPatch } from "../contract/tasks";
import type { Task } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import { involvedIds } from "../projects/policy";
import { findProject, type ProjectRow } from "../projects/queries";
import { announceProject } from "../realtime/notify";
import { findActiveIds } from "../users/queries";
import { findTask } from "./queries";

/** Adds a task under the next number of its project; without assignees it goes to the actor. */
export async function createTask(
  db: Db,
  {
    project: { id: projectId },
    fields,
    assignedTo,
    by,
  }: { project: ProjectRow; fields: NewTask; assignedTo?: string[] | undefined; by: Actor },
): Promise<Task> {
  const { title, description, status = "todo", dueDate = null } = fields;
  return db.transaction(async (tx) => {
    const { number, project } = await takeProject(tx, { projectId, by, takesNumber: true });
    await requireAssignable(tx, { project, added: assignedTo ?? [], field: "assignedTo" });
    const [inserted] = await tx
      .insert(tasks)
      .values({
        projectId,
        number,
        title,
        description,
        dueDate,
        createdBy: by.id,
        ...statusColumns(status, "todo"),
      })
      .returning({ id: tasks.id });
    if (!inserted) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
    await insertAssignees(tx, inserted.id, assignedTo ?? [by.id]);
    return reload(tx, inserted.id);
  });
}

/** Applies a patch. With a `version`, an older one is a CONFLICT that carries the task as it is now. */
export async function updateTask(
  db: Db,
  { task, version, patch, by }: { task: Task; version?: number | undefined; patch: TaskPatch; by: Actor },
): Promise<Task> {
  const { assignedTo, status, title, description, dueDate } = patch;
  return db.transaction(async (tx) => {
    const { project } = await takeProject(tx, { projectId: task.projectId, by });
    const present = await reload(tx, task.id);
    if (version !== undefined && version !== present.version) {
      throw new DomainError("CONFLICT", MESSAGES.tasks.stale, { current: present });
    }
    const added = (assignedTo ?? []).filter((id) => !present.assignedTo.includes(id));
    await requireAssignable(tx, { project, added, field: "patch.assignedTo" });
    await tx
      .update(tasks)
      .set({
        title,
        description,
        dueDate,
        ...(status && status !== present.status && statusColumns(status, present.status)),
        version: sql`${tasks.version} + 1`,
        updatedAt: sql`now()`,
      })
      .where(eq(tasks.id, task.id));
    if (assignedTo) {
      await tx.delete(taskAssignees).where(eq(taskAssignees.taskId, task.id));
      await insertAssignees(tx, task.id, assignedTo);
    }
    return reload(tx, task.id);
  });
}

/** Ticks or unticks; unticking returns to the status before. Doing it twice leaves the task as it is. */
export async function setTaskCompleted(
  db: Db,
  { task, completed, by }: { task: Task; completed: boolean; by: Actor },
): Promise<Task> {
  return db.transaction(async (tx) => {
    await takeProject(tx, { projectId: task.projectId, by });
    await tx
      .update(tasks)
      .set({
        ...(completed
          ? { status: "completed" as const, statusBefore: sql`${tasks.status}` }
          : { status: sql`${tasks.statusBefore}`, statusBefore: null }),
        version: sql`${tasks.version} + 1`,
        updatedAt: sql`now()`,
      })
      .where(and(eq(tasks.id, task.id), sql`(${tasks.status} = 'completed') <> ${completed}`));
    return reload(tx, task.id);
  });
}

/** Gone already: NOT_FOUND. */
export async function deleteTask(db: Db, { task, by }: { task: Task; by: Actor }): Promise<{ id: string }> {
  return db.transaction(async (tx) => {
    await takeProject(tx, { projectId: task.projectId, by });
    const [gone] = await tx.delete(tasks).where(eq(tasks.id, task.id)).returning({ id: tasks.id });
    if (!gone) throw new DomainError("NOT_FOUND", MESSAGES.tasks.notFound);
    return gone;
  });
}

/**
 * Every change of a task first takes its project's row, which orders changes of one project, counts them for watchers and
 * announces them at commit. Only then is it sure who is on the project: whoever was removed a moment ago gets NOT_FOUND.
 * `number` is what a new task takes.
 */
async function takeProject(
  tx: Tx,
  { projectId, by, takesNumber = false }: { projectId: string; by: Actor; takesNumber?: boolean },
): Promise<{ number: number; project: ProjectRow }> {
  const [counted] = await tx
    .update(projects)
    .set({
      changeSeq: sql`${projects.changeSeq} + 1`,
      ...(takesNumber && { lastTaskNumber: sql`${projects.lastTaskNumber} + 1` }),
    })
    .where(eq(projects.id, projectId))
    .returning({ number: projects.lastTaskNumber });
  const project = await findProject(tx, { id: projectId, actor: by });
  if (!counted || !project) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
  await announceProject(tx, { projectId, newcomers: [] });
  return { number: counted.number, project };
}

/** Status and what unticking returns to, which stands exactly while the task is completed. */
function statusColumns(
  status: TaskStatus,
  before: TaskStatus,
): { status: TaskStatus; statusBefore: TaskStatus | null } {
  if (status !== "completed") return { status, statusBefore: null };
  return { status, statusBefore: before === "completed" ? "todo" : before };
}

/** Assignees are people of the project or admins, and active when they are added. */
async function requireAssignable(
  tx: Tx,
  { project, added, field }: { project: ProjectRow; added: string[]; field: string },
): Promise<void> {
  const ofProject = new Set(involvedIds(project));
  const employees = await findActiveIds(tx, added, ["user", "admin"]);
  const admins = await findActiveIds(
    tx,
    added.filter((id) => !ofProject.has(id)),
    ["admin"],
  );
  if (added.every((id) => employees.has(id) && (ofProject.has(id) || admins.has(id)))) return;
  throw new ValidationError({ [field]: [MESSAGES.tasks.notAssignable] });
}

async function insertAssignees(tx: Tx, taskId: string, userIds: string[]): Promise<void> {
  if (userIds.length > 0) await tx.insert(taskAssignees).values(userIds.map((userId) => ({ taskId, userId })));
}

async function reload(tx: Tx, id: string): Promise<Task> {
  const task = await findTask(tx, { id });
  if (!task) throw new DomainError("NOT_FOUND", MESSAGES.tasks.notFound);
  return task;
}
