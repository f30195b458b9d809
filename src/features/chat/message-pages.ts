import type { Conversation, MessagePage } from "@server/contract/views";

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;
/** With more messages than this since the last one read, the conversation opens at its end; with more unread ones it says so. */
const MAX_UNREAD = 1_000;
/** Messages loaded above the first unread one, as context and room to scroll. */
const CONTEXT = 40;

/** Where a conversation opens, and how much to load for it. */
export interface UnreadReach {
  /** The seq of the first unread message; null when nothing is unread. */
  newFromSeq: number | null;
  /** Load down to this seq before anything is shown; null: the newest page is enough. */
  readDownTo: number | null;
  /** More than `MAX_UNREAD` messages are unread. */
  isTooMuch: boolean;
}

export function unreadReach(
  conversation: Pick<Conversation, "unreadCount" | "ownReadSeq" | "lastSeq"> | null,
): UnreadReach {
  if (!conversation || conversation.unreadCount === 0) return { newFromSeq: null, readDownTo: null, isTooMuch: false };
  const { unreadCount, ownReadSeq, lastSeq } = conversation;
  // One's own messages are in it: they do not move the mark.
  const span = lastSeq - ownReadSeq;
  const isFar = span > MAX_UNREAD;
  const isNear = span + CONTEXT <= PAGE_SIZE;
  return {
    newFromSeq: ownReadSeq + 1,
    readDownTo: isFar || isNear ? null : Math.max(1, ownReadSeq + 1 - CONTEXT),
    isTooMuch: unreadCount > MAX_UNREAD,
  };
}

interface MessagePagesOptions extends Pick<UnreadReach, "readDownTo"> {
  conversationId: Conversation["id"];
  read: (
    page: { conversationId: string; before?: number; limit?: number },
    call: { signal: AbortSignal },
  ) => Promise<MessagePage>;
}

/**
 * Query options for a conversation's messages: pages of 50; the newest one reaches down to the first unread message. Each page
 * is loaded once per visit, as the stream delivers everything later. Loading one again would remove what is on screen, and could
 * miss messages from before the stream's cursor.
 */
export function messagePages({ conversationId, readDownTo, read }: MessagePagesOptions) {
  return {
    queryFn({ pageParam, signal }: { pageParam: number | null; signal: AbortSignal }): Promise<MessagePage> {
      const readPage = (page: { before?: number; limit?: number }) => read({ conversationId, ...page }, { signal });
      if (pageParam !== null) return readPage({ before: pageParam });
      return readDownTo === null ? readPage({}) : readDown(readPage, readDownTo);
    },
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }: MessagePage) => nextCursor,
    // Not even when all queries are invalidated after an interruption.
    staleTime: ({ state }: { state: { data: unknown } }) => (state.data === undefined ? 0 : ("static" as const)),
  };
}

/** The newest messages as one page that begins at `seq` or before it. */
export async function readDown(
  read: (page: { before?: number; limit: number }) => Promise<MessagePage>,
  seq: number,
): Promise<MessagePage> {
  let page = await read({ limit: MAX_PAGE_SIZE });
  while (page.nextCursor !== null && page.nextCursor > seq) {
    const older = await read({ before: page.nextCursor, limit: MAX_PAGE_SIZE });
    page = { items: [...older.items, ...page.items], nextCursor: older.nextCursor };
  }
  return page;
}
