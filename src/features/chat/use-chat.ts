import type { Conversation, Message, MessagePage } from "@server/contract/views";
import {
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { trpc } from "@/lib/trpc";
import { allMessages, markSeen, NOTHING_RECEIVED, type Received, receive, receiveMessage } from "./chat-cache";
import { messagePages, type UnreadReach } from "./message-pages";

const RETRY_READ_MS = 5_000;
const TYPING_EVERY_MS = 3_000;

/** The cache, and what calls the server past it. */
export type Utils = ReturnType<typeof trpc.useUtils>;

/** One's own conversations, newest first. `useInbox` of the page keeps them true. */
export function useConversations() {
  return trpc.chat.conversations.useQuery();
}

/** Whom one may begin to write to, by name. */
export function useRecipients({ enabled = true }: { enabled?: boolean } = {}) {
  return trpc.chat.recipients.useQuery(undefined, { enabled });
}

type MessagesOf = Pick<UnreadReach, "newFromSeq" | "readDownTo"> & { conversationId: string | null };

/**
 * The messages of a conversation as pages, each read once an opening, and what was received beside them. The two are kept apart, so
 * that no reading under way overwrites what was received.
 */
export function useMessages({ conversationId, newFromSeq, readDownTo }: MessagesOf) {
  const { client } = trpc.useUtils();
  const id = conversationId ?? "";
  const query = useInfiniteQuery<MessagePage, Error, InfiniteData<MessagePage, number | null>, QueryKey, number | null>(
    {
      // Pages that an earlier visit has read lack what is new in this one.
      queryKey: [...getQueryKey(trpc.chat.messages, { conversationId: id }, "infinite"), newFromSeq],
      ...messagePages({ conversationId: id, readDownTo, read: client.chat.messages.query }),
      enabled: conversationId !== null,
    },
  );
  const { data: received = NOTHING_RECEIVED } = useQuery<Received>({
    queryKey: receivedKey(id),
    queryFn: () => NOTHING_RECEIVED,
    enabled: false,
  });
  const pages = query.data?.pages;
  const messages = useMemo(() => allMessages(pages ?? [], received), [pages, received]);
  return { ...query, pages, received, messages };
}

/** Follows the open conversation past `knownSeq`, as it is when this begins. Mount it anew for another one. */
export function useLiveMessages({
  conversationId,
  knownSeq,
  onMessage,
}: {
  conversationId: string;
  knownSeq: number;
  /** The stream has told a message that was not known when this began. */
  onMessage: (message: Message) => void;
}): void {
  const queryClient = useQueryClient();
  // Another input would be another subscription; tRPC itself resumes from what was told last.
  const [fromSeq] = useState(knownSeq);
  trpc.chat.onMessage.useSubscription(
    { conversationId, lastEventId: String(fromSeq) },
    {
      onData({ data: event }) {
        putReceived(queryClient, conversationId, (received) => receive(received, event));
        if (event.type === "message" && event.message.seq > fromSeq) onMessage(event.message);
      },
    },
  );
}

/** Puts a message that the server has acknowledged into its conversation. */
export function putMessage(queryClient: QueryClient, message: Message): void {
  putReceived(queryClient, message.conversationId, (received) => receiveMessage(received, message));
}

/** Says that one has seen everything up to the newest message while `isSeen`; badges drop at once. */
export function useMarkRead({ conversation, isSeen }: { conversation: Conversation | null; isSeen: boolean }): void {
  const utils = trpc.useUtils();
  /** When the next try is due after one that failed, by this page's clock; what comes meanwhile puts it off no further. */
  const [retryAtMs, setRetryAtMs] = useState(0);
  const { mutate, isPending } = trpc.chat.markRead.useMutation({
    onMutate(seen) {
      const before = utils.chat.conversations.getData();
      utils.chat.conversations.setData(undefined, (list) => list && [...markSeen(list, seen)]);
      return before?.find(({ id }) => id === seen.conversationId);
    },
    onError(_error, { conversationId, upToSeq }, before) {
      setRetryAtMs(performance.now() + RETRY_READ_MS);
      if (!before) return;
      const { ownReadSeq, unreadCount } = before;
      utils.chat.conversations.setData(undefined, (list) =>
        list?.map((one) =>
          one.id === conversationId && one.ownReadSeq === upToSeq ? { ...one, ownReadSeq, unreadCount } : one,
        ),
      );
    },
    onSuccess: () => setRetryAtMs(0),
  });
  const id = conversation?.id;
  const upToSeq = conversation?.lastSeq ?? 0;
  const isBehind = conversation !== null && isSeen && conversation.unreadCount > 0 && !isPending;
  useEffect(() => {
    if (!isBehind || id === undefined) return;
    const waitMs = Math.max(0, retryAtMs - performance.now());
    const timer = setTimeout(() => mutate({ conversationId: id, upToSeq }), waitMs);
    return () => clearTimeout(timer);
  }, [isBehind, id, upToSeq, retryAtMs, mutate]);
}

/** Tells the other one that one types, at most every 3 s. Nothing waits for it, and nobody hears when it fails. */
export function useNoteTyping(conversationId: string | null): () => void {
  const { client } = trpc.useUtils();
  const notedAtMs = useRef(Number.NEGATIVE_INFINITY);
  return () => {
    const nowMs = performance.now();
    if (conversationId === null || nowMs - notedAtMs.current < TYPING_EVERY_MS) return;
    notedAtMs.current = nowMs;
    void client.chat.noteTyping.mutate({ conversationId }).catch(() => {});
  };
}

function putReceived(queryClient: QueryClient, conversationId: string, change: (received: Received) => Received): void {
  const key = receivedKey(conversationId);
  const known = queryClient.getQueryData<Received>(key) ?? NOTHING_RECEIVED;
  const next = change(known);
  if (next !== known) queryClient.setQueryData<Received>(key, next);
}

function receivedKey(conversationId: string): QueryKey {
  return [...getQueryKey(trpc.chat.messages, { conversationId }), "received"];
}
