import type { Conversation, MessagePage } from "@server/contract/views";

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;
/** Farther back nobody goes on reading: the conversation opens at its end, and says so. */
const MAX_UNREAD = 1_000;
/** What was read already stands above the first unread one, so that it has a context and room to scroll. */
const CONTEXT = 40;

/** Where a conversation opens. */
export interface UnreadReach {
  /** From which number on everything was unread at that moment; null when nothing was. */
  newFromSeq: number | null;
  /** Down to which number to read before anything is shown; null: the newest page will do. */
  readDownTo: number | null;
  /** More was unread than one would read: it opens at the newest. */
  isTooMuch: boolean;
}

/** Where it opens, by what is unread now. */
export function unreadReach(
  conversation: Pick<Conversation, "unreadCount" | "ownReadSeq" | "lastSeq"> | null,
): UnreadReach {
  if (!conversation || conversation.unreadCount === 0) return { newFromSeq: null, readDownTo: null, isTooMuch: false };
  const { ownReadSeq, lastSeq } = conversation;
  const span = lastSeq - ownReadSeq;
  const isTooMuch = span > MAX_UNREAD;
  const isNear = span + CONTEXT <= PAGE_SIZE;
  return {
    newFromSeq: ownReadSeq + 1,
    readDownTo: isTooMuch || isNear ? null : Math.max(1, ownReadSeq + 1 - CONTEXT),
    isTooMuch,
  };
}

/** The newest messages as one page that begins at that number or before it. `read` brings a page of so many. */
export async function readDown(
  read: (place: { before?: number; limit: number }) => Promise<MessagePage>,
  seq: number,
): Promise<MessagePage> {
  let page = await read({ limit: MAX_PAGE_SIZE });
  while (page.nextCursor !== null && page.nextCursor > seq) {
    const older = await read({ before: page.nextCursor, limit: MAX_PAGE_SIZE });
    page = { items: [...older.items, ...page.items], nextCursor: older.nextCursor };
  }
  return page;
}
