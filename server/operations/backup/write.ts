import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { addAbortSignal } from "node:stream";
import type { Connection } from "../../../db/client";
import type { Secrets } from "../../core/secrets";
import { secretId } from "../../core/vault";
import { type ArchiveWriter, createArchive, writeWhole } from "../archive";
import { copyOut, readSequences, withSnapshot } from "../snapshot";
import { FORMAT, fileEntry, MANIFEST, type Manifest, SECRETS, tableEntry } from "./manifest";
import { sealSecrets } from "./sealed-secrets";

/** Of what a backup is made. */
export interface BackupSource {
  connection: Connection;
  dataDir: string;
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

/**
 * Writes the database as it is at one moment, the uploaded files and, with a passphrase, the secrets to one file, while the product
 * runs. What is in memory of it stays small. The file stands under its name once it is whole; an older one of that name goes.
 */
export async function writeBackup(path: string, source: BackupSource): Promise<WrittenBackup> {
  let manifest: Manifest | undefined;
  const archive = createArchive(async (writer) => {
    manifest = await addAll(writer, source);
  });
  if (source.signal) addAbortSignal(source.signal, archive);
  const sizeBytes = await writeWhole(path, archive);
  const rows = (manifest?.tables ?? []).reduce((sum, table) => sum + table.rows, 0);
  return {
    sizeBytes,
    rows,
    tables: manifest?.tables.length ?? 0,
    files: manifest?.files.length ?? 0,
    holdsSecrets: source.passphrase !== null,
  };
}

async function addAll(
  archive: ArchiveWriter,
  { connection, dataDir, secrets, passphrase, version }: BackupSource,
): Promise<Manifest> {
  const database = await withSnapshot(connection, async ({ sql, version: postgresql, migration, tables }) => {
    const takenAt = new Date().toISOString();
    const written: Manifest["tables"] = [];
    for (const table of tables) {
      const { bytes, sha256, lines } = await archive.add(tableEntry(table.name), await copyOut(sql, table));
      written.push({ ...table, rows: lines, bytes, sha256 });
    }
    return { takenAt, postgresql, migration, tables: written, sequences: await readSequences(sql) };
  });
  const { takenAt, postgresql, migration, tables, sequences } = database;
  const manifest: Manifest = {
    format: FORMAT,
    takenAt,
    versions: { sangam: version, postgresql, migration },
    tables,
    sequences,
    // After the rows, so that what they refer to is there.
    files: await addFiles(archive, join(dataDir, "files")),
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

/** Adds what is below a folder, if it is there; what is deleted meanwhile is left out. */
export async function addFiles(archive: ArchiveWriter, folder: string): Promise<Manifest["files"]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files: Manifest["files"] = [];
  for (const entry of found.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join("/");
    const content = createReadStream(path);
    const isThere = await new Promise<boolean>((resolve) => {
      content.once("open", () => resolve(true));
      content.once("error", () => resolve(false));
    });
    if (!isThere) continue;
    const { bytes, sha256 } = await archive.add(fileEntry(name), content);
    files.push({ name, bytes, sha256 });
  }
  return files;
}
