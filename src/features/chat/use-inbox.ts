import { skipToken, useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useEffect, useMemo } from "react";
import { coalesce } from "@/lib/coalesce";
import { setTitleCount } from "@/lib/page-focus";
import { trpc } from "@/lib/trpc";
import { putConversation } from "./chat-cache";
import { useAttention } from "./use-attention";

type InboxOptions = {
  /** The page shows the messages. */
  isOpen: boolean;
  enabled?: boolean;
};

/**
 * How many messages wait for the signed-in person, kept true while the calling page is open: one subscription a page. The
 * title says it over the messages, and everywhere while nobody looks, for then the sidebar's badge is out of sight. Light,
 * because every page of the app has it.
 */
export function useInbox({ isOpen, enabled = true }: InboxOptions): number {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const { conversations } = utils.chat;
  const catchUp = useMemo(() => coalesce(() => conversations.invalidate()), [conversations]);
  trpc.chat.onInbox.useSubscription(enabled ? undefined : skipToken, {
    onStarted: () => void catchUp(),
    onData({ conversation }) {
      conversations.setData(undefined, (list) => list && putConversation(list, conversation));
      // What is being read now may have been written down before this happened.
      if (queryClient.isFetching({ queryKey: getQueryKey(trpc.chat.conversations) }) > 0) void catchUp();
    },
  });
  const unread = useUnread({ enabled });
  const inTitle = useAttention() && !isOpen ? 0 : unread;
  useEffect(() => setTitleCount(inTitle), [inTitle]);
  useEffect(() => () => setTitleCount(0), []);
  return unread;
}

/** How many messages wait, as the page's `useInbox` keeps it true. */
export function useUnread({ enabled = true }: { enabled?: boolean } = {}): number {
  const { data = [] } = trpc.chat.conversations.useQuery(enabled ? undefined : skipToken);
  return data.reduce((total, { unreadCount }) => total + unreadCount, 0);
}
