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

interface Surroundings {
  env: Env;
  /** The checkout. */
  root: string;
  connection: Connection;
  /** Brings the database to the present schema. */
  migrate: () => Promise<void>;
  readSecrets: () => Secrets;
}

/**
 * Does it: what to say at the end, and whether it worked. Each loads its own code: compiling all of it would take a twentieth of
 * a server's start.
 */
export async function runOperation(
  { name, folder, args }: Operation,
  { env, root, connection, migrate, readSecrets }: Surroundings,
): Promise<{ ok: boolean; sentence: string }> {
  // A database is backed up as it is, and restored from nothing; whatever else needs the present schema.
  if (name === "backup") {
    const { runBackupCommand } = await import("./backup/command");
    return runBackupCommand({ args, folder, ...backupSource({ env, root, connection, secrets: readSecrets() }) });
  }
  if (name === "restore") {
    const { runRestoreCommand } = await import("./restore/command");
    const { passphrase } = env.backup;
    return runRestoreCommand({ args, folder, connection, env, passphrase, migrations: readMigrations(root) });
  }
  await migrate();
  if (name === "export") {
    const { runExportCommand } = await import("./export/command");
    return runExportCommand({ args, folder, connection, store: createFileStore(env) });
  }
  const [{ runImportCommand }, { createImages }] = await Promise.all([
    import("./import/command"),
    import("../files/images"),
  ]);
  const outcome = await runImportCommand({
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
  if (process.stdout.isTTY) process.stdout.write("\r\x1b[K");
  return outcome;
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
