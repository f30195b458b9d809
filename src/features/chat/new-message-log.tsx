import type { Message } from "@server/contract/views";
import { useState } from "react";
import { knownUpTo } from "./chat-cache";
import { stopTyping } from "./presence-store";
import { linesToRead } from "./thread-rows";
import { useLiveMessages } from "./use-chat";

type NewMessageLogProps = {
  conversationId: string;
  /** All that is known, by seq, the newest last. */
  messages: readonly Message[];
  /** The conversation was begun in this visit: all that the other one says in it is new. */
  hasBegunHere: boolean;
  ownId: string;
  partnerName: string;
};

/**
 * Follows the conversation, and reads out what the other one says meanwhile, whichever way it came here. Not the thread
 * itself: in a virtual list every row that scrolls into view would be news.
 */
export function NewMessageLog({ conversationId, messages, hasBegunHere, ownId, partnerName }: NewMessageLogProps) {
  const [newAfterSeq] = useState(hasBegunHere ? 0 : (messages.at(-1)?.seq ?? 0));
  useLiveMessages({
    conversationId,
    knownSeq: knownUpTo(messages),
    onMessage({ senderId }) {
      if (senderId !== ownId) stopTyping(conversationId);
    },
  });
  return (
    <div role="log" aria-label="New messages" className="sr-only">
      {linesToRead(messages, { newAfterSeq, ownId }).map(({ id, text }) => (
        <p key={id}>{`${partnerName}: ${text}`}</p>
      ))}
    </div>
  );
}
