import type { Subject } from "@server/contract/subjects";
import type { File as UploadedFile } from "@server/contract/views";
import { readDraft, writeDraft } from "@/lib/session-draft";
import { isUploadedFile } from "./is-uploaded-file";

/** Identifies this module as the writer: no other form in the tab shares these drafts. */
const WRITER = {};

/** The key of what that person has chosen for a project or a task in this tab. */
export function subjectFilesKey(ownId: string, subject: Subject): string {
  return `files:${ownId}:${"taskId" in subject ? `task:${subject.taskId}` : `project:${subject.projectId}`}`;
}

/** The files that are uploaded and not attached. */
export function readSubjectFiles(key: string): readonly UploadedFile[] {
  return readDraft(key, (stored) => (Array.isArray(stored) ? stored.filter(isUploadedFile) : null)) ?? [];
}

export function writeSubjectFiles(key: string, files: readonly UploadedFile[]): void {
  writeDraft(key, files.length === 0 ? null : files, WRITER);
}
