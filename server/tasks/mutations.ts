import type { TaskStatus } from "@db/enums";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { appendedRankOf, rankBetween } from "../../db/ranks";
import { projects, taskAssignees, taskLabels, tasks } from "../../db/schema";
import { taskTotals } from "../../db/task-totals";
import { columnsOf } from "../../db/writes";
import { announceCompletion, touchLinks } from "../chat/links";
import { MESSAGES } from "../contract/messages";
import type { TASK_CHANGE_KINDS } from "../contract/projects";
import { type CreateTask, type UpdateTask, withIds } from "../contract/tasks";
import type { Task } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { findLabels, holdLabels } from "../labels/queries";
import { insertNotifications } from "../notifications/mutations";
import { releaseNotificationsOf, settleTask } from "../notifications/settle";
import { recordEvent } from "../projects/history";
import { type LockedProject, lockProject } from "../projects/queries";
import { isCompleted } from "../projects/task-columns";
import { notifyLabels, numberedNotification, projectPayload } from "../realtime/notify";
import { appendTask, appendTaskInTurn } from "./append";
import { insertAssignees, requireAssignable } from "./assignees";
import { taskChanges } from "./changes";
import { insertTaskLabels, requireKnown } from "./labels";
import { findNeighbours, findTask } from "./queries";

/** Adds a task under the next number of a project that the actor may see; without assignees it goes to the actor. */
export async function createTask(db: Db, task: CreateTask & { by: Actor }): Promise<Task> {
  const isSimple = !task.assignedTo && !task.labelIds?.length;
  const appended = isSimple ? await appendTask(db, appendOf(task)) : null;
  return appended ?? db.transaction((tx) => createTaskIn(tx, task));
}

/** The same in the transaction of what the task is made of. */
export async function createTaskIn(tx: Tx, task: CreateTask & { by: Actor }): Promise<Task> {
  const { projectId, assignedTo, labelIds = [], by } = task;
  const held = await holdLabels(tx, labelIds);
  if (assignedTo) {
    const project = await lockProject(tx, { id: projectId, actor: by });
    if (!project) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
    await requireAssignable(tx, { project, added: assignedTo, field: "assignedTo" });
  }
  const made = await appendTaskInTurn(tx, appendOf(task));
  if (!made) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
  requireKnown(labelIds, { held, field: "labelIds" });
  await insertTaskLabels(tx, made.id, labelIds);
  if (labelIds.length > 0) await notifyLabels(tx);
  await notifyAssigned(tx, { task: made, recipients: made.assignedTo, by });
  return { ...made, labelIds: labelIds.toSorted() };
}

/** What `createTaskIn` holds before the project's row: for a transaction that takes that row first. */
export async function holdForTask(tx: Tx, { labelIds = [] }: Pick<CreateTask, "labelIds">): Promise<void> {
  await holdLabels(tx, labelIds);
}

function appendOf({ projectId, assignedTo, labelIds: _, checklist = [], by, ...fields }: CreateTask & { by: Actor }) {
  return { projectId, fields: { ...fields, checklist: withIds(checklist) }, assignees: assignedTo ?? [by.id], by };
}

/** Applies a patch. With a `version`, an older one is a CONFLICT that carries the task as it is now. */
export async function updateTask(
  db: Db,
  {
    task: { id, projectId },
    version,
    patch,
    by,
  }: { task: Task; version?: number | undefined; patch: UpdateTask["patch"]; by: Actor },
): Promise<Task> {
  const { assignedTo, labelIds } = patch;
  return db.transaction(async (tx) => {
    const held = await holdLabels(tx, labelIds ?? []);
    const project = await lockEditedProject(tx, { projectId, by });
    const present = await reload(tx, id);
    if (version !== undefined && version !== present.version) {
      throw new DomainError("CONFLICT", MESSAGES.tasks.stale, { reason: "stale-version", current: present });
    }
    const added = (assignedTo ?? []).filter((person) => !present.assignedTo.includes(person));
    await requireAssignable(tx, { project, added, field: "patch.assignedTo" });
    requireKnown(labelIds ?? [], { held, field: "patch.labelIds" });
    await tx
      .update(tasks)
      .set(columnsOf(tasks, editedColumns(patch, present)))
      .where(eq(tasks.id, id));
    if (assignedTo) {
      await tx.delete(taskAssignees).where(eq(taskAssignees.taskId, id));
      await insertAssignees(tx, id, assignedTo);
    }
    if (labelIds) {
      await tx.delete(taskLabels).where(eq(taskLabels.taskId, id));
      await insertTaskLabels(tx, id, labelIds);
    }
    const updated = await reload(tx, id);
    const removed = present.labelIds.filter((labelId) => !updated.labelIds.includes(labelId));
    const changes = taskChanges(present, updated, [...held, ...(await findLabels(tx, removed))]);
    if (changes.length > 0) {
      await recordEvent(tx, { projectId, by, kind: kindOf(present, updated), task: updated, changes });
    }
    // A client sees the labels of their own tasks.
    if (changes.some(({ field }) => field === "labels")) await notifyLabels(tx);
    if (updated.status !== present.status) await noteStatus(tx, updated);
    const kind = updated.completed && !present.completed ? "task-completed" : "task-changed";
    const totals = assignedTo ? taskTotals : moreCompleted(Number(updated.completed) - Number(present.completed));
    await countChange(tx, { projectId, kind, taskId: id, totals });
    await settleTask(tx, stepOf(present, updated));
    await notifyAssigned(tx, { task: updated, recipients: added, by });
    return updated;
  });
}

/** Where messages became the task, their conversations are told of its status. */
async function noteStatus(tx: Tx, { id, completed }: Pick<Task, "id" | "completed">): Promise<void> {
  if ((await touchLinks(tx, { taskId: id })) && completed) await announceCompletion(tx, { taskId: id });
}

async function notifyAssigned(
  tx: Tx,
  { task: { id, projectId, version }, recipients, by }: { task: Task; recipients: string[]; by: Actor },
): Promise<void> {
  const cause = `assigned:${id}:${version}`;
  await insertNotifications(tx, { kind: "assigned", cause, actorId: by.id, recipients, projectId, taskId: id });
}

/** Ticks or unticks; unticking returns to the status before. Doing it twice leaves the task as it is and notifies nobody. */
export async function setTaskCompleted(
  db: Db,
  { task: { id, projectId }, completed, by }: { task: Task; completed: boolean; by: Actor },
): Promise<Task> {
  return db.transaction(async (tx) => {
    await lockEditedProject(tx, { projectId, by });
    const [changed] = await tx
      .update(tasks)
      .set(
        columnsOf(tasks, {
          ...(completed
            ? { status: "completed" as const, statusBefore: sql`${tasks.status}`, completedAt: sql`now()` }
            : { status: sql`${tasks.statusBefore}`, statusBefore: null, completedAt: null }),
          version: sql`${tasks.version} + 1`,
          updatedAt: sql`now()`,
        }),
      )
      .where(and(eq(tasks.id, id), sql`${isCompleted} <> ${completed}`))
      .returning({ id: tasks.id, number: tasks.number, title: tasks.title });
    if (!changed) return reload(tx, id);
    const [kind, change] = completed
      ? (["task.completed", "task-completed"] as const)
      : (["task.reopened", "task-changed"] as const);
    const [task] = await Promise.all([
      reload(tx, id),
      recordEvent(tx, { projectId, by, kind, task: changed }),
      countChange(tx, { projectId, kind: change, taskId: id, totals: moreCompleted(completed ? 1 : -1) }),
      noteStatus(tx, { id, completed }),
      settleTask(tx, { taskId: id, isDone: completed }),
    ]);
    return task;
  });
}

/**
 * Puts a task right after another one of its project, or before all others. Its version stays: an open edit of it is not
 * stale. The other one not there, or of another project: NOT_FOUND.
 */
export async function moveTask(
  db: Db,
  { task: { id, projectId }, afterTaskId, by }: { task: Task; afterTaskId: string | null; by: Actor },
): Promise<Task> {
  return db.transaction(async (tx) => {
    const project = await lockEditedProject(tx, { projectId, by });
    const present = await reload(tx, id);
    if (afterTaskId === id) return present;
    const neighbours = await findNeighbours(tx, { projectId, taskId: id, afterTaskId });
    if (!neighbours) throw new DomainError("NOT_FOUND", MESSAGES.tasks.notFound);
    const { before, after } = neighbours;
    if ((before === null || before < present.rank) && (after === null || present.rank < after)) return present;
    const rank = rankBetween(before, after, { lastNumber: project.lastTaskNumber });
    await tx.update(tasks).set({ rank }).where(eq(tasks.id, id));
    const isLong = rank.length > MAX_RANK_LENGTH;
    if (isLong) await shortenRanks(tx, { projectId });
    // New ranks for all: one task alone would be out of order.
    await countChange(tx, { projectId, kind: isLong ? "resync" : "task-moved", taskId: id });
    return reload(tx, id);
  });
}

/** Characters; a key grows by one with some moves into the same gap, and an index takes 2,700. */
const MAX_RANK_LENGTH = 40;

/** Gives all tasks of a project, in their order, the ranks of the first numbers. */
async function shortenRanks(tx: Tx, { projectId }: { projectId: string }): Promise<void> {
  const ofProject = eq(tasks.projectId, projectId);
  const ranked = tx
    .select({ id: tasks.id, place: sql<number>`row_number() over (order by ${tasks.rank})::int`.as("place") })
    .from(tasks)
    .where(ofProject)
    .as("placed");
  // Out of the way first: ranks are unique at every moment.
  await tx
    .update(tasks)
    .set({ rank: sql`'~' || ${tasks.rank}` })
    .where(ofProject);
  await tx
    .update(tasks)
    .set({ rank: appendedRankOf(sql`${ranked.place}`) })
    .from(ranked)
    .where(eq(tasks.id, ranked.id));
}

/** Gone already: NOT_FOUND. */
export async function deleteTask(
  db: Db,
  { task: { id, projectId }, by }: { task: Task; by: Actor },
): Promise<{ id: string }> {
  return db.transaction(async (tx) => {
    await lockEditedProject(tx, { projectId, by });
    await touchLinks(tx, { taskId: id });
    await releaseNotificationsOf(tx, { taskId: id });
    const [gone] = await tx
      .delete(tasks)
      .where(eq(tasks.id, id))
      .returning({ id: tasks.id, number: tasks.number, title: tasks.title });
    if (!gone) throw new DomainError("NOT_FOUND", MESSAGES.tasks.notFound);
    await Promise.all([
      recordEvent(tx, { projectId, by, kind: "task.deleted", task: gone }),
      countChange(tx, { projectId, kind: "task-removed", taskId: id, totals: taskTotals }),
    ]);
    return { id: gone.id };
  });
}

/**
 * Every change of a task first takes its project's row, which orders the changes of one project. Only then is it sure who is
 * on the project: whoever was removed a moment ago gets NOT_FOUND, as for a task that does not exist.
 */
async function lockEditedProject(tx: Tx, { projectId, by }: { projectId: string; by: Actor }): Promise<LockedProject> {
  const project = await lockProject(tx, { id: projectId, actor: by });
  if (!project) throw new DomainError("NOT_FOUND", MESSAGES.tasks.notFound);
  return project;
}

function kindOf(before: Task, after: Task) {
  if (before.completed === after.completed) return "task.updated";
  return after.completed ? "task.completed" : "task.reopened";
}

/** What may have made notifications of the task untrue. */
function stepOf(before: Task, after: Task) {
  return {
    taskId: after.id,
    isDone: after.completed && !before.completed,
    dueDate: after.dueDate === before.dueDate ? undefined : after.dueDate,
    removed: before.assignedTo.filter((person) => !after.assignedTo.includes(person)),
  };
}

async function reload(tx: Tx, id: string): Promise<Task> {
  const task = await findTask(tx, { id });
  if (!task) throw new DomainError("NOT_FOUND", MESSAGES.tasks.notFound);
  return task;
}

/** The columns that people write. Each by name, so that a renamed column cannot be dropped in silence. */
function editedColumns(
  { title, description, dueDate, priority, checklist, status }: UpdateTask["patch"],
  present: Task,
) {
  return columnsOf(tasks, {
    title,
    description,
    dueDate,
    priority,
    checklist: checklist && withIds(checklist),
    ...(status && status !== present.status && statusColumns(status, present.status)),
    version: sql`${tasks.version} + 1`,
    updatedAt: sql`now()`,
  });
}

/** Status, since when it is completed, and what unticking returns to: the last two are set exactly while it is. */
function statusColumns(status: TaskStatus, before: TaskStatus) {
  if (status !== "completed") return { status, statusBefore: null, completedAt: null };
  return { status, statusBefore: before === "completed" ? ("todo" as const) : before, completedAt: sql`now()` };
}

interface Change {
  projectId: string;
  kind: (typeof TASK_CHANGE_KINDS)[number] | "resync";
  taskId: string;
  /** What the change makes of the project's totals. */
  totals?: Partial<Record<keyof typeof taskTotals, SQL>>;
}

/** Counts a change for watchers and notifies them at commit. */
async function countChange(tx: Tx, { projectId, totals, ...step }: Change): Promise<void> {
  const counted = tx.$with("counted", { changeSeq: projects.changeSeq }).as(
    tx
      .update(projects)
      .set(columnsOf(projects, { ...totals, changeSeq: sql`${projects.changeSeq} + 1` }))
      .where(eq(projects.id, projectId))
      .returning({ changeSeq: projects.changeSeq })
      .getSQL(),
  );
  const payload = sql`${projectPayload({ projectId, step })}`;
  await tx
    .with(counted)
    .select({ notified: numberedNotification(tx, { payload, seq: counted.changeSeq }) })
    .from(counted);
}

/** So many more completed tasks than before, or fewer, for a project's row. */
function moreCompleted(count: number): { completedTaskCount: SQL } {
  return { completedTaskCount: sql`${projects.completedTaskCount} + ${count}` };
}
