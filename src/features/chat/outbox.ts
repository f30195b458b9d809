import type { Message } from "@server/contract/views";
import { isUploadedFile } from "@/features/files/is-uploaded-file";
import { createOutbox, isUnsent, type Unsent } from "@/lib/outbox";
import { threadKeyOf } from "./thread-people";

export type UploadedFile = Message["files"][number];

/** A message written here that the server has not acknowledged. */
export interface UnsentMessage extends Unsent {
  clientMessageId: string;
  partnerId: string;
  /** Null when it begins the conversation. */
  conversationId: string | null;
  /** The writer covers that conversation: it is not their own one with the partner. */
  isCover?: boolean;
  text: string;
  /** Uploaded already. */
  files?: readonly UploadedFile[];
}

/** Messages written in this browser that the server has not acknowledged; those of one conversation are sent one by one. */
export const messageOutbox = createOutbox<UnsentMessage>({
  name: "outbox",
  keyOf: ({ clientMessageId }) => clientMessageId,
  queueOf: threadKeyOf,
  isEntry: isUnsentMessage,
});

function isUnsentMessage(stored: unknown): stored is UnsentMessage {
  if (!isUnsent(stored)) return false;
  const message: Partial<Record<keyof UnsentMessage, unknown>> = stored;
  return (
    typeof message.clientMessageId === "string" &&
    typeof message.partnerId === "string" &&
    (message.conversationId === null || typeof message.conversationId === "string") &&
    (message.isCover === undefined || typeof message.isCover === "boolean") &&
    typeof message.text === "string" &&
    (message.files === undefined || (Array.isArray(message.files) && message.files.every(isUploadedFile)))
  );
}
