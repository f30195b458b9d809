import { CHAT_MESSAGES } from "@server/contract/messages/chat";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";

/** "No reply needed", to what was shown: a message that has come meanwhile is told of, and the turn stays. */
export function useSettleTurn() {
  const { conversations } = trpc.useUtils().chat;
  return trpc.chat.settleTurn.useMutation({
    onSuccess: () => announce(CHAT_MESSAGES.settled),
    onError: (error) => toast.error(CHAT_MESSAGES.settleFailed, { description: messageOf(error) }),
    onSettled: () => conversations.invalidate(),
  });
}
