import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/client";
import { userPhotos, users } from "../../../db/schema";
import { MAX_FILE_BYTES } from "../../contract/files";
import { PHOTO_PATH } from "../../contract/profiles";
import { DomainError } from "../../core/errors";
import type { Images } from "../../files/images";
import {
  discardPrepared,
  isStored,
  type PreparedFile,
  prepareFile,
  putPrepared,
  writeMeasured,
} from "../../files/intake";
import { type FilePast, insertFile, requireRoom } from "../../files/mutations";
import { markStore } from "../../files/ownership";
import { type FileStore, hashOf } from "../../files/store";
import { notifyAccount } from "../../realtime/notify";
import type { ArchiveReader } from "../archive";
import { fileEntry } from "../backup/manifest";

/** Where bytes of files come from and go to. */
export interface FileIntake {
  archive: ArchiveReader;
  store: FileStore;
  images: Images;
  /** Where they are written until they are whole: on the disk of the store, where that is one. */
  folder: string;
  /** Of all files together. */
  quotaBytes: number;
}

/** A file that is not there yet. */
export interface MissingFile extends FilePast {
  id: string;
  /** In the zip. */
  path: string;
  name: string;
  uploaderId: string;
  /** Whose picture it is; else it hangs on something. */
  photoOf: string | null;
}

export interface FileTarget {
  /** Brings one in, as an upload would. Returns why not, or null. */
  bring(file: MissingFile): Promise<string | null>;
}

/** What files are called while an import writes them, so that the next one knows what a killed one has left. */
const UNFINISHED_PREFIX = "import-";

/**
 * Brings files in, each in a transaction of its own: what a run that ended early has not brought, the next one does. Removes what
 * that one has left on the disk: no other import runs.
 */
export async function createTarget(db: Db, intake: FileIntake): Promise<FileTarget> {
  const { store, quotaBytes } = intake;
  await removeUnfinished(intake.folder);
  let isMarked = false;
  return {
    bring: (file) =>
      receive(db, { file, intake }, async (prepared) => {
        if (!isMarked) await markStore(db, store);
        isMarked = true;
        await putPrepared(store, prepared);
        await db.transaction(async (tx) => {
          const { path: _, uploaderId, photoOf, ...past } = file;
          await insertFile(tx, {
            file: { ...past, ...prepared.file },
            by: { id: uploaderId },
            quotaBytes,
            isStored: () => isStored(store, prepared),
          });
          if (photoOf !== null) await setPicture(tx, { fileId: file.id, userId: photoOf });
        });
      }),
  };
}

/** Finds out what bringing files in would say, and keeps none. */
export function createRehearsal(tx: Tx, intake: FileIntake): FileTarget {
  const { quotaBytes } = intake;
  let broughtBytes = 0;
  return {
    bring: (file) =>
      receive(tx, { file, intake, broughtBytes }, async ({ file: { size } }) => {
        await requireRoom(tx, { size: broughtBytes + size, quotaBytes });
        broughtBytes += size;
      }),
  };
}

/** Takes the bytes out of the zip, and hands them to `keep`. Nothing that `keep` leaves on the disk stays there. */
async function receive(
  db: Db | Tx,
  { file, intake, broughtBytes = 0 }: { file: MissingFile; intake: FileIntake; broughtBytes?: number },
  keep: (prepared: PreparedFile) => Promise<void>,
): Promise<string | null> {
  const { archive, images, folder, quotaBytes } = intake;
  const declared = archive.sizeOf(file.path);
  if (declared === null) return "its bytes are not in the zip";
  if (declared > MAX_FILE_BYTES) return "a file may have 25 MB at most";
  const path = join(folder, `${UNFINISHED_PREFIX}${randomUUID()}`);
  try {
    // Before it is unpacked, for all those that follow once there is no room.
    await requireRoom(db, { size: broughtBytes + declared, quotaBytes });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const received = await writeMeasured(path, () => chunksOf(archive, file.path));
    if (isDamaged(file.path, received.hash)) throw new UnreadableFileError();
    const prepared = await prepareFile(path, { received, images });
    if (file.photoOf !== null && prepared.file.thumbnailHash === null) return "it is no picture that can be shown";
    await keep(prepared);
    return null;
  } catch (error) {
    if (error instanceof UnreadableFileError) return "its bytes in the zip are damaged";
    if (error instanceof DomainError && error.reason === "quota-exceeded")
      return "all files together would be larger than FILES_QUOTA_GB";
    throw error;
  } finally {
    await discardPrepared(path);
  }
}

async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (name.startsWith(UNFINISHED_PREFIX)) await rm(join(folder, name), { force: true });
}

class UnreadableFileError extends Error {}

/** Tells a zip that cannot be read from a disk that cannot be written. */
async function* chunksOf(archive: ArchiveReader, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* await archive.read(name);
  } catch {
    throw new UnreadableFileError();
  }
}

/** Exported under their hash, bytes are as they were; other names say nothing about them. */
function isDamaged(path: string, hash: string): boolean {
  const prefix = fileEntry("");
  const named = path.startsWith(prefix) ? hashOf(path.slice(prefix.length)) : null;
  return named !== null && named !== hash;
}

async function setPicture(tx: Tx, { fileId, userId }: { fileId: string; userId: string }): Promise<void> {
  await tx.insert(userPhotos).values({ fileId, userId });
  await tx
    .update(users)
    .set({ profileImgLink: `${PHOTO_PATH}${fileId}`, updatedAt: sql`now()` })
    .where(eq(users.id, userId));
  await notifyAccount(tx, { userId });
}
