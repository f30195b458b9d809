import { MESSAGES } from "../contract/messages";
import { TASK_CHANGE_KINDS } from "../contract/projects";
import type { ProjectChange, ProjectChangeKind, ProjectChangeStep, Task } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { commonRead, Overlay } from "../realtime/common-reads";
import type { Subscription, WakeUp } from "../realtime/hub";
import type { Notification, ProjectStep, Subject } from "../realtime/notify";
import { batchedRead, type Source, type StreamCall, sharedRead, whenMoved } from "../realtime/stream";
import { isVisibleTo, mayEdit } from "./policy";
import {
  findProjectRows,
  findTaskRows,
  fingerprintProjectSeqs,
  listProjectSeqs,
  type ProjectRow,
  showProject,
} from "./queries";

interface Watch {
  ctx: Pick<StreamCall, "db" | "actor" | "feed">;
  /** Only this project's changes; NOT_FOUND when the actor cannot see it. */
  projectId?: string | undefined;
}

/**
 * Changes of the projects that the actor may see, from the moment its stream is open: the caller then reads the lists once, and
 * nothing in between is lost. Each wake-up reads the project and the tasks that its steps name, and sends one change. Steps
 * that follow what this watcher was last sent, by `change_seq`, are named with their tasks; a gap is a `resync`, and what comes
 * twice is ignored.
 */
export function projectSource({ ctx, projectId }: Watch): Source<Reading[], ProjectChange> {
  return async (subscription) => {
    subscription.join(`joined:${ctx.actor.id}`);
    if (projectId) subscription.join(`project:${projectId}`);
    else if (ctx.actor.accountType === "admin") subscription.join("projects");
    const first = await readSeqs(ctx.db, { actor: ctx.actor, projectId });
    if (projectId && first.size === 0) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
    for (const id of first.keys()) subscription.join(`project:${id}`);
    const known: Known = new Overlay(first);
    const findDiffering = whenMoved(
      () => readFingerprint(ctx.db, { actor: ctx.actor, projectId }),
      () => readDiffering({ ctx, projectId, known }),
    );
    return {
      read: (wakeUp) => readChanged({ ctx, projectId, known, wakeUp, findDiffering }),
      emit: (readings, actor) => readings.flatMap((reading) => changesOf({ reading, actor, known, subscription })),
      replay(missed) {
        if (missed.step?.teamOnly && !mayEdit(ctx.actor)) return true;
        const id = projectIdOf(missed.subject);
        if (id !== null && projectId && id !== projectId) return true;
        // Gone from sight by now: whether the client has shown it, only the client knows.
        const seen = id === null ? undefined : known.get(id);
        if (id === null || !seen) return !subscription.follows(missed) && !mayHide(missed);
        known.set(id, seenBefore(missed.step, seen));
        subscription.notify(missed.subject, missed.step);
        return true;
      },
    };
  };
}

/** What a watcher was last sent of a project: everything up to this step. */
interface Seen {
  changeSeq: number;
  version: number;
  /** Of commits that only the team sees; null for clients. */
  hiddenSeq: number | null;
}

/** As if nothing had been sent from that step on. */
function seenBefore(step: ProjectStep | undefined, seen: Seen): Seen {
  if (typeof step?.seq !== "number") return NOTHING_SEEN;
  if (step.teamOnly) return { ...seen, hiddenSeq: NOTHING_SEEN.hiddenSeq };
  return { ...seen, changeSeq: Math.min(seen.changeSeq, step.seq - 1) };
}

/** Older than any change, which then is one of the project and a `resync`. */
const NOTHING_SEEN: Seen = {
  changeSeq: Number.NEGATIVE_INFINITY,
  version: Number.NEGATIVE_INFINITY,
  hiddenSeq: Number.NEGATIVE_INFINITY,
};

type Known = Overlay<string, Seen>;

/** A project and tasks of it as they are now. */
interface Reading {
  id: string;
  /** Null when it is gone. It may be further than the steps: what else has happened comes with the next ones. */
  row: ProjectRow | null;
  /** What the notifications say has happened. Some of it may have been sent before. */
  steps: readonly ProjectStep[];
  /** Those that the steps name. */
  tasks: readonly Task[];
}

async function readChanged({
  ctx,
  projectId,
  known,
  wakeUp,
  findDiffering,
}: Watch & { known: Known; wakeUp: WakeUp; findDiffering: () => Promise<string[]> }): Promise<Reading[]> {
  const notified = [...wakeUp.subjects].flatMap((subject) => projectIdOf(subject) ?? []);
  const differing = new Set(wakeUp.resync ? await findDiffering() : []);
  const ids = new Set([...notified, ...differing]);
  if (projectId) for (const id of ids) if (id !== projectId) ids.delete(id);
  const readOne = async (id: string) => {
    // Found before it was notified, such as between a commit and its notification: most often that comes now.
    if (!differing.has(id)) return readProject(ctx.db, { id, steps: wakeUp.steps.get(`project:${id}`) ?? [] });
    const recent = await ctx.feed.recentSteps(`project:${id}`);
    const sentSeq = known.get(id)?.changeSeq ?? Number.NEGATIVE_INFINITY;
    // Steps that were sent before explain nothing: the notification of this one may be lost.
    return readProject(ctx.db, { id, steps: recent.filter(({ seq }) => typeof seq !== "number" || seq > sentSeq) });
  };
  return Promise.all([...ids].map(readOne));
}

function projectIdOf(subject: Subject): string | null {
  return subject.startsWith("project:") ? subject.slice("project:".length) : null;
}

/** Whether somebody may no longer see the project since that change. */
function mayHide({ subject, step }: Notification): boolean {
  return projectIdOf(subject) !== null && step?.kind !== "project-changed" && !(step && TASK_KINDS.has(step.kind));
}

async function readDiffering({ ctx, projectId, known }: Watch & { known: Known }) {
  const present = await readSeqs(ctx.db, { actor: ctx.actor, projectId });
  const ids = new Set([...known.keys(), ...present.keys()]);
  return [...ids].filter((id) => {
    const [now, sent] = [present.get(id), known.get(id)];
    return now?.changeSeq !== sent?.changeSeq || now?.hiddenSeq !== sent?.hiddenSeq;
  });
}

interface Sight {
  actor: Actor;
  projectId?: string | undefined;
}
/** The same for all tabs of a person, and for all admins, who see every project. */
const sightOf = ({ actor: { id, accountType }, projectId }: Sight) =>
  `${accountType === "admin" ? "" : id} ${accountType} ${projectId}`;
const readSeqs = commonRead(listProjectSeqs, {
  keyOf: sightOf,
  answerOf: (rows) => new Map(rows.map(({ id, ...seen }) => [id, seen])),
});
const readFingerprint = sharedRead(fingerprintProjectSeqs, sightOf);

/** The actor's changes that follow from a reading. */
function changesOf({
  reading,
  actor,
  known,
  subscription,
}: {
  reading: Reading;
  actor: Actor;
  known: Known;
  subscription: Subscription;
}): ProjectChange[] {
  const { id, row } = reading;
  const steps = reading.steps.filter(({ teamOnly }) => !teamOnly);
  const isOfTeam = steps.length === 0 && reading.steps.length > 0;
  // Whatever else has happened comes to them when it is notified, as if there were no such step.
  if (isOfTeam && !mayEdit(actor)) return [];
  const before = known.get(id);
  if (!row || !isVisibleTo(actor, row)) {
    if (!before) return [];
    known.delete(id);
    subscription.leave(`project:${id}`);
    const removed = { change: "removed", kind: "removed" } as const;
    return [{ projectId: id, ...removed, taskId: null, project: null, task: null }];
  }
  const { changeSeq, version } = row;
  const hiddenSeq = mayEdit(actor) ? row.hiddenSeq : null;
  if (!before) {
    known.set(id, { changeSeq, version, hiddenSeq });
    subscription.join(`project:${id}`);
    const last = steps.at(-1);
    // Seen for the first time, with all its tasks: as when one joins it.
    const kind = last?.kind === "project-changed" ? "people-changed" : last && !isOfTask(last) ? last.kind : "resync";
    return [sharedChange(row, { actor, key: kind, show: () => ({ change: "project", ...RESYNC, kind }) })];
  }
  if (mayEdit(actor) && hiddenSeq !== before.hiddenSeq) {
    known.set(id, { changeSeq, version, hiddenSeq });
    return [sharedChange(row, { actor, key: "tasks", show: () => ({ change: "tasks", ...RESYNC }) })];
  }
  const following = followingSteps(steps, before);
  if (changeSeq <= before.changeSeq || following?.length === 0) return [];
  known.set(id, { changeSeq: following?.at(-1)?.seq ?? changeSeq, version, hiddenSeq });
  if (!following || following.some(({ kind }) => kind === "resync")) {
    const change = changeSeq - before.changeSeq > version - before.version ? "tasks" : "project";
    return [sharedChange(row, { actor, key: change, show: () => ({ change, ...RESYNC }) })];
  }
  const key = following.map(({ seq }) => seq).join();
  return [sharedChange(row, { actor, key, show: () => outcomeOf(following, reading) })];
}

/** The steps after the last one sent, each once, in order; null when some are missing or unknown. */
function followingSteps(steps: readonly ProjectStep[], { changeSeq }: Seen): ProjectStep[] | null {
  const following: ProjectStep[] = [];
  for (const step of steps.toSorted((one, other) => (one.seq ?? 0) - (other.seq ?? 0))) {
    const last = following.at(-1)?.seq ?? changeSeq;
    if (typeof step.seq !== "number" || step.seq > last + 1) return null;
    if (step.seq === last + 1) following.push(step);
  }
  return steps.length > 0 ? following : null;
}

/** What has become of each task that the steps name, and of the project itself: each once, the latest last. */
function outcomeOf(steps: readonly ProjectStep[], { tasks }: Reading): Outcome {
  const kinds = new Map<string | null, ProjectChangeKind[]>();
  for (const { taskId = null, kind } of steps) {
    const earlier = kinds.get(taskId) ?? [];
    kinds.delete(taskId);
    kinds.set(taskId, [...earlier, kind]);
  }
  const outcomes = [...kinds].map(([taskId, ofTask]): ProjectChangeStep => {
    const task = tasks.find(({ id }) => id === taskId) ?? null;
    return { kind: taskId === null ? kindOfProject(ofTask) : kindOfTask(ofTask, task), taskId, task };
  });
  const [only, ...others] = outcomes;
  const change = steps.some(isOfTask) ? "tasks" : "project";
  return only && others.length === 0 ? { change, ...only } : { change, ...RESYNC, steps: outcomes };
}

type Outcome = Omit<ProjectChange, "projectId" | "project">;

function kindOfProject(kinds: readonly ProjectChangeKind[]): ProjectChangeKind {
  return kinds.includes("people-changed") ? "people-changed" : "project-changed";
}

/** What several steps come to, seen from the task as it is now: null when it is gone by now. */
function kindOfTask(kinds: readonly ProjectChangeKind[], task: Task | null): ProjectChangeKind {
  if (!task) return "task-removed";
  if (kinds.includes("task-created")) return "task-created";
  if (kinds.includes("task-completed") && task.completed) return "task-completed";
  return kinds.every((kind) => kind === "task-moved") ? "task-moved" : "task-changed";
}

const RESYNC: ProjectChangeStep = { kind: "resync", taskId: null, task: null };
const TASK_KINDS: ReadonlySet<ProjectChangeKind> = new Set(TASK_CHANGE_KINDS);

function isOfTask({ kind }: ProjectStep): boolean {
  return TASK_KINDS.has(kind);
}

const sharedChanges = new WeakMap<ProjectRow, Map<string, ProjectChange>>();

/** One value for all watchers who see the same of a row, so that it is encoded once. */
function sharedChange(
  row: ProjectRow,
  { actor, key, show }: { actor: Actor; key: string; show: () => Outcome },
): ProjectChange {
  const ofRow = sharedChanges.get(row) ?? new Map<string, ProjectChange>();
  sharedChanges.set(row, ofRow);
  const sight = `${key} ${mayEdit(actor)}`;
  const change = ofRow.get(sight) ?? Object.freeze({ projectId: row.id, ...show(), project: showProject(row, actor) });
  ofRow.set(sight, change);
  return change;
}

const readRow = batchedRead<string, ProjectRow | null>(async (db, ids) => {
  const rows = await findProjectRows(db, [...new Set(ids)]);
  return ids.map((id) => rows.find((row) => row.id === id) ?? null);
});

/** The same for all who are woken up by the same steps. */
const readProject = sharedRead(
  async (db, { id, steps }: Pick<Reading, "id" | "steps">): Promise<Reading> => {
    const taskIds = [...new Set(steps.flatMap(({ taskId }) => taskId ?? []))];
    const [row, tasks] = await Promise.all([readRow(db, id), findTaskRows(db, { projectId: id, taskIds })]);
    return { id, row, steps, tasks };
  },
  ({ id, steps }) =>
    [id, ...steps.map(({ seq, kind, taskId, teamOnly }) => (teamOnly ? "team" : (seq ?? `${kind} ${taskId}`)))].join(),
);
