import type { Db, Tx } from "../../db/client";
import { MESSAGES } from "../contract/messages";
import type { Subject } from "../contract/subjects";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { type ActiveCall, subjectNotFound } from "../projects/procedures";
import { mayAttach } from "./policy";
import {
  type FilePosition,
  type FilesSubject,
  findFile,
  findFilePosition,
  findSubject,
  type StoredFile,
} from "./queries";

/** Check 5: the project or task, if the caller may see it; else NOT_FOUND, as for an id that does not exist. */
export async function visibleSubject({ db, actor }: ActiveCall, subject: Subject): Promise<FilesSubject> {
  const found = await findSubject(db, { subject, actor });
  if (found) return found;
  throw subjectNotFound("taskId" in subject ? subject.taskId : null);
}

/** Check 5: where the list of a subject goes on before a file that the caller sees there. */
export async function listedPosition(
  { db, actor }: ActiveCall,
  { subject, fileId }: { subject: FilesSubject; fileId: string },
): Promise<FilePosition> {
  const position = await findFilePosition(db, { subject, fileId, actor });
  if (!position) throw new DomainError("NOT_FOUND", MESSAGES.files.notFound);
  return position;
}

/** Checks 5 and 6: the project or task, if the caller may also attach files to it. */
export async function attachableSubject(call: ActiveCall, subject: Subject): Promise<FilesSubject> {
  const found = await visibleSubject(call, subject);
  requireAttachable(call.actor, { found, taskId: found.taskId });
  return found;
}

/** The same of what was read of its project; null where that is gone, or nothing of the actor's any more. */
export function requireAttachable(
  actor: Actor,
  { found, taskId }: { found: Pick<FilesSubject, "clientCollaboration"> | null; taskId: string | null },
): void {
  if (!found) throw subjectNotFound(taskId);
  if (!mayAttach(actor, found)) throw new DomainError("FORBIDDEN", MESSAGES.files.readOnly);
}

/** Checks 5 to 7: a file that the caller may remove: one's own where one may still write, for admins anybody's. */
export async function removableFile(call: { db: Db | Tx; actor: Actor }, id: string): Promise<StoredFile> {
  const { actor } = call;
  const file = await findFile(call.db, { id, actor });
  if (!file) throw new DomainError("NOT_FOUND", MESSAGES.files.notFound);
  const isOwn = file.createdBy === actor.id;
  if (!isOwn && actor.accountType !== "admin") throw new DomainError("FORBIDDEN", MESSAGES.files.notYours);
  if (file.isPart) throw new DomainError("FORBIDDEN", MESSAGES.files.goesWithItsText);
  const { clientCollaboration } = file;
  if (clientCollaboration !== null && !mayAttach(actor, { clientCollaboration }))
    throw new DomainError("FORBIDDEN", MESSAGES.files.readOnly);
  return file;
}
