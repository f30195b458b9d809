import { useMedia } from "@/lib/use-media";
import type { ChatPlace } from "./chat-place";

/**
 * What the page around the messages leaves to them: all of main; on a phone with an open conversation the whole window; and
 * the place of a header that holds nothing but the account where there is a sidebar, or a conversation is open.
 */
export function useChatFrame({ isShown, place }: { isShown: boolean; place: ChatPlace }) {
  const isPhone = useMedia("(width < 40rem)");
  const hasSidebar = useMedia("(width >= 48rem)");
  const isOpen = place.c !== undefined || place.to !== undefined;
  return {
    main: isShown ? ("fill" as const) : undefined,
    isWhole: isShown && isPhone && isOpen,
    isBare: isShown && (hasSidebar || isOpen),
  };
}
