import { useState } from "react";
import { stopTyping } from "./presence-store";
import { useLiveMessages } from "./use-chat";

const MOST_LINES = 20;

type HeardMessagesProps = { conversationId: string; knownSeq: number; ownId: string; partnerName: string };

/**
 * Follows the conversation, and reads out what the other one says meanwhile. Not the thread itself: in a virtual list every
 * row that scrolls into view would be news.
 */
export function HeardMessages({ conversationId, knownSeq, ownId, partnerName }: HeardMessagesProps) {
  const [lines, setLines] = useState<readonly { id: string; text: string }[]>([]);
  useLiveMessages({
    conversationId,
    knownSeq,
    onMessage({ id, senderId, text }) {
      if (senderId === ownId) return;
      stopTyping(conversationId);
      setLines((known) => [...(known.length >= MOST_LINES ? [] : known), { id, text: `${partnerName}: ${text}` }]);
    },
  });
  return (
    <div role="log" aria-label="New messages" className="sr-only">
      {lines.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
