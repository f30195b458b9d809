import type { Visibility } from "@db/enums";
import type { Subject } from "@server/contract/subjects";
import type { File as UploadedFile } from "@server/contract/views";
import { isUploadedFile } from "@/features/files/is-uploaded-file";
import { createOutbox, isUnsent, type Unsent } from "@/lib/outbox";

/** A comment written here that the server has not acknowledged. */
export interface UnsentComment extends Unsent {
  clientCommentId: string;
  subject: Subject;
  /** As it is sent, mentions too. */
  text: string;
  visibility: Visibility;
  files: UploadedFile[];
}

/** Comments written in this browser that the server has not acknowledged; those on one thing are sent one by one. */
export const commentOutbox = createOutbox<UnsentComment>({
  name: "comments",
  keyOf: ({ clientCommentId }) => clientCommentId,
  queueOf: ({ subject }) => subjectKey(subject),
  isEntry: isUnsentComment,
});

/** What names the discussion in this browser: in storage, in keys of queries, and as the queue of what is sent. */
export function subjectKey(subject: Subject): string {
  return "taskId" in subject ? `task:${subject.taskId}` : `project:${subject.projectId}`;
}

function isUnsentComment(stored: unknown): stored is UnsentComment {
  if (!isUnsent(stored)) return false;
  const comment: Partial<Record<keyof UnsentComment, unknown>> = stored;
  return (
    typeof comment.clientCommentId === "string" &&
    isSubject(comment.subject) &&
    typeof comment.text === "string" &&
    (comment.visibility === "team" || comment.visibility === "client") &&
    Array.isArray(comment.files) &&
    comment.files.every(isUploadedFile)
  );
}

function isSubject(stored: unknown): boolean {
  const { taskId, projectId }: Partial<Record<string, unknown>> = Object(stored);
  return typeof (taskId ?? projectId) === "string";
}
