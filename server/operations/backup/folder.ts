import { existsSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BackupKind } from "@db/enums";
import type { Db } from "../../../db/client";
import { recordBackup } from "../../backups/mutations";
import { DAY_MS } from "../../contract/days";
import { PARTIAL } from "../archive";
import { explainFailure } from "../failure";
import { type BackupSource, writeBackup } from "./write";

/** Renewed while a backup is made, however long that takes: so long after a process was killed another one makes it. */
export const BACKUP_LEASE = { leaseSeconds: 120, renewMs: 30_000 };

/**
 * Writes a backup to a folder, records that it was tried (server/backups), and forgets the oldest of its prefix. One that is broken
 * off because the process stops is not recorded. Rejects when it fails.
 */
export async function backUpInto(
  db: Db,
  {
    kind,
    dir,
    prefix,
    keep,
    source,
    signal,
  }: { kind: BackupKind; dir: string; prefix: string; keep: number; source: BackupSource; signal: AbortSignal },
): Promise<void> {
  const startedAt = new Date();
  const file = join(dir, nameOf(prefix, startedAt));
  try {
    const { sizeBytes, holdsSecrets } = await writeBackup(file, { ...source, signal });
    await recordBackup(db, { kind, file, startedAt, sizeBytes, holdsSecrets, isVerified: true });
  } catch (error) {
    if (signal.aborted) throw error;
    const sentence = explainFailure(error, dir) ?? "Something unexpected happened; the server's log has it.";
    await recordBackup(db, { kind, file, startedAt, error: sentence });
    throw error;
  }
  await removeOld(dir, { prefix, keep });
}

/** Sorts by time. */
export function nameOf(prefix: string, at: Date): string {
  return `${prefix}-${at.toISOString().replaceAll(/[-:]|\.\d+/g, "")}.zip`;
}

/** Removes all but the newest `keep` backups of a kind, and what a killed process has left half written. */
export async function removeOld(dir: string, { prefix, keep }: { prefix: string; keep: number }): Promise<void> {
  const names = (await readdir(dir)).filter((name) => name.startsWith(`${prefix}-`));
  const whole = names
    .filter((name) => /-\d{8}T\d{6}Z\.zip$/.test(name))
    .sort()
    .reverse();
  for (const name of whole.slice(keep)) await rm(join(dir, name), { force: true });
  for (const name of names.filter((one) => one.endsWith(PARTIAL))) {
    const path = join(dir, name);
    const isOld = existsSync(path) && (await stat(path)).mtimeMs < Date.now() - DAY_MS;
    if (isOld) await rm(path, { force: true });
  }
}
