import type { ConversationEvent, Message, MessagePage } from "@server/contract/views";
import {
  type InfiniteData,
  InfiniteQueryObserver,
  notifyManager,
  type QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import {
  allMessages,
  knownUpTo,
  NOTHING_RECEIVED,
  type Received,
  receive,
  receiveMessage,
} from "@/features/chat/chat-cache";
import type { UnreadReach } from "@/features/chat/message-pages";
import { messagePages } from "@/features/chat/message-pages";
import type { ChatClient } from "./browser-client";
import type { Journal } from "./journal";

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

export interface OpenThread {
  conversationId: string;
  /** Undefined until the first has been read. */
  pages(): MessagePage[] | undefined;
  /** As scrolling up does: reads the next older page, if there is one. */
  readOlder(): Promise<void>;
  isWhole(): boolean;
  isAtRest(): boolean;
  /** Call it when something was received. */
  sync(): void;
  leave(): void;
}

interface ThreadOptions {
  conversationId: string;
  reach: UnreadReach;
  client: ChatClient;
  queryClient: QueryClient;
  received: ReceivedStore;
  onChange(): void;
  journal: Journal;
}

/** Reads and follows an open conversation with the query options, merging and rules of the app's hooks. */
export function openThread(options: ThreadOptions): OpenThread {
  const { conversationId, client, received, onChange, journal } = options;
  const observer = observePages(options);
  let stream: { unsubscribe(): void } | null = null;
  let retry: NodeJS.Timeout | undefined;
  const current = () => observer.getCurrentResult();

  function sync(): void {
    const pages = current().data?.pages;
    if (pages && !stream) follow(knownUpTo(allMessages(pages, received.of(conversationId))));
  }
  function follow(knownSeq: number): void {
    let previousSeq = knownSeq;
    stream = client.chat.onMessage.subscribe(
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
  }
  /** A failed request shows a button, and the person presses it. */
  function pressRetry(): void {
    clearTimeout(retry);
    if (current().isError && !current().isFetching) retry = setTimeout(() => void observer.refetch(), 1_000);
  }
  // Batched, as React is notified. A synchronous call would reach the page while it is still opening this conversation.
  const stop = observer.subscribe(
    notifyManager.batchCalls(() => {
      pressRetry();
      onChange();
    }),
  );
  return {
    conversationId,
    pages: () => current().data?.pages,
    async readOlder() {
      if (current().hasNextPage && !current().isFetching) await observer.fetchNextPage();
    },
    isWhole: () => current().data !== undefined && !current().hasNextPage,
    isAtRest: () => current().data !== undefined && !current().isFetching && !current().isError,
    sync,
    leave() {
      clearTimeout(retry);
      stop();
      stream?.unsubscribe();
    },
  };
}

function observePages({ conversationId, reach: { newFromSeq, readDownTo }, client, queryClient }: ThreadOptions) {
  return new InfiniteQueryObserver<
    MessagePage,
    Error,
    InfiniteData<MessagePage, number | null>,
    QueryKey,
    number | null
  >(queryClient, {
    queryKey: ["messages", conversationId, newFromSeq],
    ...messagePages({ conversationId, readDownTo, read: client.chat.messages.query }),
  });
}
