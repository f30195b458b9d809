import DataLoader from "dataloader";
import type { Db } from "../../db/client";
import { MESSAGES } from "../contract/messages";
import type { ProjectChange } from "../contract/views";
import type { Actor, Context } from "../core/context";
import { DomainError, toTrpcError } from "../core/errors";
import type { Mailbox } from "../realtime/hub";
import { isVisibleTo } from "./policy";
import { findProjectRows, listProjectSeqs, type ProjectRow, showProject } from "./queries";

interface Watch {
  ctx: Pick<Context, "db" | "feed" | "isLive"> & { actor: Actor; sessionId: string };
  /** Only this project's changes; NOT_FOUND when the actor cannot see it. */
  projectId?: string | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Changes of the projects that the actor may see, from the moment this resolves: the caller then reads the lists once, and
 * nothing in between is lost. Each wake reads the changed rows, checks session and status after reading, and compares with
 * what this watcher last told, so that a lost or doubled knock changes nothing.
 * The stream ends only by an error that is not retried (UNAUTHORIZED) or by the connection.
 */
export async function watchProjects({ ctx, projectId, signal }: Watch): Promise<AsyncIterable<ProjectChange>> {
  const mailbox = ctx.feed.open();
  signal?.addEventListener("abort", () => mailbox.close());
  mailbox.join(`user:${ctx.actor.id}`);
  if (projectId) mailbox.join(`project:${projectId}`);
  else if (ctx.actor.accountType === "admin") mailbox.join("projects");
  try {
    const known = await readKnown({ ctx, projectId, actor: ctx.actor });
    if (projectId && known.size === 0) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
    for (const id of known.keys()) mailbox.join(`project:${id}`);
    return closing(changes({ ctx, projectId, signal, mailbox, known }), mailbox);
  } catch (error) {
    mailbox.close();
    throw error;
  }
}

interface Seen {
  changeSeq: number;
  version: number;
}

async function* changes({
  ctx,
  projectId,
  signal,
  mailbox,
  known,
}: Watch & { mailbox: Mailbox; known: Map<string, Seen> }): AsyncGenerator<ProjectChange> {
  try {
    for (let wake = await mailbox.next(signal); wake; wake = await mailbox.next(signal)) {
      const present = wake.resync ? await readKnown({ ctx, projectId, actor: ctx.actor }) : null;
      const stale = present
        ? [...new Set([...known.keys(), ...present.keys()])].filter(
            (id) => present.get(id)?.changeSeq !== known.get(id)?.changeSeq,
          )
        : [];
      const ids = [...new Set([...wake.projectIds, ...stale])].filter((id) => !projectId || id === projectId);
      const rows = await Promise.all(ids.map((id) => readerOf(ctx.db).load(id)));
      const actor = await ctx.isLive(ctx.sessionId);
      if (!actor) throw new DomainError("UNAUTHORIZED", MESSAGES.auth.signedOut);
      for (const [index, id] of ids.entries())
        yield* changesOf({ id, row: rows[index] ?? null, actor, known, mailbox });
    }
  } catch (error) {
    // Errors of a generator pass by the middlewares: map here what may be told.
    throw toTrpcError(error);
  } finally {
    mailbox.close();
  }
}

/** A generator that is returned before its first step never runs its `finally`: here the mailbox closes in any case. */
function closing(source: AsyncGenerator<ProjectChange>, mailbox: Mailbox): AsyncIterable<ProjectChange> {
  const iterator: AsyncIterator<ProjectChange> = {
    next: () => source.next(),
    return: () => {
      mailbox.close();
      return source.return(undefined);
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

function* changesOf({
  id,
  row,
  actor,
  known,
  mailbox,
}: {
  id: string;
  row: ProjectRow | null;
  actor: Actor;
  known: Map<string, Seen>;
  mailbox: Mailbox;
}): Generator<ProjectChange> {
  const before = known.get(id);
  if (!row || !isVisibleTo(actor, row)) {
    if (!before) return;
    known.delete(id);
    mailbox.leave(`project:${id}`);
    yield { projectId: id, change: "removed", project: null };
    return;
  }
  if (before && row.changeSeq <= before.changeSeq) return;
  known.set(id, { changeSeq: row.changeSeq, version: row.version });
  mailbox.join(`project:${id}`);
  const project = showProject(row, actor);
  const edits = row.version - (before?.version ?? 0);
  if (edits > 0) yield { projectId: id, change: "project", project };
  if (before && row.changeSeq - before.changeSeq > edits) yield { projectId: id, change: "tasks", project };
}

async function readKnown({
  ctx,
  projectId,
  actor,
}: Pick<Watch, "ctx" | "projectId"> & { actor: Actor }): Promise<Map<string, Seen>> {
  const seqs = await listProjectSeqs(ctx.db, { actor, projectId });
  return new Map(seqs.map(({ id, changeSeq, version }) => [id, { changeSeq, version }]));
}

const readers = new WeakMap<Db, DataLoader<string, ProjectRow | null>>();

/** One query for all watchers that one knock wakes; keeps nothing, so that a row is never older than its knock. */
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
