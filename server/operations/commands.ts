import type { Connection } from "../../db/client";
import { readMigrations, readVersion } from "../../db/migrate";
import type { Env } from "../core/env";
import { createLogger } from "../core/logger";
import type { Secrets } from "../core/secrets";
import { ask } from "../core/terminal";
import { createFileStore, uploadFolderOf } from "../files/stores";
import type { BackupSource } from "./backup/write";

const NAMES = ["import", "export", "backup", "restore"] as const;

/** What the command line asks for instead of a server: `--NAME FOLDER …`, with the folder that files are named from. */
export interface Operation {
  name: (typeof NAMES)[number];
  folder: string;
  args: string[];
}

/** The operation that the command line asks for; null for none. */
export function readOperation(argv: readonly string[]): Operation | null {
  for (const name of NAMES) {
    const at = argv.indexOf(`--${name}`);
    const [folder, ...args] = at < 0 ? [] : argv.slice(at + 1);
    if (folder !== undefined) return { name, folder, args };
  }
  return null;
}

/** Whether the command line asks for anything but a server. */
export function isCommand(argv: readonly string[]): boolean {
  return readOperation(argv) !== null || ["--admin", "--doctor", "--migrate-only"].some((mark) => argv.includes(mark));
}

/** What is said when it was broken off. */
const INTERRUPTED: Record<Operation["name"], string> = {
  backup: "Interrupted: no backup was written.",
  export: "Interrupted: no export was written.",
  restore: "Interrupted: nothing was restored.",
  import: "Interrupted. Start the import again: what is there already stays, and the rest follows.",
};

interface Surroundings {
  env: Env;
  /** The checkout. */
  root: string;
  connection: Connection;
  /** Brings the database to the present schema. */
  migrate: () => Promise<void>;
  readSecrets: () => Secrets;
  /** Breaks it off: it takes back what it has half done. */
  signal: AbortSignal;
}

interface Outcome {
  ok: boolean;
  sentence: string;
}

/** Does it: what to say at the end, and whether it worked. */
export async function runOperation(operation: Operation, surroundings: Surroundings): Promise<Outcome> {
  try {
    return await run(operation, surroundings);
  } catch (error) {
    if (!surroundings.signal.aborted) throw error;
    return { ok: false, sentence: INTERRUPTED[operation.name] };
  }
}

/** Each loads its own code: compiling all of it would take a twentieth of a server's start. */
async function run(
  { name, folder, args }: Operation,
  { env, root, connection, migrate, readSecrets, signal }: Surroundings,
): Promise<Outcome> {
  // A database is backed up as it is, and restored from nothing; whatever else needs the present schema.
  if (name === "backup") {
    const { runBackupCommand } = await import("./backup/command");
    const source = backupSource({ env, root, connection, secrets: readSecrets() });
    return runBackupCommand({ args, folder, ...source, signal });
  }
  if (name === "restore") {
    const { runRestoreCommand } = await import("./restore/command");
    const { passphrase } = env.backup;
    return runRestoreCommand({ args, folder, connection, env, passphrase, migrations: readMigrations(root), signal });
  }
  await unlessAborted(migrate(), signal);
  if (name === "export") {
    const { runExportCommand } = await import("./export/command");
    return runExportCommand({ args, folder, connection, store: createFileStore(env), signal });
  }
  const [{ runImportCommand }, { createImages }] = await Promise.all([
    import("./import/command"),
    import("../files/images"),
  ]);
  const importing = runImportCommand({
    ...{ args, folder, connection, show },
    ask: process.stdin.isTTY ? ask : null,
    timeZone: env.timeZone,
    intake: {
      store: createFileStore(env),
      images: createImages({ logger: createLogger({ level: env.logLevel }) }),
      folder: uploadFolderOf(env),
      quotaBytes: env.filesQuotaBytes,
    },
  });
  return unlessAborted(importing, signal).finally(() => {
    if (process.stdout.isTTY) process.stdout.write("\r\x1b[K");
  });
}

/** For what leaves nothing half done, whenever the process ends. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
}

function show(line: string): void {
  process.stdout.write(process.stdout.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
}

/** What a backup of this server is made of. */
export function backupSource({
  env,
  root,
  connection,
  secrets,
}: {
  env: Pick<Env, "dataDir" | "backup" | "s3Url">;
  root: string;
  connection: Connection;
  secrets: Secrets;
}): BackupSource {
  const { dataDir, backup } = env;
  const store = createFileStore(env);
  return { connection, dataDir, store, secrets, passphrase: backup.passphrase, version: readVersion(root) };
}
