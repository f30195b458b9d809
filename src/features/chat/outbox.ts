import { isUploadedFile } from "@/features/files/is-uploaded-file";
import { createOutbox, isUnsent } from "@/lib/outbox";
import type { UnsentMessage } from "./chat-cache";
import { threadKeyOf } from "./thread-people";

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
