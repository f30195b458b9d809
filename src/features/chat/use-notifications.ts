import type { Conversation } from "@server/contract/views";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useMe } from "@/features/auth/use-auth";
import { trpc } from "@/lib/trpc";
import { useLocalSetting } from "@/lib/use-local-setting";
import { conversationHref } from "./conversation-link";
import { closeNotifications, noteConversations } from "./notifications";
import { isAttentive } from "./use-presence";

/** The browser's notifications for messages, if turned on in Settings. */
export function useNotifications(list: readonly Conversation[] | undefined): void {
  const { id: ownId, accountType } = useMe();
  const router = useRouter();
  const { conversations } = trpc.useUtils().chat;
  const [areOn] = useLocalSetting("notifications");
  useEffect(() => {
    if (!areOn || !list || typeof Notification === "undefined") return;
    const context = {
      ownId,
      conversations: () => conversations.getData(),
      isSeen: (id: string) => isAttentive() && location.pathname === conversationHref(accountType, id),
      open: (id: string) => void router.navigate({ href: conversationHref(accountType, id) }),
    };
    noteConversations(list, context);
  }, [areOn, list, ownId, accountType, conversations, router]);
  useEffect(() => {
    if (!areOn) return;
    return () => {
      if (conversations.getData() !== undefined) return;
      // The session is over: its cache has been emptied.
      closeNotifications();
    };
  }, [areOn, conversations]);
}
