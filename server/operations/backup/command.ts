import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createDb } from "../../../db/client";
import { recordBackup } from "../../backups/mutations";
import { commandLine } from "../../core/command-line";
import { askHidden } from "../../core/terminal";
import { explainFailure } from "../failure";
import { NoTablesError } from "../snapshot";
import { type BackupSource, type WrittenBackup, writeBackup } from "./write";

const USAGE = `Usage: ${commandLine("backup", "FILE")}   (the passphrase for the secrets is asked, or taken from BACKUP_PASSPHRASE)`;

/**
 * `npm run backup`: what to say at the end, and whether it worked. Files are looked for in the folder of whoever calls. Rejects when
 * the signal breaks it off.
 */
export async function runBackupCommand({
  args,
  folder,
  ...source
}: BackupSource & { args: string[]; folder: string }): Promise<{ ok: boolean; sentence: string }> {
  const file = readFile(args, folder);
  if (file === null) return { ok: false, sentence: USAGE };
  if (existsSync(file)) return { ok: false, sentence: `There is ${file} already: give another name, or move it away.` };
  try {
    const passphrase = source.passphrase ?? (await askPassphrase(source.signal));
    const startedAt = new Date();
    const written = await writeBackup(file, { ...source, passphrase });
    await record(source, { file, startedAt, written });
    return { ok: true, sentence: describe(file, written) };
  } catch (error) {
    const sentence = error instanceof NoTablesError ? error.message : explainFailure(error, file);
    if (sentence === null || source.signal?.aborted) throw error;
    return { ok: false, sentence };
  }
}

function readFile(args: string[], folder: string): string | null {
  try {
    const [file, ...more] = parseArgs({ args, allowPositionals: true }).positionals;
    return file === undefined || more.length > 0 ? null : resolve(folder, file);
  } catch {
    return null;
  }
}

async function askPassphrase(signal: AbortSignal | undefined): Promise<string | null> {
  if (process.stdin.isTTY !== true) return null;
  return (
    (await askHidden("Passphrase for the secrets (empty leaves them out): ", {
      setting: "BACKUP_PASSPHRASE",
      signal,
    })) || null
  );
}

async function record(
  { connection }: BackupSource,
  { file, startedAt, written }: { file: string; startedAt: Date; written: WrittenBackup },
): Promise<void> {
  const { db, close } = createDb(connection, { max: 1 });
  const { sizeBytes, holdsSecrets } = written;
  // A database that waits for its migration may have no such table, and the backup is whole all the same.
  await recordBackup(db, { kind: "asked", file, startedAt, sizeBytes, holdsSecrets, isVerified: true }).catch(() => {});
  await close();
}

function describe(file: string, { rows, tables, files, sizeBytes, holdsSecrets }: WrittenBackup): string {
  const megabytes = (sizeBytes / 1_000_000).toLocaleString("en-GB", { maximumSignificantDigits: 2 });
  const counts = `${rows.toLocaleString("en-GB")} rows of ${tables} tables and ${files.toLocaleString("en-GB")} files`;
  const secrets = holdsSecrets
    ? "The secrets are in it, encrypted: keep the passphrase, as nothing opens them without it."
    : "The secrets are not in it, as there was no passphrase: keep BETTER_AUTH_SECRET and TOKEN_ENCRYPTION_KEY yourself.";
  return `${file} holds ${counts}, ${megabytes} MB.\n${secrets}`;
}
