import type { ConversationEvent, Message, MessagePage } from "@server/contract/views";
import type { QueryClient } from "@tanstack/react-query";
import type { UnreadReach } from "@/features/chat/message-pages";
import { messagePages } from "@/features/chat/message-pages";
import {
  allMessages,
  knownUpTo,
  NOTHING_RECEIVED,
  type Received,
  receive,
  receiveMessage,
} from "@/features/chat/thread";
import type { ChatClient } from "./browser-client";
import type { Journal } from "./journal";
import { type OpenPages, openPages } from "./open-pages";

/** Received messages by conversation, for the life of the page. */
export interface ReceivedStore {
  of(conversationId: string): Received;
  noteEvent(conversationId: string, event: ConversationEvent): void;
  noteMessage(message: Message): void;
}

export function createReceivedStore(onChange: () => void): ReceivedStore {
  const received = new Map<string, Received>();
  const of = (id: string) => received.get(id) ?? NOTHING_RECEIVED;
  const put = (id: string, next: Received) => {
    if (next === of(id)) return;
    received.set(id, next);
    onChange();
  };
  return {
    of,
    noteEvent: (id, event) => put(id, receive(of(id), event)),
    noteMessage: (message) => put(message.conversationId, receiveMessage(of(message.conversationId), message)),
  };
}

export type OpenThread = OpenPages<MessagePage>;

interface ThreadOptions {
  conversationId: string;
  reach: UnreadReach;
  client: ChatClient;
  queryClient: QueryClient;
  received: ReceivedStore;
  onChange(): void;
  journal: Journal;
}

/** Reads and follows an open conversation with the merging and rules of the app's hooks. */
export function openThread(options: ThreadOptions): OpenThread {
  const { conversationId, reach, client, queryClient, received, onChange, journal } = options;
  const { newFromSeq, readDownTo } = reach;
  return openPages<MessagePage>({
    queryClient,
    query: {
      queryKey: ["messages", conversationId, newFromSeq],
      ...messagePages({ conversationId, readDownTo, read: client.chat.messages.query }),
    },
    follow(pages) {
      const knownSeq = knownUpTo(allMessages(pages, received.of(conversationId)));
      let previousSeq = knownSeq;
      return client.chat.onMessage.subscribe(
        { conversationId, lastEventId: String(knownSeq) },
        {
          onData({ data }) {
            if (data.type === "message") {
              const { seq } = data.message;
              journal.delivered({ conversationId, seq, previousSeq });
              previousSeq = seq;
            }
            received.noteEvent(conversationId, data);
          },
          onError: (error) => journal.streamEnd(error),
        },
      );
    },
    onChange,
  });
}
