import { rm } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import type { Connection } from "../../../db/client";
import type { Secrets } from "../../core/secrets";
import { secretId } from "../../core/vault";
import type { FileStore } from "../../files/store";
import { type ArchiveWriter, createArchive, writeWhole } from "../archive";
import { checkWhole, openBackup, RestoreError } from "../restore/read";
import { copyOut, readSequences, type Snapshot, withSnapshot } from "../snapshot";
import { FORMAT, fileEntry, MANIFEST, type Manifest, SECRETS, tableEntry } from "./manifest";
import { sealSecrets } from "./sealed-secrets";

/** Of what a backup is made. */
export interface BackupSource {
  connection: Connection;
  dataDir: string;
  store: FileStore;
  secrets: Secrets;
  /** Without one the secrets stay out. */
  passphrase: string | null;
  /** Of Sangam. */
  version: string;
  /** Breaks it off. */
  signal?: AbortSignal;
}

/** What was written. */
export interface WrittenBackup {
  sizeBytes: number;
  rows: number;
  tables: number;
  files: number;
  holdsSecrets: boolean;
}

/** What was written cannot be read back as it was written. */
export class DamagedBackupError extends Error {}

/**
 * Writes the database as it is at one moment, the uploaded files and, with a passphrase, the secrets to one file, while the product
 * runs, and reads all of it back. What is in memory of it stays small. The file stands under its name once it is whole; an older one
 * of that name goes. Throws DamagedBackupError, and leaves no file then.
 */
export async function writeBackup(path: string, source: BackupSource): Promise<WrittenBackup> {
  let manifest: Manifest | undefined;
  const archive = createArchive(async (writer) => {
    manifest = await addAll(writer, source);
  });
  if (source.signal) addAbortSignal(source.signal, archive);
  const sizeBytes = await writeWhole(path, archive);
  if (manifest) await readBack(path, { manifest, signal: source.signal });
  const rows = (manifest?.tables ?? []).reduce((sum, table) => sum + table.rows, 0);
  return {
    sizeBytes,
    rows,
    tables: manifest?.tables.length ?? 0,
    files: manifest?.files.length ?? 0,
    holdsSecrets: source.passphrase !== null,
  };
}

/** A disk that fails shows when a backup is needed, or here. */
async function readBack(
  path: string,
  { manifest: { versions }, signal }: { manifest: Manifest; signal: AbortSignal | undefined },
): Promise<void> {
  try {
    const backup = await openBackup(path, { migrations: [versions.migration] });
    await checkWhole(backup, { signal }).finally(() => backup.archive.close());
  } catch (error) {
    await rm(path, { force: true });
    if (!(error instanceof RestoreError)) throw error;
    throw new DamagedBackupError(
      `What was written to ${path} cannot be read back as it was written: its disk may be failing.`,
    );
  }
}

async function addAll(
  archive: ArchiveWriter,
  { connection, store, secrets, passphrase, version, signal }: BackupSource,
): Promise<Manifest> {
  const read = async ({ sql, version: postgresql, migration, tables }: Snapshot) => {
    const takenAt = new Date().toISOString();
    const written: Manifest["tables"] = [];
    for (const table of tables) {
      const { bytes, sha256, lines } = await archive.add(tableEntry(table.name), await copyOut(sql, table));
      written.push({ ...table, rows: lines, bytes, sha256 });
    }
    return { takenAt, postgresql, migration, tables: written, sequences: await readSequences(sql) };
  };
  const database = await withSnapshot(connection, read, { signal });
  const { takenAt, postgresql, migration, tables, sequences } = database;
  const manifest: Manifest = {
    format: FORMAT,
    takenAt,
    versions: { sangam: version, postgresql, migration },
    tables,
    sequences,
    // After the rows, so that what they refer to is there.
    files: await addFiles(archive, store),
    secretIds: {
      betterAuthSecret: secretId(secrets.betterAuthSecret),
      tokenEncryptionKey: secretId(secrets.tokenEncryptionKey),
    },
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await archive.add(MANIFEST, text);
  if (passphrase !== null) await archive.add(SECRETS, await sealSecrets(secrets, { passphrase, manifest: text }));
  return manifest;
}

/** Adds all that lies in a store; what is deleted meanwhile is left out. */
export async function addFiles(archive: ArchiveWriter, store: FileStore): Promise<Manifest["files"]> {
  const files: Manifest["files"] = [];
  for await (const { name } of store.list()) {
    const opened = await store.open(name);
    if (!opened) continue;
    const { bytes, sha256 } = await archive.add(fileEntry(name), opened.content);
    files.push({ name, bytes, sha256 });
  }
  return files;
}
