import type { Visibility } from "@db/enums";
import { and, count, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { files } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import { MAX_UNATTACHED_BYTES, MAX_UNATTACHED_FILES } from "../contract/files";
import { MESSAGES } from "../contract/messages";
import type { File, ListedFile } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { findSubjectKey, holdPlace } from "../projects/queries";
import { notifyDiscussion } from "../realtime/notify";
import { removableFile, requireAttachable } from "./procedures";
import { type FilesSubject, fileColumns } from "./queries";

/** What is known of bytes that lie in the store. */
export interface NewFile {
  name: string;
  hash: string;
  size: number;
  type: string;
  width: number | null;
  height: number | null;
  thumbnailHash: string | null;
}

/** Files are inserted, and bytes that nobody refers to removed, one transaction after the other: the quota and each reference hold. */
export async function lockFiles(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('sangam.files'))`);
}

/** What else an import knows of a file: when it was uploaded, and what it hangs on. */
export type FilePast = Partial<
  Pick<
    typeof files.$inferInsert,
    | ("id" | "createdAt" | "attachedAt" | "visibility" | "position")
    | ("projectId" | "taskId" | "commentId" | "requestId" | "messageId")
  >
>;

interface Upload {
  file: NewFile & FilePast;
  by: Pick<Actor, "id">;
  quotaBytes: number;
  /** Asked while nothing is removed from the store. */
  isStored: () => Promise<boolean>;
}

/**
 * Records a file that somebody has uploaded once, as an import does. CONFLICT, `quota-exceeded`, when all files together would be
 * larger than `quotaBytes`.
 */
export async function insertFile(db: Db | Tx, upload: Upload): Promise<File> {
  return db.transaction(async (tx) => {
    await lockFiles(tx);
    return insertLocked(tx, upload);
  });
}

/**
 * Records an uploaded file, its uploader's alone until it is attached. CONFLICT as `insertFile`, and `too-many` when too much of theirs
 * waits to be attached.
 */
export async function insertUpload(db: Db, upload: Upload): Promise<File> {
  return db.transaction(async (tx) => {
    await lockFiles(tx);
    await requireOwnRoom(tx, { size: upload.file.size, by: upload.by });
    return insertLocked(tx, upload);
  });
}

async function insertLocked(tx: Tx, { file, by, quotaBytes, isStored }: Upload): Promise<File> {
  await requireRoom(tx, { size: file.size, quotaBytes });
  if (!(await isStored())) throw new Error("the bytes of an upload were swept before it was recorded");
  const [made] = await tx
    .insert(files)
    .values(columnsOf(files, { ...file, uploadedBy: by.id }))
    .returning(fileColumns);
  if (!made) throw new Error("the insert returned no row");
  return made;
}

/** CONFLICT, `too-many`: nobody fills the quota of all with what they alone can see and remove. */
export async function requireOwnRoom(
  db: Db | Tx,
  { size, by }: { size: number; by: Pick<Actor, "id"> },
): Promise<void> {
  const [waiting] = await db
    .select({ count: count(), bytes: sql`coalesce(sum(${files.size}), 0)`.mapWith(Number) })
    .from(files)
    .where(and(eq(files.uploadedBy, by.id), isNull(files.attachedAt)));
  if (!waiting) return;
  if (waiting.count >= MAX_UNATTACHED_FILES || waiting.bytes + size > MAX_UNATTACHED_BYTES)
    throw new DomainError("CONFLICT", MESSAGES.files.tooManyUnattached, { reason: "too-many" });
}

/** CONFLICT, `quota-exceeded`, when another file of that size would be too much. */
export async function requireRoom(
  db: Db | Tx,
  { size, quotaBytes }: { size: number; quotaBytes: number },
): Promise<void> {
  const [row] = await db.select({ used: sql`coalesce(sum(${files.size}), 0)`.mapWith(Number) }).from(files);
  if ((row?.used ?? 0) + size > quotaBytes) {
    throw new DomainError("CONFLICT", MESSAGES.files.quotaExceeded, { reason: "quota-exceeded" });
  }
}

/** What files are attached to: a project or a task, a comment or a request of one, or a message. */
export type FilePlace =
  | (Pick<FilesSubject, "projectId" | "taskId"> & { visibility: Visibility; commentId?: string; requestId?: string })
  | { messageId: string };

/**
 * Attaches what the actor has uploaded, in the order of the ids and in the transaction that makes what it hangs on. NOT_FOUND where
 * one of them is not theirs or is gone; CONFLICT, `already-attached`, where one hangs on something else already.
 */
export async function attachFiles(
  tx: Tx,
  { fileIds, place, by }: { fileIds: readonly string[]; place: FilePlace; by: Pick<Actor, "id"> },
): Promise<File[]> {
  if (fileIds.length === 0) return [];
  const own = and(inArray(files.id, [...fileIds]), eq(files.uploadedBy, by.id));
  const position = sql`array_position(${`{${fileIds.join()}}`}::uuid[], ${files.id}) - 1`;
  const attached = await tx
    .update(files)
    .set(columnsOf(files, { ...place, position, attachedAt: sql`now()` }))
    .where(and(own, isNull(files.attachedAt)))
    .returning({ ...fileColumns, position: files.position });
  if (attached.length < fileIds.length) {
    const found = await tx.select({ id: files.id }).from(files).where(own);
    throw found.length < fileIds.length
      ? new DomainError("NOT_FOUND", MESSAGES.files.notAttachable)
      : new DomainError("CONFLICT", MESSAGES.files.alreadyAttached, { reason: "already-attached" });
  }
  return attached.sort((a, b) => a.position - b.position).map(({ position: _, ...file }) => file);
}

/**
 * Attaches to a project or a task, where the actor may in the moment of it. Repeated, it answers the same; what the actor has attached
 * elsewhere is a CONFLICT.
 */
export async function attachToSubject(
  db: Db,
  {
    subject: { projectId, taskId },
    fileIds,
    visibility,
    by,
  }: { subject: FilesSubject; fileIds: readonly string[]; visibility: Visibility; by: Actor },
): Promise<ListedFile[]> {
  const place = { projectId, taskId, visibility: by.accountType === "client" ? "client" : visibility } as const;
  const isThere = and(
    eq(files.projectId, projectId),
    taskId === null ? isNull(files.taskId) : eq(files.taskId, taskId),
    isNull(files.commentId),
    isNull(files.requestId),
    eq(files.uploadedBy, by.id),
    inArray(files.id, [...fileIds]),
  );
  const attached = await db.select(fileColumns).from(files).where(isThere);
  const missing = fileIds.filter((id) => !attached.some((file) => file.id === id));
  const added = await db.transaction(async (tx) => {
    requireAttachable(by, { found: await holdPlace(tx, { projectId, taskId, actor: by }), taskId });
    const attachedNow = await attachFiles(tx, { fileIds: missing, place, by });
    if (attachedNow.length > 0) await notifyDiscussion(tx, place);
    return attachedNow;
  });
  return [...attached, ...added]
    .sort((a, b) => fileIds.indexOf(a.id) - fileIds.indexOf(b.id))
    .map((file) => ({ ...file, isOfRequest: false }));
}

/** Removes it from what it hangs on by then, where the actor may, for good; its bytes are swept. An admin who removes another's is audited. */
export async function deleteFile(db: Db, { fileId, by }: { fileId: string; by: Actor }): Promise<void> {
  await db.transaction(async (tx) => {
    // Whoever attaches it takes the row too.
    await tx.select({ id: files.id }).from(files).where(eq(files.id, fileId)).for("update");
    const { id, createdBy } = await removableFile({ db: tx, actor: by }, fileId);
    const [deleted] = await tx
      .delete(files)
      .where(eq(files.id, id))
      .returning({
        ...{ projectId: files.projectId, taskId: files.taskId, visibility: files.visibility },
      });
    if (!deleted?.projectId || !deleted.visibility) return;
    const place = { projectId: deleted.projectId, taskId: deleted.taskId };
    await notifyDiscussion(tx, { ...place, visibility: deleted.visibility });
    if (createdBy === by.id) return;
    const details = { subject: await findSubjectKey(tx, place) };
    await insertAudit(tx, { kind: "file.removed", actorId: by.id, subjectId: createdBy, details });
  });
}

/** With the comment that they belong to. */
export async function deleteFilesOfComment(tx: Tx, { commentId }: { commentId: string }): Promise<void> {
  await tx.delete(files).where(eq(files.commentId, commentId));
}
