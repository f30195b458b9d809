import { CHAT_MESSAGES } from "@server/contract/messages/chat";
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
import { useMemo, useRef, useState } from "react";
import { trpc } from "@/lib/trpc";
import { useReadMark } from "@/lib/use-read-mark";
import { messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";
import { keepLater, markSeen } from "./conversation-cache";
import { messagePages, type UnreadReach } from "./message-pages";
import { allMessages, NOTHING_RECEIVED, type Received, receive, receiveMessage } from "./thread";

const TYPING_EVERY_MS = 3_000;

/** The signed-in person's conversations, newest first. Kept up to date by `useInbox`. */
export function useConversations() {
  return trpc.chat.conversations.useQuery(undefined, { structuralSharing: keepLater });
}

/** The people whom the signed-in person can message, by name. */
export function useRecipients({ enabled = true }: { enabled?: boolean } = {}) {
  return trpc.chat.recipients.useQuery(undefined, { enabled });
}

type MessagesOf = Pick<UnreadReach, "newFromSeq" | "readDownTo"> & { conversationId: string | null };

/**
 * The messages of a conversation: pages, each read once per visit, and received messages. They are kept apart so that a page
 * that is still loading cannot overwrite what was received.
 */
export function useMessages({ conversationId, newFromSeq, readDownTo }: MessagesOf) {
  const { client } = trpc.useUtils();
  const id = conversationId ?? "";
  const query = useInfiniteQuery<MessagePage, Error, InfiniteData<MessagePage, number | null>, QueryKey, number | null>(
    {
      // A key per visit: pages of an earlier visit lack what is new in this one.
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

/** Subscribes to the conversation after the first `knownSeq` it is given. Give the component the conversation's id as its key. */
export function useLiveMessages({
  conversationId,
  knownSeq,
  onMessage,
}: {
  conversationId: string;
  knownSeq: number;
  /** Called for each message that was not known when the subscription began. */
  onMessage: (message: Message) => void;
}): void {
  const queryClient = useQueryClient();
  // Fixed: another input would be another subscription, and tRPC itself resumes after the last event.
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

/** Adds an acknowledged message to its conversation. */
export function putMessage(queryClient: QueryClient, message: Message): void {
  putReceived(queryClient, message.conversationId, (received) => receiveMessage(received, message));
}

/** Marks the conversation as read while `isSeen`. Optimistic: badges drop at once. */
export function useMarkRead({ conversation, isSeen }: { conversation: Conversation | null; isSeen: boolean }): void {
  const utils = trpc.useUtils();
  const mutation = trpc.chat.markRead.useMutation({
    onMutate(seen) {
      const before = utils.chat.conversations.getData();
      utils.chat.conversations.setData(undefined, (list) => list && [...markSeen(list, seen)]);
      return before?.find(({ id }) => id === seen.conversationId);
    },
    onError(_error, { conversationId, upToSeq }, before) {
      if (!before) return;
      const { ownReadSeq, unreadCount } = before;
      utils.chat.conversations.setData(undefined, (list) =>
        list?.map((one) =>
          one.id === conversationId && one.ownReadSeq === upToSeq ? { ...one, ownReadSeq, unreadCount } : one,
        ),
      );
    },
  });
  const { id: conversationId = "", lastSeq: upToSeq = 0, unreadCount = 0 } = conversation ?? {};
  useReadMark({ mutation, input: { conversationId, upToSeq }, isBehind: isSeen && unreadCount > 0 });
}

/** Tells the partner about typing, at most every 3 s. Failures are ignored. */
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

/** Keeps its form until the server has it; the message's chip comes by the conversation's stream. */
export function useMakeTask() {
  const utils = trpc.useUtils();
  return trpc.chat.toTask.useMutation({
    onSuccess({ projectId }) {
      void utils.tasks.list.invalidate({ projectId });
      void utils.tasks.mine.invalidate();
      toast.success(CHAT_MESSAGES.taskMade);
    },
    onError: (error) => toast.error(CHAT_MESSAGES.makeTaskFailed, { description: messageOf(error) }),
  });
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
