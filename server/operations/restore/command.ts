import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createDb } from "../../../db/client";
import { commandLine } from "../../core/command-line";
import { askHidden } from "../../core/terminal";
import { explainFailure } from "../failure";
import { type OpenBackup, openBackup, RestoreError, readSecrets } from "./read";
import { type RestoredSecrets, type RestoreTarget, restore } from "./restore";
import { tryOut } from "./try-out";

const USAGE = `Usage: ${commandLine("restore", "FILE [--without-secrets]")}   (the passphrase is asked, or taken from BACKUP_PASSPHRASE)`;

interface Wish {
  file: string;
  withoutSecrets: boolean;
}

/**
 * `npm run restore`: what to say at the end, and whether it worked. Files are looked for in the folder of whoever calls. Rejects when
 * the signal breaks it off.
 */
export async function runRestoreCommand({
  args,
  folder,
  passphrase,
  ...target
}: RestoreTarget & { args: string[]; folder: string; passphrase: string | null }): Promise<{
  ok: boolean;
  sentence: string;
}> {
  const wish = readWish(args, folder);
  if (!wish) return { ok: false, sentence: USAGE };
  let backup: OpenBackup | undefined;
  try {
    backup = await openBackup(wish.file, { migrations: target.migrations.map(({ folderMillis }) => folderMillis) });
    const secrets = wish.withoutSecrets
      ? null
      : await findSecrets(backup, { given: passphrase, signal: target.signal });
    const outcome = await restore(backup, { secrets, target });
    const { db, close } = createDb(target.connection, { max: 1 });
    const complaints = await tryOut(db).finally(close);
    return { ok: complaints.length === 0, sentence: [describe(wish.file, backup, outcome), ...complaints].join("\n") };
  } catch (error) {
    const sentence = error instanceof RestoreError ? error.message : explainFailure(error, wish.file);
    if (sentence === null || target.signal?.aborted) throw error;
    return { ok: false, sentence };
  } finally {
    backup?.archive.close();
  }
}

function readWish(args: string[], folder: string): Wish | null {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { "without-secrets": { type: "boolean" } },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return null;
    return { file: resolve(folder, file), withoutSecrets: values["without-secrets"] === true };
  } catch {
    return null;
  }
}

async function findSecrets(
  backup: OpenBackup,
  { given, signal }: { given: string | null; signal: AbortSignal | undefined },
) {
  if (!backup.sealedSecrets) return null;
  const canAsk = process.stdin.isTTY === true;
  const passphrase =
    given ?? (canAsk ? await askHidden("Passphrase of the backup: ", { setting: "BACKUP_PASSPHRASE", signal }) : null);
  if (passphrase) return readSecrets(backup, passphrase);
  throw new RestoreError(
    "This backup holds secrets: give its passphrase in BACKUP_PASSPHRASE, or --without-secrets to leave them out.",
  );
}

function describe(file: string, { manifest, sealedSecrets }: OpenBackup, secrets: RestoredSecrets): string {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0).toLocaleString("en-GB");
  const counts = `${rows} rows of ${manifest.tables.length} tables and ${manifest.files.length.toLocaleString("en-GB")} files`;
  const lines = [
    `Restored ${counts} from ${file}, of ${manifest.takenAt.slice(0, 16).replace("T", " ")} UTC; all of it is as it was.`,
  ];
  if (!sealedSecrets) lines.push("The backup holds no secrets.");
  if (secrets.resealed > 0) lines.push(`Encrypted anew with the present TOKEN_ENCRYPTION_KEY: ${secrets.resealed}.`);
  if (secrets.unreadable.length > 0) {
    lines.push(
      `Cannot be read without the former TOKEN_ENCRYPTION_KEY: ${secrets.unreadable.join(", ")}. Give it in TOKEN_ENCRYPTION_KEY_OLD, or set these anew.`,
    );
  }
  if (secrets.endedSessions) lines.push("BETTER_AUTH_SECRET is another one: everyone logs in again.");
  return lines.join("\n");
}
