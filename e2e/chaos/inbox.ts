import type { Conversation } from "@server/contract/views";
import { notifyManager, type QueryClient, QueryObserver } from "@tanstack/react-query";
import { createTRPCQueryUtils, createTRPCReact, getQueryKey } from "@trpc/react-query";
import type { Unsubscribable } from "@trpc/server/observable";
import { markSeen, putConversation } from "@/features/chat/chat-cache";
import type { LiveCursors } from "@/lib/live-cursor";
import { createReader, isResume } from "@/lib/live-sync";
import type { AppRouter } from "../../server/router";
import type { ChatClient } from "./browser-client";
import { type InboxLine, labelOf } from "./history";
import type { Journal } from "./journal";

/** The list of conversations, as every page of the app reads and follows it. */
export interface Inbox {
  list(): readonly Conversation[];
  lines(): InboxLine[];
  unreadTotal(): number;
  put(conversation: Conversation): void;
  /** Drops the badge at once. Returns the rollback. */
  showSeen(seen: { conversationId: string; upToSeq: number }): () => void;
  isAtRest(): boolean;
  close(): void;
}

interface InboxOptions {
  client: ChatClient;
  cursors: LiveCursors;
  queryClient: QueryClient;
  onChange(): void;
  journal: Journal;
}

const trpc = createTRPCReact<AppRouter>();

export function openInbox({ client, cursors, queryClient, onChange, journal }: InboxOptions): Inbox {
  const { conversations } = createTRPCQueryUtils({ queryClient, client }).chat;
  const query = new QueryObserver<Conversation[]>(queryClient, {
    queryKey: getQueryKey(trpc.chat.conversations, undefined, "query"),
    queryFn: ({ signal }) => client.chat.conversations.query(undefined, { signal }),
  });
  const change = (next: (list: Conversation[]) => Conversation[]) =>
    conversations.setData(undefined, (list) => list && next(list));
  const list = () => query.getCurrentResult().data ?? [];
  const read = createReader(queryClient);
  const key = { queryKey: getQueryKey(trpc.chat.conversations) };
  let stream: Unsubscribable | null = null;
  const stop = query.subscribe(
    notifyManager.batchCalls(({ isFetched }) => {
      if (isFetched) stream ??= follow();
      onChange();
    }),
  );
  function follow(): Unsubscribable {
    const lastEventId = cursors.oldest(queryClient.getQueryCache().findAll(key));
    return client.chat.onInbox.subscribe(lastEventId === undefined ? undefined : { lastEventId }, {
      onStarted: () => void (lastEventId === undefined && read([key])),
      onData(event) {
        if (isResume(event)) return void (event.type === "resync" && read([key]));
        change((known) => putConversation(known, event.conversation));
        if (queryClient.isFetching(key) > 0) void read([key]);
      },
      onError: (error) => journal.streamEnd(error),
    });
  }
  return {
    list,
    lines: () =>
      list().map(({ id, otherUser, unreadCount, lastSeq, lastMessage }) => ({
        id,
        partnerId: otherUser.id,
        unread: unreadCount,
        lastSeq,
        lastLabel: lastMessage && labelOf(lastMessage.text),
      })),
    unreadTotal: () => list().reduce((total, { unreadCount }) => total + unreadCount, 0),
    put: (conversation) => void change((known) => putConversation(known, conversation)),
    showSeen(seen) {
      const before = list().find(({ id }) => id === seen.conversationId);
      change((known) => [...markSeen(known, seen)]);
      return () => {
        if (!before) return;
        const { id, ownReadSeq, unreadCount } = before;
        const isStillShown = (one: Conversation) => one.id === id && one.ownReadSeq === seen.upToSeq;
        change((known) => known.map((one) => (isStillShown(one) ? { ...one, ownReadSeq, unreadCount } : one)));
      };
    },
    isAtRest() {
      const { data, isFetching } = query.getCurrentResult();
      return data !== undefined && !isFetching;
    },
    close() {
      stop();
      stream?.unsubscribe();
    },
  };
}
