import { CHAT_MESSAGES } from "@server/contract/messages/chat";
import { useMemo } from "react";
import { newKey } from "@/lib/new-key";
import { newUnsent } from "@/lib/outbox";
import { createDelivery, type Sender, useOutbox } from "@/lib/outbox-delivery";
import { putConversation } from "./conversation-cache";
import { messageOutbox, type UnsentMessage } from "./outbox";
import { putMessage } from "./use-chat";

/** How messages reach the server. */
export const messageDelivery = createDelivery<UnsentMessage>({
  outbox: messageOutbox,
  send,
  failureOf: ({ conversationId }) => (conversationId === null ? CHAT_MESSAGES.startFailed : CHAT_MESSAGES.sendFailed),
  onRefused(_message, { utils }) {
    // The partner may be inactive now, which the screen then shows.
    void utils.chat.conversations.invalidate();
    void utils.chat.recipients.invalidate();
  },
});

/** The person's unsent messages. */
export function useMessageOutbox(ownId: string) {
  const outbox = useOutbox(messageDelivery, ownId);
  return useMemo(
    () => ({
      ...outbox,
      send: (message: Pick<UnsentMessage, "partnerId" | "conversationId" | "isCover" | "text" | "files">) =>
        outbox.send({ ...message, ...newUnsent(), clientMessageId: newKey() }),
    }),
    [outbox],
  );
}

async function send(message: UnsentMessage, { utils, queryClient }: Sender, call: { signal: AbortSignal }) {
  const { clientMessageId, conversationId, partnerId, text, files = [] } = message;
  const { chat } = utils.client;
  // A server of the version before, which may still answer during an upgrade, knows no files.
  const sent = { text, clientMessageId, ...(files.length > 0 && { fileIds: files.map(({ id }) => id) }) };
  if (conversationId !== null) {
    putMessage(queryClient, await chat.send.mutate({ conversationId, ...sent }, call));
    return;
  }
  const started = await chat.start.mutate({ recipientId: partnerId, ...sent }, call);
  putMessage(queryClient, started.message);
  utils.chat.conversations.setData(undefined, (list) => list && putConversation(list, started.conversation));
}
