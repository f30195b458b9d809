import type { Conversation } from "@server/contract/views";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useMe } from "@/features/auth/use-auth";
import { trpc } from "@/lib/trpc";
import { useLocalSetting } from "@/lib/use-local-setting";
import { conversationHref } from "./chat-place";
import { isAttentive } from "./use-presence";

type NotificationOptions = {
  /** The page shows the messages, and among them the conversation that its address names. */
  isOpen: boolean;
};

/** The browser's notifications for messages, where the person has asked for them in Settings; their code comes with that wish. */
export function useNotifications(list: readonly Conversation[] | undefined, { isOpen }: NotificationOptions): void {
  const { id: ownId, accountType } = useMe();
  const router = useRouter();
  const { conversations } = trpc.useUtils().chat;
  const [areOn] = useLocalSetting("notifications");
  // Whoever goes elsewhere leaves the conversation in the address, for the way back.
  const areShown = useRef(isOpen);
  useEffect(() => {
    areShown.current = isOpen;
  });
  useEffect(() => {
    if (!areOn || !list || typeof Notification === "undefined") return;
    const context = {
      ownId,
      conversations: () => conversations.getData(),
      isSeen: (id: string) => areShown.current && isAttentive() && new URLSearchParams(location.search).get("c") === id,
      open: (id: string) => void router.navigate({ href: conversationHref(accountType, id) }),
    };
    // Without the code nothing is lost: the next message asks for it again.
    void import("./notifications").then(
      ({ noteConversations }) => noteConversations(list, context),
      () => {},
    );
  }, [areOn, list, ownId, accountType, conversations, router]);
  useEffect(() => {
    if (!areOn) return;
    return () => {
      if (conversations.getData() !== undefined) return;
      // The session is over: its cache has been emptied.
      void import("./notifications").then(
        ({ closeNotifications }) => closeNotifications(),
        () => {},
      );
    };
  }, [areOn, conversations]);
}
