import { readTextDraft, writeTextDraft } from "@/lib/text-draft";
import { acceptDraftKey, readAcceptDraft, writeAcceptDraft } from "./accept-draft";
import { REPLY_KINDS, replyDraftKey } from "./request-draft";

/** What somebody typed about a request in this tab and has not sent. */
export function unsentTexts(userId: string, requestId: string): string[] {
  const task = readAcceptDraft(acceptDraftKey(userId, requestId));
  const replies = REPLY_KINDS.map((kind) => readTextDraft(replyDraftKey(kind, { userId, requestId })));
  return [...replies, task ? `${task.title}\n\n${task.description}` : ""].filter((text) => text.trim() !== "");
}

export function dropUnsent(userId: string, requestId: string): void {
  for (const kind of REPLY_KINDS) writeTextDraft(replyDraftKey(kind, { userId, requestId }), "");
  writeAcceptDraft(acceptDraftKey(userId, requestId), null);
}
