import DataLoader from "dataloader";
import type { Db } from "../../db/client";
import { MESSAGES } from "../contract/messages";
import type { ProjectChange } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { plain, plainForMany } from "../core/plain";
import type { Subscription, WakeUp } from "../realtime/hub";
import { openStream, type StreamCall } from "../realtime/stream";
import { isVisibleTo, mayEdit } from "./policy";
import { findProjectRows, listProjectSeqs, type ProjectRow, showProject } from "./queries";

interface Watch {
  ctx: StreamCall;
  /** Only this project's changes; NOT_FOUND when the actor cannot see it. */
  projectId?: string | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Changes of the projects that the actor may see, from the moment this resolves: the caller then reads the lists once, and
 * nothing in between is lost. Each wake-up reads the changed rows and compares them with what this watcher last sent, so a lost
 * or doubled notification does no harm.
 */
export function watchProjects({ ctx, projectId, signal }: Watch): Promise<AsyncIterable<ProjectChange>> {
  return openStream({ ctx, signal }, async (subscription) => {
    subscription.join(`joined:${ctx.actor.id}`);
    if (projectId) subscription.join(`project:${projectId}`);
    else if (ctx.actor.accountType === "admin") subscription.join("projects");
    const known = await readSeqs({ ctx, projectId });
    if (projectId && known.size === 0) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
    for (const id of known.keys()) subscription.join(`project:${id}`);
    return {
      read: (wakeUp) => readChanged({ ctx, projectId, wakeUp, known }),
      emit: (rows, actor) => [...rows].flatMap(([id, row]) => changesOf({ id, row, actor, known, subscription })),
    };
  });
}

/** What a watcher last sent of a project. */
interface Seen {
  changeSeq: number;
  version: number;
}

type Known = Map<string, Seen>;

/** Project id to its row now, or null when it is gone. */
async function readChanged({
  ctx,
  projectId,
  wakeUp,
  known,
}: Pick<Watch, "ctx" | "projectId"> & { wakeUp: WakeUp; known: Known }): Promise<Map<string, ProjectRow | null>> {
  const announced = [...wakeUp.subjects].flatMap((subject) =>
    subject.startsWith("project:") ? [subject.slice(8)] : [],
  );
  const ids = new Set([...announced, ...(wakeUp.resync ? await readDiffering({ ctx, projectId, known }) : [])]);
  if (projectId) for (const id of ids) if (id !== projectId) ids.delete(id);
  const reader = readerOf(ctx.db);
  return new Map(await Promise.all([...ids].map(async (id) => [id, await reader.load(id)] as const)));
}

async function readDiffering({ ctx, projectId, known }: Pick<Watch, "ctx" | "projectId"> & { known: Known }) {
  const present = await readSeqs({ ctx, projectId });
  const ids = new Set([...known.keys(), ...present.keys()]);
  return [...ids].filter((id) => present.get(id)?.changeSeq !== known.get(id)?.changeSeq);
}

async function readSeqs({ ctx, projectId }: Pick<Watch, "ctx" | "projectId">): Promise<Known> {
  const rows = await listProjectSeqs(ctx.db, { actor: ctx.actor, projectId });
  return new Map(rows.map(({ id, changeSeq, version }) => [id, { changeSeq, version }]));
}

function changesOf({
  id,
  row,
  actor,
  known,
  subscription,
}: {
  id: string;
  row: ProjectRow | null;
  actor: Actor;
  known: Known;
  subscription: Subscription;
}): ProjectChange[] {
  const before = known.get(id);
  if (!row || !isVisibleTo(actor, row)) {
    if (!before) return [];
    known.delete(id);
    subscription.leave(`project:${id}`);
    return [plain({ projectId: id, change: "removed" as const, project: null })];
  }
  if (before && row.changeSeq <= before.changeSeq) return [];
  known.set(id, { changeSeq: row.changeSeq, version: row.version });
  subscription.join(`project:${id}`);
  const edits = row.version - (before?.version ?? 0);
  const ofTasks = before !== undefined && row.changeSeq - before.changeSeq > edits;
  return [
    ...(edits > 0 ? [changeOf(row, { change: "project", actor })] : []),
    ...(ofTasks ? [changeOf(row, { change: "tasks", actor })] : []),
  ];
}

const shownChanges = new WeakMap<ProjectRow, Map<string, ProjectChange>>();

/** One value for all watchers who see the same of a row, so that it is encoded once. */
function changeOf(row: ProjectRow, { change, actor }: { change: "project" | "tasks"; actor: Actor }): ProjectChange {
  const ofRow = shownChanges.get(row) ?? new Map<string, ProjectChange>();
  shownChanges.set(row, ofRow);
  const key = `${change} ${mayEdit(actor)}`;
  const known = ofRow.get(key) ?? plainForMany({ projectId: row.id, change, project: showProject(row, actor) });
  ofRow.set(key, known);
  return known;
}

const readers = new WeakMap<Db, DataLoader<string, ProjectRow | null>>();

/** One query for all watchers that one notification wakes up. Nothing is cached: no row is older than its notification. */
function readerOf(db: Db): DataLoader<string, ProjectRow | null> {
  const reader =
    readers.get(db) ??
    new DataLoader(
      async (ids: readonly string[]) => {
        const rows = await findProjectRows(db, [...new Set(ids)]);
        return ids.map((id) => rows.find((row) => row.id === id) ?? null);
      },
      { cache: false },
    );
  readers.set(db, reader);
  return reader;
}
