import { MESSAGES } from "../contract/messages";
import { TASK_CHANGE_KINDS } from "../contract/projects";
import type { ProjectChange, ProjectChangeKind, Task } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import type { Subscription, WakeUp } from "../realtime/hub";
import type { Notification, ProjectStep, Subject } from "../realtime/notify";
import { batchedRead, type Source, type StreamCall, sharedRead } from "../realtime/stream";
import { isVisibleTo, mayEdit } from "./policy";
import { findProjectRows, listProjectSeqs, type ProjectRow, showProject } from "./queries";
import { findTaskRow } from "./task-columns";

interface Watch {
  ctx: Pick<StreamCall, "db" | "actor">;
  /** Only this project's changes; NOT_FOUND when the actor cannot see it. */
  projectId?: string | undefined;
}

/**
 * Changes of the projects that the actor may see, from the moment its stream is open: the caller then reads the lists once, and
 * nothing in between is lost. Each wake-up reads the changed rows and compares their `change_seq` with what this watcher last
 * sent. One step further is the change that the notification names; anything else (a lost notification, several changes at
 * once) is a `resync`. A doubled notification is ignored.
 */
export function projectSource({ ctx, projectId }: Watch): Source<Reading[], ProjectChange> {
  return async (subscription) => {
    subscription.join(`joined:${ctx.actor.id}`);
    if (projectId) subscription.join(`project:${projectId}`);
    else if (ctx.actor.accountType === "admin") subscription.join("projects");
    const known = await readSeqs({ ctx, projectId });
    if (projectId && known.size === 0) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
    for (const id of known.keys()) subscription.join(`project:${id}`);
    return {
      read: (wakeUp) => readChanged({ ctx, projectId, wakeUp, known }),
      emit: (readings, actor) => readings.flatMap((reading) => changesOf({ ...reading, actor, known, subscription })),
      replay(missed) {
        const id = projectIdOf(missed.subject);
        if (id !== null && projectId && id !== projectId) return true;
        // Gone from sight by now: whether the client has shown it, only the client knows.
        if (id === null || !known.has(id)) return !subscription.follows(missed) && !mayHide(missed);
        known.set(id, NOTHING_SEEN);
        subscription.notify(missed.subject, missed.step);
        return true;
      },
    };
  };
}

/** What a watcher last sent of a project. */
interface Seen {
  changeSeq: number;
  version: number;
}

/** Older than any change, which then is one of the project and a `resync`. */
const NOTHING_SEEN: Seen = { changeSeq: Number.NEGATIVE_INFINITY, version: Number.NEGATIVE_INFINITY };

type Known = Map<string, Seen>;

/** A project as it is now, or null when it is gone; what a notification says has happened to it, and that task as it is now. */
interface Reading {
  id: string;
  row: ProjectRow | null;
  step: ProjectStep | undefined;
  task: Task | null;
}

async function readChanged({
  ctx,
  projectId,
  wakeUp,
  known,
}: Watch & { wakeUp: WakeUp; known: Known }): Promise<Reading[]> {
  const notified = [...wakeUp.subjects].flatMap((subject) => projectIdOf(subject) ?? []);
  const ids = new Set([...notified, ...(wakeUp.resync ? await readDiffering({ ctx, projectId, known }) : [])]);
  if (projectId) for (const id of ids) if (id !== projectId) ids.delete(id);
  return Promise.all(
    [...ids].map(async (id) => {
      const step = wakeUp.steps.get(`project:${id}`);
      const taskId = step?.kind === "task-removed" ? undefined : step?.taskId;
      const [row, task] = await Promise.all([
        readRow(ctx.db, id),
        taskId === undefined ? null : readTask(ctx.db, { projectId: id, taskId }),
      ]);
      return { id, row, step, task };
    }),
  );
}

function projectIdOf(subject: Subject): string | null {
  return subject.startsWith("project:") ? subject.slice("project:".length) : null;
}

/** Whether somebody may no longer see the project since that change. */
function mayHide({ subject, step }: Notification): boolean {
  return projectIdOf(subject) !== null && step?.kind !== "project-changed" && !(step && TASK_KINDS.has(step.kind));
}

async function readDiffering({ ctx, projectId, known }: Watch & { known: Known }) {
  const present = await readSeqs({ ctx, projectId });
  const ids = new Set([...known.keys(), ...present.keys()]);
  return [...ids].filter((id) => present.get(id)?.changeSeq !== known.get(id)?.changeSeq);
}

async function readSeqs({ ctx, projectId }: Watch): Promise<Known> {
  const rows = await listProjectSeqs(ctx.db, { actor: ctx.actor, projectId });
  return new Map(rows.map(({ id, changeSeq, version }) => [id, { changeSeq, version }]));
}

function changesOf({
  id,
  row,
  step,
  task,
  actor,
  known,
  subscription,
}: Reading & { actor: Actor; known: Known; subscription: Subscription }): ProjectChange[] {
  const before = known.get(id);
  if (!row || !isVisibleTo(actor, row)) {
    if (!before) return [];
    known.delete(id);
    subscription.leave(`project:${id}`);
    const removed = { change: "removed", kind: "removed" } as const;
    return [{ projectId: id, ...removed, taskId: null, project: null, task: null }];
  }
  if (before && row.changeSeq <= before.changeSeq) return [];
  known.set(id, { changeSeq: row.changeSeq, version: row.version });
  subscription.join(`project:${id}`);
  return [changeOf({ row, before, step, task, actor })];
}

function changeOf({
  row,
  before,
  step,
  task,
  actor,
}: Omit<Reading, "id" | "row"> & { row: ProjectRow; before: Seen | undefined; actor: Actor }): ProjectChange {
  const { kind, taskId = null } = isOneStep({ row, before, step, task }) && step ? step : RESYNC_STEP;
  // Of a project that is new to this watcher there are no tasks that it could have missed.
  const edits = before ? row.version - before.version : 1;
  const ofTasks = before !== undefined && row.changeSeq - before.changeSeq > edits;
  const change: ProjectChange["change"] = ofTasks ? "tasks" : "project";
  const show = (): ProjectChange =>
    Object.freeze({
      projectId: row.id,
      change,
      kind,
      taskId,
      project: showProject(row, actor),
      task: taskId === null ? null : task,
    });
  return sharedChange(row, { key: [change, kind, taskId, mayEdit(actor)].join(" "), show });
}

const RESYNC_STEP: ProjectStep = { kind: "resync" };
const TASK_KINDS: ReadonlySet<ProjectChangeKind> = new Set(TASK_CHANGE_KINDS);

/** Whether the step that a notification names is all that has happened since. A task that is gone already has had a later one. */
function isOneStep({
  row,
  before,
  step,
  task,
}: Omit<Reading, "id" | "row"> & { row: ProjectRow; before: Seen | undefined }) {
  if (!step) return false;
  if (!before) return !TASK_KINDS.has(step.kind);
  return (
    row.changeSeq === before.changeSeq + 1 &&
    (task !== null || !TASK_KINDS.has(step.kind) || step.kind === "task-removed")
  );
}

const sharedChanges = new WeakMap<ProjectRow, Map<string, ProjectChange>>();

/** One value for all watchers who see the same of a row, so that it is encoded once. */
function sharedChange(row: ProjectRow, { key, show }: { key: string; show: () => ProjectChange }): ProjectChange {
  const ofRow = sharedChanges.get(row) ?? new Map<string, ProjectChange>();
  sharedChanges.set(row, ofRow);
  const change = ofRow.get(key) ?? show();
  ofRow.set(key, change);
  return change;
}

const readRow = batchedRead<string, ProjectRow | null>(async (db, ids) => {
  const rows = await findProjectRows(db, [...new Set(ids)]);
  return ids.map((id) => rows.find((row) => row.id === id) ?? null);
});

const readTask = sharedRead(findTaskRow, ({ taskId }) => taskId);
