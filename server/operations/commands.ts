import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Connection } from "../../db/client";
import { readMigrations } from "../../db/migrate";
import type { Env } from "../core/env";
import type { Secrets } from "../core/secrets";
import { ask } from "../core/terminal";
import { runBackupCommand } from "./backup/command";
import type { BackupSource } from "./backup/write";
import { runExportCommand } from "./export/command";
import { runImportCommand } from "./import/command";
import { runRestoreCommand } from "./restore/command";

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

/** Does it: what to say at the end, and whether it worked. */
export async function runOperation(
  { name, folder, args }: Operation,
  { env, root, connection, migrate, readSecrets }: Surroundings,
): Promise<{ ok: boolean; sentence: string }> {
  // A database is backed up as it is, and restored from nothing; whatever else needs the present schema.
  if (name === "backup") {
    return runBackupCommand({ args, folder, ...backupSource({ env, root, connection, secrets: readSecrets() }) });
  }
  if (name === "restore") {
    const { passphrase } = env.backup;
    return runRestoreCommand({ args, folder, connection, env, passphrase, migrations: readMigrations(root) });
  }
  await migrate();
  if (name === "export") return runExportCommand({ args, folder, connection, dataDir: env.dataDir });
  const outcome = await runImportCommand({
    ...{ args, folder, connection, show },
    ask: process.stdin.isTTY ? ask : null,
    timeZone: env.timeZone,
  });
  if (process.stdout.isTTY) process.stdout.write("\r\x1b[K");
  return outcome;
}

function show(line: string): void {
  process.stdout.write(process.stdout.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
}

const packageSchema = z.object({ version: z.string() });

/** What a backup of this server is made of. */
export function backupSource({
  env,
  root,
  connection,
  secrets,
}: {
  env: Pick<Env, "dataDir" | "backup">;
  root: string;
  connection: Connection;
  secrets: Secrets;
}): BackupSource {
  const { version } = packageSchema.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  return { connection, dataDir: env.dataDir, secrets, passphrase: env.backup.passphrase, version };
}
