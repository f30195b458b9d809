import type { LiveTopic } from "@server/contract/live";
import { isResume, type ResumeEvent } from "@server/contract/live-cursor";
import type { Conversation, InboxChange } from "@server/contract/views";
import { notifyManager, type QueryClient, QueryObserver } from "@tanstack/react-query";
import { createTRPCQueryUtils, createTRPCReact, getQueryKey } from "@trpc/react-query";
import type { Unsubscribable } from "@trpc/server/observable";
import { keepLater, markSeen, putConversation, receiveChange } from "@/features/chat/conversation-cache";
import type { LiveCursors } from "@/lib/live-cursor";
import { createReader } from "@/lib/query-updates";
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

/** The one stream that a page of the app opens for all that it follows, or the inbox's own, which other programs may open. */
export type StreamKind = "live.onEvent" | "chat.onInbox";

interface InboxOptions {
  kind: StreamKind;
  client: ChatClient;
  cursors: LiveCursors;
  queryClient: QueryClient;
  onChange(): void;
  journal: Journal;
}

/** The stream does not wait longer for the first answer of the page. */
const FIRST_ANSWER_MS = 500;

/** What the Messages page and the frame around it follow. */
const TOPICS: LiveTopic[] = ["inbox", "presence", "projects"];

const trpc = createTRPCReact<AppRouter>();

export function openInbox({ kind, client, cursors, queryClient, onChange, journal }: InboxOptions): Inbox {
  const { conversations } = createTRPCQueryUtils({ queryClient, client }).chat;
  const query = new QueryObserver<Conversation[]>(queryClient, {
    queryKey: getQueryKey(trpc.chat.conversations, undefined, "query"),
    queryFn: ({ signal }) => client.chat.conversations.query(undefined, { signal }),
    structuralSharing: keepLater,
  });
  const change = (next: (list: Conversation[]) => Conversation[]) =>
    conversations.setData(undefined, (list) => list && next(list));
  const list = () => query.getCurrentResult().data ?? [];
  const read = createReader(queryClient);
  const key = { queryKey: getQueryKey(trpc.chat.conversations) };
  const stop = query.subscribe(notifyManager.batchCalls(onChange));
  let stream: Unsubscribable | null = null;
  function follow(): void {
    if (stream || isClosed) return;
    const lastEventId = cursors.oldest(queryClient.getQueryCache().findAll(key));
    let isResuming = lastEventId !== undefined;
    const receive = (event: InboxChange | ResumeEvent) => {
      if (isResume(event)) {
        if (isResuming && event.type === "resync") void read([key]);
        isResuming = false;
        return;
      }
      change((known) => receiveChange(known, event));
      if (queryClient.isFetching(key) > 0) void read([key]);
    };
    const handlers = {
      onStarted: () => void (isResuming || read([key])),
      onError: (error: unknown) => journal.streamEnd(error),
    };
    const since = lastEventId === undefined ? {} : { lastEventId };
    stream =
      kind === "chat.onInbox"
        ? client.chat.onInbox.subscribe(since, { ...handlers, onData: receive })
        : client.live.onEvent.subscribe(
            { topics: TOPICS, ...since },
            { ...handlers, onData: ({ topic, event }) => void (topic === "inbox" && receive(event)) },
          );
  }
  let isClosed = false;
  // The app asks who is signed in before it opens a stream.
  const late = setTimeout(follow, FIRST_ANSWER_MS);
  client.auth.me.query().then(follow, follow);
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
      isClosed = true;
      clearTimeout(late);
      stream?.unsubscribe();
    },
  };
}
