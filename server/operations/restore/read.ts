import { addAbortSignal } from "node:stream";
import { text } from "node:stream/consumers";
import * as z from "zod/mini";
import type { Secrets } from "../../core/secrets";
import { ArchiveError, type ArchiveReader, measure, openArchive } from "../archive";
import { FORMAT, fileEntry, MANIFEST, type Manifest, manifestSchema, SECRETS, tableEntry } from "../backup/manifest";
import { openSecrets } from "../backup/sealed-secrets";

/** The backup cannot be restored, and nothing was changed; the message says why, and what to do. */
export class RestoreError extends Error {}

const formatSchema = z.object({ format: z.number(), versions: z.object({ sangam: z.string() }) });

/** A backup that is whole. */
export interface OpenBackup {
  archive: ArchiveReader;
  manifest: Manifest;
  /** Null for one without secrets. */
  sealedSecrets: { sealed: string; manifest: string } | null;
}

/** Opens a backup. Throws RestoreError for a file that is none, and for one that a newer version has written. */
export async function openBackup(path: string, { migrations }: { migrations: readonly number[] }): Promise<OpenBackup> {
  const archive = await openArchive(path).catch((error: unknown) => {
    throw error instanceof ArchiveError ? new RestoreError(error.message) : error;
  });
  try {
    if (!archive.names.has(MANIFEST)) throw new RestoreError(`${path} is no backup: ${MANIFEST} is missing in it.`);
    const written = await read(archive, MANIFEST);
    const manifest = readManifest(written, { path, migrations });
    const isSealed = archive.names.has(SECRETS);
    const sealedSecrets = isSealed ? { sealed: await read(archive, SECRETS), manifest: written } : null;
    return { archive, manifest, sealedSecrets };
  } catch (error) {
    archive.close();
    throw error;
  }
}

async function read(archive: ArchiveReader, name: string): Promise<string> {
  return text(await archive.read(name)).catch(() => {
    throw new RestoreError(`The backup is damaged: ${name} cannot be read.`);
  });
}

function readManifest(
  written: string,
  { path, migrations }: { path: string; migrations: readonly number[] },
): Manifest {
  const parsed = parseJson(written);
  const about = formatSchema.safeParse(parsed);
  if (about.success && about.data.format > FORMAT) throw new RestoreError(newer(about.data.versions.sangam));
  const manifest = manifestSchema.safeParse(parsed);
  if (!manifest.success) throw new RestoreError(`${path} is damaged: its ${MANIFEST} is not one.`);
  const { sangam, migration } = manifest.data.versions;
  if (!migrations.includes(migration)) throw new RestoreError(newer(sangam));
  return manifest.data;
}

function newer(version: string): string {
  return `A newer version has written this backup (${version}): restore it with that version or a later one.`;
}

function parseJson(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return null;
  }
}

/** Reads all of a backup once, unless the signal breaks it off. Throws RestoreError for the first part that is not as it was written. */
export async function checkWhole(
  { archive, manifest }: OpenBackup,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const parts = [
    ...manifest.tables.map(({ name, ...written }) => ({ entry: tableEntry(name), ...written })),
    ...manifest.files.map(({ name, ...written }) => ({ entry: fileEntry(name), ...written })),
  ];
  for (const { entry, bytes, sha256 } of parts) {
    const found = await archive
      .read(entry)
      .then((content) => measure(signal ? addAbortSignal(signal, content) : content))
      .catch(() => null);
    signal?.throwIfAborted();
    if (found?.bytes !== bytes || found.sha256 !== sha256) {
      throw new RestoreError(`The backup is damaged: ${entry} is not as it was written. Take another one.`);
    }
  }
}

/** The secrets of a backup. Throws RestoreError for a wrong passphrase. */
export async function readSecrets({ sealedSecrets }: OpenBackup, passphrase: string): Promise<Secrets | null> {
  if (!sealedSecrets) return null;
  const { sealed, manifest } = sealedSecrets;
  const secrets = await openSecrets(sealed, { passphrase, manifest });
  if (!secrets) {
    throw new RestoreError(
      "The passphrase is not the one of this backup, or somebody has changed the backup. Nothing was restored.",
    );
  }
  return secrets;
}
