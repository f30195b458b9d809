import { CHAT_MESSAGES } from "@server/contract/messages/chat";
import type { Conversation } from "@server/contract/views";
import { useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

const ORPHANED = { queryKey: getQueryKey(trpc.chat.ofInactiveAdmins) };

// Whoever is deactivated leaves conversations, and whoever comes back has them again.
registerLiveSync("users", { queries: [ORPHANED] });
// Who takes no part in a conversation learns from the audit alone that somebody covers it, or that a cover is over.
registerLiveSync("audit", { queries: [ORPHANED] });

/** Conversations of admins who are not active any more, and who covers them. For admins. */
export function useOrphanedConversations() {
  useLiveSync("users");
  useLiveSync("audit");
  return trpc.chat.ofInactiveAdmins.useQuery();
}

/** Keeps its form until the server has it. */
export function useHandOver() {
  const saved = useSaved();
  return trpc.chat.handOver.useMutation({
    onSuccess({ conversationId, cover }) {
      saved(conversationId, cover);
      toast.success(CHAT_MESSAGES.coverBegins(cover.person.name));
    },
    onError: (error) => toast.error(CHAT_MESSAGES.handOverFailed, { description: messageOf(error) }),
  });
}

/** Ends a cover. */
export function useTakeBack() {
  const saved = useSaved();
  return trpc.chat.takeBack.useMutation({
    onSuccess: ({ conversationId }) => saved(conversationId, null),
    onError: (error) => toast.error(CHAT_MESSAGES.takeBackFailed, { description: messageOf(error) }),
  });
}

/** Shows who covers now at once; what is unread the server says. */
function useSaved() {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  return (conversationId: string, cover: Conversation["cover"]) => {
    utils.chat.conversations.setData(undefined, (list) =>
      list?.map((one) => (one.id === conversationId ? { ...one, cover } : one)),
    );
    void utils.chat.conversations.invalidate();
    void queryClient.invalidateQueries(ORPHANED);
  };
}
