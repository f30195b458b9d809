import { TASK_PRIORITIES } from "@db/enums";
import * as z from "zod/mini";
import { readDraft, writeDraft } from "@/lib/session-draft";

/** Identifies this module as the writer: no other form in the tab shares these drafts. */
const WRITER = {};

const fieldsSchema = z.object({
  title: z.string(),
  description: z.string(),
  dueDate: z.string(),
  priority: z.enum(TASK_PRIORITIES),
  labelIds: z.array(z.string()),
  assignedTo: z.array(z.string()),
});

/** The fields of the task that a request is to become, as they are typed. */
export type AcceptDraft = z.output<typeof fieldsSchema>;

export function acceptDraftKey(userId: string, requestId: string): string {
  return `draft-request-task-${userId}-${requestId}`;
}

export function readAcceptDraft(key: string): AcceptDraft | null {
  return readDraft(key, (stored) => {
    const { success, data } = z.safeParse(fieldsSchema, stored);
    return success ? data : null;
  });
}

export function writeAcceptDraft(key: string, draft: AcceptDraft | null): void {
  writeDraft(key, draft, WRITER);
}
