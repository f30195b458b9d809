import { asc, eq, inArray, or, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { earliest, instantAfter, latest } from "../../db/expressions";
import { projects, repositories } from "../../db/schema";
import { parseRepo } from "../contract/repo-name";
import type { Project } from "../contract/views";
import type { Logger } from "../core/logger";
import { notifyReading, notifyRepository } from "../realtime/notify";
import { type Involvement, involvedIds } from "./policy";

/** Seconds between two readings of a repository, however often it is asked for. */
export const SECONDS_BETWEEN_READINGS = 60;

/**
 * The id of the repository that a link names, to be stored beside the link; it will be read soon. Null for a link that names
 * none, and without a link.
 */
export async function linkRepository(tx: Db | Tx, link: string | null | undefined): Promise<string | null> {
  const named = link ? parseRepo(link) : null;
  if (!named) return null;
  const { owner, name } = named;
  const [linked] = await tx
    .insert(repositories)
    .values({
      owner: owner.toLowerCase(),
      name: name.toLowerCase(),
      fullName: `${owner}/${name}`,
      wantedAt: sql`now()`,
    })
    .onConflictDoUpdate({
      target: [repositories.owner, repositories.name],
      set: { linkedAt: sql`now()`, wantedAt: sql`now()`, dueAt: wantedDueAt(SECONDS_BETWEEN_READINGS) },
    })
    .returning({ id: repositories.id });
  await notifyReading(tx);
  return linked?.id ?? null;
}

/**
 * Locks the repositories with these ids, and those that these links name as far as they are stored, by id as sync requests lock
 * theirs: two calls that change several then wait for each other and never both. To be called before the first one is changed.
 */
export async function lockRepositories(
  tx: Tx,
  { ids = [], links }: { ids?: readonly string[]; links: readonly (string | null)[] },
): Promise<void> {
  const { id, owner, name } = repositories;
  const names = links
    .flatMap((link) => (link ? (parseRepo(link) ?? []) : []))
    .map((named) => `${named.owner}/${named.name}`.toLowerCase());
  const isNamed = inArray(sql`${owner} || '/' || ${name}`, names);
  await tx
    .select({ id })
    .from(repositories)
    .where(or(inArray(id, [...ids]), isNamed))
    .orderBy(asc(id))
    .for("no key update");
}

/**
 * Logs a link that names no repository, once, when it is saved: its project is skipped at every sync. Call it after the commit,
 * as a transaction may be repeated.
 */
export function warnOfSkippedLink(logger: Logger, { id, githubRepo }: Pick<Project, "id" | "githubRepo">): void {
  if (githubRepo && !parseRepo(githubRepo)) logger.warn("invalid repository link, skipped", { projectId: id });
}

/** When a repository that is asked for now is read: at once, if it was not read within these seconds and GitHub allows it. */
export function wantedDueAt(secondsBetween: number) {
  const allowed = latest(
    sql`now()`,
    instantAfter(repositories.lastAttemptAt, secondsBetween),
    repositories.blockedUntil,
  );
  return earliest(repositories.dueAt, allowed);
}

/** Notifies the watchers of the repositories before and after an edit, and everyone on the project, when the two differ. */
export async function announceLinks(
  tx: Db | Tx,
  { before, after, people }: { before: string | null; after: string | null; people: Involvement },
): Promise<void> {
  if (before === after) return;
  if (before) await leaveRepository(tx, before);
  if (after) await notifyRepository(tx, { repositoryId: after, newcomers: involvedIds(people) });
}

/** A project no longer links to it: its watchers are notified, and the day that it is kept without a link begins now. */
export async function leaveRepository(tx: Db | Tx, repositoryId: string): Promise<void> {
  await tx.update(repositories).set({ linkedAt: sql`now()` }).where(eq(repositories.id, repositoryId));
  await notifyRepository(tx, { repositoryId });
}

/** The repository that a project links to now, by the column. */
export async function findRepositoryId(tx: Db | Tx, projectId: string): Promise<string | null> {
  const [row] = await tx
    .select({ repositoryId: projects.repositoryId })
    .from(projects)
    .where(eq(projects.id, projectId));
  return row?.repositoryId ?? null;
}
