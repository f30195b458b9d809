import { useIsTyping } from "./presence-store";

type TypingLineProps = { conversationId: string | null; partnerName: string };

/** Says under the messages that the other one types. Its room is always there, so that nothing moves. */
export function TypingLine({ conversationId, partnerName }: TypingLineProps) {
  const isTyping = useIsTyping(conversationId);
  return (
    <p role="status" className="h-5 shrink-0 truncate px-4 text-ink2 text-meta leading-5 sm:px-7">
      {isTyping && `${partnerName} is typing...`}
    </p>
  );
}
