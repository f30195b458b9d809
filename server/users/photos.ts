import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { files, userPhotos, users } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { PHOTO_PATH } from "../contract/profiles";
import type { Actor } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import { profileMissing } from "../core/procedures";
import { announcePerson } from "../projects/members";
import { notifyAccount } from "../realtime/notify";

/**
 * Makes an uploaded picture the actor's own, or removes it with null, which also settles that they have been told of a link to another
 * host. The picture before is deleted. NOT_FOUND for a file that is not theirs or is gone, CONFLICT for one that hangs on something,
 * BAD_REQUEST for one that is no picture, FORBIDDEN once they are erased.
 */
export async function setPhoto(db: Db, { actor, fileId }: { actor: Actor; fileId: string | null }): Promise<void> {
  await db.transaction(async (tx) => {
    // Of two tabs the later one wins, and none leaves a picture behind.
    const [own] = await tx
      .select({ profileImgLink: users.profileImgLink })
      .from(users)
      .where(and(eq(users.id, actor.id), isNull(users.erasedAt)))
      .for("no key update");
    if (!own) throw profileMissing();
    const isPresent =
      fileId !== null &&
      (await tx.$count(userPhotos, and(eq(userPhotos.userId, actor.id), eq(userPhotos.fileId, fileId)))) > 0;
    if (isPresent) return;
    const profileImgLink = fileId === null ? null : `${PHOTO_PATH}${fileId}`;
    if (profileImgLink !== own.profileImgLink) await announcePerson(tx, { userId: actor.id });
    if (fileId !== null) await takePicture(tx, { fileId, by: actor });
    await deletePhoto(tx, { userId: actor.id });
    if (fileId !== null) await tx.insert(userPhotos).values({ userId: actor.id, fileId });
    await tx.update(users).set({ profileImgLink, updatedAt: sql`now()` }).where(eq(users.id, actor.id));
    await notifyAccount(tx, { userId: actor.id });
  });
}

/** Deletes a person's picture, if there is one. Its address stays in the profile: the caller changes that too. */
export async function deletePhoto(tx: Tx, { userId }: { userId: string }): Promise<void> {
  const own = tx.select({ id: userPhotos.fileId }).from(userPhotos).where(eq(userPhotos.userId, userId));
  await tx.delete(files).where(inArray(files.id, own));
}

/** From now on it is nobody's upload any more, which would be swept. */
async function takePicture(tx: Tx, { fileId, by }: { fileId: string; by: Pick<Actor, "id"> }): Promise<void> {
  const own = and(eq(files.id, fileId), eq(files.uploadedBy, by.id));
  const [taken] = await tx
    .update(files)
    .set({ attachedAt: sql`now()` })
    .where(and(own, isNull(files.attachedAt), isNotNull(files.thumbnailHash)))
    .returning({ id: files.id });
  if (taken) return;
  const [found] = await tx.select({ attachedAt: files.attachedAt }).from(files).where(own);
  if (!found) throw new DomainError("NOT_FOUND", MESSAGES.files.notAttachable);
  if (found.attachedAt)
    throw new DomainError("CONFLICT", MESSAGES.files.alreadyAttached, { reason: "already-attached" });
  throw new ValidationError<{ fileId: string }>({ fileId: [MESSAGES.users.noPicture] });
}
