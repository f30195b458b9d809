import { createWriteStream } from "node:fs";
import { mkdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { and, eq, notExists } from "drizzle-orm";
import type { MigrationMeta } from "drizzle-orm/migrator";
import { type Connection, inTransaction, type Tx } from "../../../db/client";
import { applyMigrations, lockStarts, requirePostgres } from "../../../db/migrate";
import { apiKeys, backupRequests, fileStores, serverProcesses, sessions } from "../../../db/schema";
import { insertAudit } from "../../audit/mutations";
import type { Env } from "../../core/env";
import { loadSecrets, type Secrets } from "../../core/secrets";
import { createVault, secretId } from "../../core/vault";
import { markStore } from "../../files/ownership";
import type { FileStore } from "../../files/store";
import { createFileStore, uploadFolderOf } from "../../files/stores";
import { resealAll } from "../../sealed-columns";
import { fileEntry } from "../backup/manifest";
import { load, requireEmpty, verify } from "./load";
import { checkWhole, type OpenBackup, RestoreError } from "./read";

/** Where a backup goes. The signal breaks it off. */
export interface RestoreTarget {
  connection: Connection;
  env: Pick<
    Env,
    "dataDir" | "s3Url" | "betterAuthSecret" | "oldBetterAuthSecrets" | "tokenEncryptionKey" | "oldTokenEncryptionKeys"
  >;
  migrations: readonly MigrationMeta[];
  signal?: AbortSignal | undefined;
}

/** What became of the secrets of a backup. */
export interface RestoredSecrets {
  /** How many were encrypted anew, for a key that is another one. */
  resealed: number;
  /** What stays unreadable, as the key is not known. */
  unreadable: string[];
  /** Everyone has to log in again. */
  endedSessions: boolean;
}

/**
 * Puts a backup into an empty database and a store without other files, brings it to the present schema and compares it with the
 * backup, all in one transaction: an error leaves nothing behind. The store belongs to this database then, and to no other. `secrets`
 * are those of the backup, if it could be opened; they count where the environment and the data folder give none. Throws RestoreError.
 */
export async function restore(
  backup: OpenBackup,
  { secrets, target }: { secrets: Secrets | null; target: RestoreTarget },
): Promise<RestoredSecrets> {
  const { connection, env, migrations, signal } = target;
  await checkWhole(backup, { signal });
  const store = createFileStore(env);
  const missing = await findMissing(backup, store);
  const formerMarker = await store.readMarker();
  const put: string[] = [];
  try {
    await putFiles(backup, { store, names: missing, put, folder: uploadFolderOf(env), signal });
    return await inTransaction(connection, { isolationLevel: "read committed", signal }, async ({ tx, sql }) => {
      await lockStarts(sql);
      await requirePostgres(sql);
      await requireEmpty(sql);
      await load(sql, { backup, migrations });
      await verify(sql, backup);
      await applyMigrations(
        sql,
        migrations.filter(({ folderMillis }) => folderMillis > backup.manifest.versions.migration),
      );
      // The wish for this very backup, the servers that ran when it was made, and the mark of the store that it came from.
      for (const table of [backupRequests, serverProcesses, fileStores]) await tx.delete(table);
      const details = { takenAt: backup.manifest.takenAt };
      await insertAudit(tx, { kind: "data.restored", actorId: null, subjectId: null, details });
      const present = loadSecrets(env, secrets);
      const outcome = await takeSecrets(tx, { backup, present, former: secrets });
      if (formerMarker !== null || backup.manifest.files.length > 0) await markStore(tx, store);
      return outcome;
    });
  } catch (error) {
    for (const name of put) await store.delete(name);
    if (formerMarker !== null) await store.writeMarker(formerMarker);
    throw error;
  }
}

/**
 * The names of those of its files that are not in the store: the database that the backup was made of may have the same one. Throws
 * RestoreError for a store with other files, which would be swept: the rows refer to none of them.
 */
async function findMissing({ manifest }: OpenBackup, store: FileStore): Promise<string[]> {
  const sizes = new Map(manifest.files.map(({ name, bytes }) => [name, bytes]));
  for await (const { name, size } of store.list()) {
    // A name is made of a hash: what has it and is as long is the same.
    if (sizes.get(name) !== size) {
      throw new RestoreError(
        `There are files in ${store.place} that the backup does not have, such as ${name}: make a new backup if they belong to it, or move them away.`,
      );
    }
    sizes.delete(name);
  }
  return [...sizes.keys()];
}

interface Putting {
  store: FileStore;
  names: readonly string[];
  put: string[];
  folder: string;
  signal: AbortSignal | undefined;
}

/** Notes in `put` what it has put there, also when it fails. */
async function putFiles({ archive }: OpenBackup, { store, names, put, folder, signal }: Putting): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${process.pid}.restored`);
  try {
    for (const name of names) {
      signal?.throwIfAborted();
      // The reader of the archive refuses names that lead out of it.
      await pipeline(await archive.read(fileEntry(name)), createWriteStream(path, { mode: 0o600, flush: true }));
      put.push(name);
      await store.put(name, path);
    }
  } finally {
    await rm(path, { force: true });
    // Uploads of a server that runs lie there too.
    await rmdir(folder).catch(() => {});
  }
}

/** Seals with the present key what the backup's sealed, and ends sessions that another secret signed. */
async function takeSecrets(
  tx: Tx,
  { backup, present, former }: { backup: OpenBackup; present: Secrets; former: Secrets | null },
): Promise<RestoredSecrets> {
  const formerKeys = former ? [former.tokenEncryptionKey, ...former.oldTokenEncryptionKeys] : [];
  const vault = createVault([present.tokenEncryptionKey, ...present.oldTokenEncryptionKeys, ...formerKeys]);
  const { resealed, unreadable } = await resealAll(tx, vault);
  const accepted = [present.betterAuthSecret, ...present.oldBetterAuthSecrets].map(secretId);
  const endedSessions = !accepted.includes(backup.manifest.secretIds.betterAuthSecret);
  if (endedSessions) {
    // An API key is not signed, and stays.
    const key = tx
      .select()
      .from(apiKeys)
      .where(and(eq(apiKeys.sessionId, sessions.id)));
    await tx.delete(sessions).where(notExists(key));
  }
  return { resealed, unreadable, endedSessions };
}
