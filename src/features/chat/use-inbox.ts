import type { Conversation } from "@server/contract/views";
import { skipToken } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useEffect } from "react";
import { setFaviconDot } from "@/lib/favicon";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
import { setTitleCount } from "@/lib/page-focus";
import { trpc } from "@/lib/trpc";
import { keepLater, receiveChange } from "./conversation-cache";
import { useNotifications } from "./use-notifications";
import { useAttention, usePresence } from "./use-presence";

const CONVERSATIONS = { queryKey: getQueryKey(trpc.chat.conversations) };
registerLiveSync("inbox", {
  queries: [CONVERSATIONS],
  receive(change, { utils, queryClient }) {
    utils.chat.conversations.setData(undefined, (list) => list && receiveChange(list, change));
    // A request under way may return the list from before this change.
    return queryClient.isFetching(CONVERSATIONS) > 0 ? [CONVERSATIONS] : [];
  },
});

type InboxOptions = {
  /** Messages is the open page. */
  isOpen: boolean;
  enabled?: boolean;
};

/**
 * The signed-in person's unread count, kept up to date by one subscription per page. Shows it in the title while nobody is
 * looking or Messages is open, and as a dot on the favicon, and marks the person as present. Keep it light: every
 * page of the app loads it.
 */
export function useInbox({ isOpen, enabled = true }: InboxOptions): number {
  useLiveSync("inbox", { enabled });
  usePresence();
  const { data: list } = trpc.chat.conversations.useQuery(enabled ? undefined : skipToken, {
    structuralSharing: keepLater,
  });
  useNotifications(list);
  const unread = countUnread(list);
  const inTitle = useAttention() && !isOpen ? 0 : unread;
  useEffect(() => setTitleCount(inTitle), [inTitle]);
  useEffect(() => setFaviconDot(unread > 0), [unread]);
  useEffect(
    () => () => {
      setTitleCount(0);
      setFaviconDot(false);
    },
    [],
  );
  return unread;
}

/** The unread count that the page's `useInbox` keeps up to date. Undefined until known, null when it could not be read. */
export function useUnread({ enabled = true }: { enabled?: boolean } = {}): number | null | undefined {
  const { data, isLoadingError } = trpc.chat.conversations.useQuery(enabled ? undefined : skipToken, {
    structuralSharing: keepLater,
  });
  if (data) return countUnread(data);
  return isLoadingError ? null : undefined;
}

function countUnread(list: readonly Conversation[] = []): number {
  return list.reduce((total, { unreadCount }) => total + unreadCount, 0);
}
