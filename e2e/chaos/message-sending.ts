import type { Conversation, Message } from "@server/contract/views";
import type { UnsentMessage } from "@/features/chat/outbox";
import type { ChatClient } from "./browser-client";
import { labelOf } from "./history";
import type { Journal } from "./journal";
import type { Sending } from "./outbox";

interface MessageOptions {
  client: ChatClient;
  journal: Journal;
  /** A message has begun it. */
  onConversation(conversation: Conversation): void;
}

/** Messages are sent to a conversation, or to a person, which may begin one. */
export function messageSending(options: MessageOptions): Sending<UnsentMessage, Message> {
  const { client, journal, onConversation } = options;
  return {
    async post({ conversationId, partnerId: recipientId, text, clientMessageId }) {
      if (conversationId !== null) return client.chat.send.mutate({ conversationId, text, clientMessageId });
      const { conversation, message } = await client.chat.start.mutate({ recipientId, text, clientMessageId });
      onConversation(conversation);
      return message;
    },
    askedOf: ({ conversationId, clientMessageId, partnerId, text }) => ({
      operation: conversationId === null ? "start" : "send",
      key: clientMessageId,
      partnerId,
      label: labelOf(text),
    }),
    answerOf: ({ conversationId, seq }) => ({ placeId: conversationId, seq }),
    journal,
  };
}
