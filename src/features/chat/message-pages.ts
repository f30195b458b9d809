import type { Conversation, MessagePage } from "@server/contract/views";
import { readDown, type UnreadReach } from "./unread-reach";

export interface MessagePagesOptions extends Pick<UnreadReach, "readDownTo"> {
  conversationId: Conversation["id"];
  /** Brings a page of so many before a number, or the newest. */
  read: (
    place: { conversationId: string; before?: number; limit?: number },
    call: { signal: AbortSignal },
  ) => Promise<MessagePage>;
}

/**
 * The query of a conversation's messages as pages of 50, the newest page first, which reaches down to what was unread when it
 * was opened. Pages are read once an opening: the stream brings all that comes later. A page that was read again would take off
 * the screen what one looks at, and could leave out what the stream has been begun behind.
 */
export function messagePages({ conversationId, readDownTo, read }: MessagePagesOptions) {
  return {
    queryFn({ pageParam, signal }: { pageParam: number | null; signal: AbortSignal }): Promise<MessagePage> {
      const readPage = (place: { before?: number; limit?: number }) => read({ conversationId, ...place }, { signal });
      if (pageParam !== null) return readPage({ before: pageParam });
      return readDownTo === null ? readPage({}) : readDown(readPage, readDownTo);
    },
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }: MessagePage) => nextCursor,
    // Also when everything else is asked again after an interruption.
    staleTime: ({ state }: { state: { data: unknown } }) => (state.data === undefined ? 0 : ("static" as const)),
  };
}
