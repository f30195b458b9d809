import type { Visibility } from "@db/enums";
import type { Subject } from "@server/contract/subjects";
import type { Comment, File as UploadedFile } from "@server/contract/views";
import { isUploadedFile } from "@/features/files/is-uploaded-file";
import { draftKeys, readDraft, writeDraft } from "@/lib/session-draft";
import { EMPTY_TEXT, type Mentioned, type MentionText, toSent } from "./mention-text";
import { subjectKey } from "./outbox";

/** Identifies this module as the writer: no other form in the tab shares these drafts. */
const WRITER = {};

/** What was typed and uploaded in a text field. */
export interface CommentDraft extends MentionText {
  files: readonly UploadedFile[];
}

export const EMPTY_DRAFT: CommentDraft = { ...EMPTY_TEXT, files: [] };

/** What this tab has not sent, by a key of its own for each text field. */
export function readCommentDraft(key: string): CommentDraft {
  return readDraft(key, parseDraft) ?? EMPTY_DRAFT;
}

export function writeCommentDraft(key: string, draft: CommentDraft): void {
  writeDraft(key, draft.text === "" && draft.files.length === 0 ? null : draft, WRITER);
}

/** The key of the composer's draft. */
export function commentDraftKey(ownId: string, subject: Subject): string {
  return `comment:${ownId}:${subjectKey(subject)}`;
}

/** A comment as it was when its author began to edit it. */
export type SeenComment = Pick<Comment, "text" | "editedAt">;

/** What was typed into a comment that exists; `seen` is null in drafts of earlier versions. */
interface EditDraft extends MentionText {
  seen: SeenComment | null;
}

/** The key of an edit's draft. */
export function editDraftKey(ownId: string, { id, projectId, taskId }: EditedComment): string {
  return `${editKeys(ownId, taskId === null ? { projectId } : { taskId })}${id}`;
}
type EditedComment = Pick<Comment, "id" | "projectId" | "taskId">;

/** What was typed into comments on that thing and is not saved, for when they can't be seen any more. */
export function unsavedEdits(ownId: string, subject: Subject): string[] {
  return draftKeys(editKeys(ownId, subject)).flatMap((key) => {
    const draft = readEditDraft(key);
    return draft && toSent(draft) !== draft.seen?.text ? [draft.text] : [];
  });
}

function editKeys(ownId: string, subject: Subject): string {
  return `comment-edit:${ownId}:${subjectKey(subject)}:`;
}

/** What this tab has not saved of an edit; null for none. */
export function readEditDraft(key: string): EditDraft | null {
  return readDraft(key, parseEditDraft);
}

/** Null deletes it. */
export function writeEditDraft(key: string, draft: EditDraft | null): void {
  writeDraft(key, draft, WRITER);
}

type Author = { ownId: string; projectId: string };

/** The last choice of that person in that project. */
export function readVisibility(author: Author): Visibility {
  return readStored(`comment-visibility:${author.ownId}:${author.projectId}`) === "client" ? "client" : "team";
}

export function writeVisibility(author: Author, visibility: Visibility): void {
  writeStored(`comment-visibility:${author.ownId}:${author.projectId}`, visibility);
}

/** Whether that person has been asked, in that project, if the client is to see what they write. */
export function wasAskedAboutClient(author: Author): boolean {
  return readStored(`comment-client-asked:${author.ownId}:${author.projectId}`) !== null;
}

export function noteAskedAboutClient(author: Author): void {
  writeStored(`comment-client-asked:${author.ownId}:${author.projectId}`, "yes");
}

/** For when localStorage is closed to us: holds for this visit. */
const unstored = new Map<string, string>();

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? unstored.get(key) ?? null;
  } catch {
    return unstored.get(key) ?? null;
  }
}

function writeStored(key: string, value: string): void {
  unstored.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage is full or disabled.
  }
}

function parseDraft(stored: unknown): CommentDraft | null {
  if (typeof stored !== "object" || stored === null) return null;
  const { text, mentioned, files }: Partial<Record<keyof CommentDraft, unknown>> = stored;
  if (typeof text !== "string" || !Array.isArray(mentioned)) return null;
  return {
    text,
    mentioned: mentioned.filter(isMentioned),
    files: Array.isArray(files) ? files.filter(isUploadedFile) : [],
  };
}

function parseEditDraft(stored: unknown): EditDraft | null {
  const draft = parseDraft(stored);
  if (!draft || typeof stored !== "object" || stored === null) return null;
  const { seen }: { seen?: unknown } = stored;
  return { text: draft.text, mentioned: draft.mentioned, seen: isSeen(seen) ? seen : null };
}

function isSeen(stored: unknown): stored is SeenComment {
  if (typeof stored !== "object" || stored === null) return false;
  const { text, editedAt }: Partial<Record<keyof SeenComment, unknown>> = stored;
  return typeof text === "string" && (editedAt === null || typeof editedAt === "string");
}

function isMentioned(stored: unknown): stored is Mentioned {
  if (typeof stored !== "object" || stored === null) return false;
  const person: Partial<Record<keyof Mentioned, unknown>> = stored;
  return typeof person.id === "string" && typeof person.name === "string" && person.name !== "";
}
