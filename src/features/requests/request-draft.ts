import { REQUEST_URGENCIES } from "@db/client-enums";
import type { File as UploadedFile } from "@server/contract/views";
import * as z from "zod/mini";
import { isUploadedFile } from "@/features/files/is-uploaded-file";
import { readDraft, writeDraft } from "@/lib/session-draft";
import { acceptDraftKey } from "./accept-draft";

/** Identifies this module as the writer: no other form in the tab shares these drafts. */
const WRITER = {};

const fieldsSchema = z.object({
  projectId: z.string(),
  title: z.string(),
  text: z.string(),
  urgency: z.enum(REQUEST_URGENCIES),
  /** Kept with the draft: what is sent again after a reload is the same request. */
  clientRequestId: z.string(),
});
export type RequestDraft = z.output<typeof fieldsSchema> & { files: UploadedFile[] };

/** The new request that was begun in this tab, of a message or of none. */
export function readRequestDraft(key: string): RequestDraft | null {
  return readDraft(key, parseDraft);
}

export function writeRequestDraft(key: string, draft: RequestDraft | null): void {
  writeDraft(key, draft, WRITER);
}

function parseDraft(stored: unknown): RequestDraft | null {
  const { success, data } = z.safeParse(fieldsSchema, stored);
  if (!success || typeof stored !== "object" || stored === null) return null;
  const { files }: { files?: unknown } = stored;
  return { ...data, files: Array.isArray(files) ? files.filter(isUploadedFile) : [] };
}

const REPLY_KINDS = ["question", "answer", "reason"] as const;
type ReplyKind = (typeof REPLY_KINDS)[number];
type OfRequest = { userId: string; requestId: string };

/** Where what somebody writes about a request is kept. */
export function replyDraftKey(kind: ReplyKind, { userId, requestId }: OfRequest): string {
  return `draft-request-${kind}-${userId}-${requestId}`;
}

/** All that somebody may be writing about a request: replies, and the task that it is to become. */
export function requestDraftKeys({ userId, requestId }: OfRequest): string[] {
  const replies = REPLY_KINDS.map((kind) => replyDraftKey(kind, { userId, requestId }));
  return [...replies, acceptDraftKey(userId, requestId)];
}
