import type { File as UploadedFile } from "@server/contract/views";
import { isUploadedFile } from "@/features/files/is-uploaded-file";
import { readDraft, writeDraft } from "@/lib/session-draft";

/** Identifies this module as the writer: no other form in the tab shares these drafts. */
const WRITER = {};

/** Whose draft, and of which conversation: see `threadKeyOf`. */
type DraftOwner = { ownId: string; threadKey: string };

/** What was written in a conversation in this tab and not sent, with the files that are uploaded already. */
export interface MessageDraft {
  text: string;
  files: readonly UploadedFile[];
}

const NOTHING: MessageDraft = { text: "", files: [] };

/** Empty when there is none. */
export function readMessageDraft(owner: DraftOwner): MessageDraft {
  return readDraft(messageDraftKey(owner), draftOf) ?? NOTHING;
}

export function writeMessageDraft(owner: DraftOwner, draft: MessageDraft): void {
  writeDraft(messageDraftKey(owner), isEmptyDraft(draft) ? null : draft, WRITER);
}

export function isEmptyDraft({ text, files }: MessageDraft): boolean {
  return text === "" && files.length === 0;
}

/** Whose draft it is among all of this tab. */
export function messageDraftKey({ ownId, threadKey }: DraftOwner): string {
  return `message:${ownId}:${threadKey}`;
}

function draftOf(stored: unknown): MessageDraft | null {
  if (typeof stored !== "object" || stored === null) return null;
  const draft: Partial<Record<keyof MessageDraft, unknown>> = stored;
  if (typeof draft.text !== "string") return null;
  return { text: draft.text, files: Array.isArray(draft.files) ? draft.files.filter(isUploadedFile) : [] };
}
