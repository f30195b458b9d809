import { MESSAGES } from "../contract/messages";
import type { Subject } from "../contract/subjects";
import { DomainError } from "../core/errors";
import { type ActiveCall, subjectNotFound } from "../projects/procedures";
import { mayWrite } from "./policy";
import { type CommentRow, findComment } from "./queries";
import { type Discussed, findDiscussed } from "./subjects";

/** Check 5: what comments are about, if the caller may see it; else NOT_FOUND, as for an id that does not exist. */
export async function visibleSubject({ db, actor }: ActiveCall, subject: Subject): Promise<Discussed> {
  const discussed = await findDiscussed(db, { subject, actor });
  if (!discussed) throw subjectNotFound("taskId" in subject ? subject.taskId : null);
  return discussed;
}

/** Checks 5 and 6: the same, if the caller may also write there. */
export async function writableSubject(call: ActiveCall, subject: Subject): Promise<Discussed> {
  const discussed = await visibleSubject(call, subject);
  requireWritable(call, discussed);
  return discussed;
}

/** Checks 5 and 6: a comment that the caller has written and may still change. Another's: FORBIDDEN, for admins too. */
export async function ownComment(call: ActiveCall, id: string): Promise<CommentRow> {
  return requireOwn(call, await visibleComment(call, id));
}

/** The same, or for admins anybody's. */
export async function deletableComment(call: ActiveCall, id: string): Promise<CommentRow> {
  const comment = await visibleComment(call, id);
  return call.actor.accountType === "admin" ? comment : requireOwn(call, comment);
}

async function visibleComment({ db, actor }: ActiveCall, id: string): Promise<CommentRow> {
  const comment = await findComment(db, { id, actor });
  if (!comment) throw commentNotFound();
  return comment;
}

/** The error of a comment that somebody may not see, or that does not exist. */
export function commentNotFound(): DomainError {
  return new DomainError("NOT_FOUND", MESSAGES.comments.notFound);
}

function requireOwn(call: ActiveCall, comment: CommentRow): CommentRow {
  if (comment.authorId !== call.actor.id) throw new DomainError("FORBIDDEN", MESSAGES.comments.notYours);
  requireWritable(call, comment);
  return comment;
}

/** Check 6, where the project is known: FORBIDDEN for whoever only reads there. */
export function requireWritable({ actor }: Pick<ActiveCall, "actor">, project: { clientCollaboration: boolean }): void {
  if (!mayWrite(actor, project)) throw new DomainError("FORBIDDEN", MESSAGES.comments.collaborationOff);
}
