import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { and, eq, inArray, isNull, lt, notExists, or } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { files, userPhotos } from "../../db/schema";
import { recurringJob } from "../jobs/recurring";
import { lockFiles } from "./mutations";
import { type FileStore, hashOf, nameOf } from "./store";

const EVERY_SECONDS = 3_600;
/** What was uploaded has a day to be attached, and bytes a day to be referred to. */
const KEPT_MS = 24 * 3_600_000;
/** An upload of which nothing comes for a minute is given up; a picture waits for those before it. */
const UNFINISHED_KEPT_MS = 3_600_000;
/** Of what lies in the store: looked up at once. */
const BATCH = 200;

/** The job that removes what nobody refers to: once an hour, once for all processes. */
export function fileSweep(db: Db, { store }: { store: FileStore }) {
  return recurringJob(db, { name: "file-sweep", everySeconds: EVERY_SECONDS, work: () => sweepFiles(db, { store }) });
}

/** Removes files that were never attached, or hang on nothing any more, then bytes that no file has. */
export async function sweepFiles(db: Db, { store }: { store: FileStore }, now: Date = new Date()): Promise<void> {
  const before = new Date(now.valueOf() - KEPT_MS);
  const isPhoto = db.select({ id: userPhotos.fileId }).from(userPhotos).where(eq(userPhotos.fileId, files.id));
  await db
    .delete(files)
    .where(and(lt(files.createdAt, before), isNull(files.projectId), isNull(files.messageId), notExists(isPhoto)));
  let old: string[] = [];
  for await (const { name, putAt } of store.list()) {
    const hash = hashOf(name);
    if (hash !== null && putAt < before) old.push(hash);
    if (old.length < BATCH) continue;
    await deleteUnused(db, { store, hashes: old });
    old = [];
  }
  await deleteUnused(db, { store, hashes: old });
}

/** The job that removes what a process left of uploads when it was killed: each process when it starts, then one an hour. */
export function unfinishedUploadSweep(db: Db, { folder }: { folder: string }) {
  return recurringJob(db, {
    ...{ name: "upload-sweep", everySeconds: EVERY_SECONDS, atStart: true },
    work: () => sweepUnfinished(folder),
  });
}

/** Removes uploads that were never whole, of which nothing has come for an hour. */
export async function sweepUnfinished(folder: string, now: Date = new Date()): Promise<void> {
  const before = new Date(now.valueOf() - UNFINISHED_KEPT_MS);
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && found.mtime < before) await rm(path, { force: true });
  }
}

/** Removes those of the bytes that no file has. */
async function deleteUnused(db: Db, { store, hashes }: { store: FileStore; hashes: string[] }): Promise<void> {
  if (hashes.length === 0) return;
  const used = await findUsed(db, hashes);
  for (const hash of hashes) if (!used.has(hash)) await deleteUnlessUsed(db, { store, hash });
}

/**
 * While no upload is recorded, so that nothing is removed which one has just put there. Each in a transaction of its own: a store so slow
 * that PostgreSQL ends one, and with it the lock, ends the sweep before anything else is removed.
 */
async function deleteUnlessUsed(db: Db, { store, hash }: { store: FileStore; hash: string }): Promise<void> {
  await db.transaction(async (tx) => {
    await lockFiles(tx);
    const used = await findUsed(tx, [hash]);
    if (!used.has(hash)) await store.delete(nameOf(hash));
  });
}

async function findUsed(db: Db | Tx, hashes: string[]): Promise<ReadonlySet<string | null>> {
  const rows = await db
    .select({ hash: files.hash, thumbnailHash: files.thumbnailHash })
    .from(files)
    .where(or(inArray(files.hash, hashes), inArray(files.thumbnailHash, hashes)));
  return new Set(rows.flatMap(({ hash, thumbnailHash }) => [hash, thumbnailHash]));
}
