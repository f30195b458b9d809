import { useMedia } from "@/lib/use-media";
import { usePage } from "@/lib/use-page";
import { useChatAddress } from "./conversation-link";

/**
 * Whether the page on screen is Messages, and how much room the shell gives it: all of main, and on a phone with an open
 * conversation the whole window.
 */
export function useChatFrame() {
  const isPhone = useMedia("(width < 40rem)");
  const { conversationId, to } = useChatAddress();
  const isShown = usePage()?.endsWith("/messages/{-$conversationId}") === true;
  const isOpen = conversationId !== undefined || to !== undefined;
  return {
    isShown,
    main: isShown ? ("fill" as const) : undefined,
    isWhole: isShown && isPhone && isOpen,
  };
}
