import { existsSync } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { readNote } from "../../db/embedded/note";
import type { Env } from "./env";

/** The room on the disk of a folder. */
export interface DiskSpace {
  path: string;
  /** For this user: root may have more. */
  freeBytes: number;
  /** From 0 to 100. */
  freePercent: number;
}

/** Below this a disk counts as almost full. */
export const MIN_FREE_PERCENT = 10;

/** The folders whose disks must not fill: of the data, of the backups, and of the embedded database, which may lie elsewhere. */
export function watchedFolders({
  dataDir,
  databaseUrl,
  backup,
}: Pick<Env, "dataDir" | "databaseUrl" | "backup">): string[] {
  const cluster = databaseUrl === null ? readNote(dataDir) : null;
  return [dataDir, ...(backup.dir === null ? [] : [backup.dir]), ...(cluster === null ? [] : [cluster.where])];
}

/** The disks of these folders, each once, also of folders that do not exist yet. */
export async function measureDisks(paths: readonly string[]): Promise<DiskSpace[]> {
  const disks = new Map<number, DiskSpace>();
  for (const path of paths) {
    const folder = existing(path);
    const [{ dev }, { bavail, blocks, bsize }] = await Promise.all([stat(folder), statfs(folder)]);
    if (disks.has(dev)) continue;
    disks.set(dev, { path, freeBytes: bavail * bsize, freePercent: (bavail / blocks) * 100 });
  }
  return [...disks.values()];
}

/** The disk that will be full first; undefined of none. */
export function fullestOf<Disk extends DiskSpace>(disks: readonly Disk[]): Disk | undefined {
  return disks.toSorted((one, other) => one.freePercent - other.freePercent)[0];
}

function existing(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existing(dirname(path));
}
