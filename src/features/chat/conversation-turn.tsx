import type { Conversation } from "@server/contract/views";
import { CheckCheck } from "lucide-react";
import type { RefObject } from "react";
import { useMe } from "@/features/auth/use-auth";
import { TurnChip } from "@/features/turns/turn-chip";
import type { TurnReader } from "@/features/turns/turn-text";
import { useNextFocus } from "@/lib/use-next-focus";
import { Button } from "@/ui/button";
import { isHandedOver } from "./thread-people";
import { useSettleTurn } from "./use-settle-turn";

/** For whom a conversation's turn is put into words; null without one. A client is not told that an answer of theirs is owed: talk is no debt. */
export function useTurnReader(conversation: Pick<Conversation, "otherUser" | "turn"> | null): TurnReader | null {
  const { accountType } = useMe();
  if (!conversation || conversation.turn.owes === "nobody") return null;
  if (accountType !== "client") return { side: "firm", clientName: conversation.otherUser.name };
  return conversation.turn.owes === "firm" ? { side: "client" } : null;
}

type ConversationTurnProps = { conversation: Conversation; heading: RefObject<HTMLElement | null> };

/** Whose turn it is in the open conversation, where there is room; the admin who answers may say that no reply is needed. */
export function ConversationTurn({ conversation, heading }: ConversationTurnProps) {
  const { accountType } = useMe();
  const reader = useTurnReader(conversation);
  const settle = useSettleTurn();
  const { id: conversationId, turn, lastSeq: upToSeq } = conversation;
  const isAnswering = accountType === "admin" && !isHandedOver(conversation) && turn.owes === "firm";
  useNextFocus(isAnswering, heading);
  if (!reader) return null;
  return (
    <div className="ms-auto flex shrink-0 items-center gap-1">
      <TurnChip turn={turn} reader={reader} className="max-sm:hidden" />
      {isAnswering && (
        <Button
          size="sm"
          variant="quiet"
          icon={<CheckCheck size={16} />}
          aria-label="No reply needed"
          title="No reply needed"
          busy={settle.isPending}
          onClick={() => settle.mutate({ conversationId, upToSeq })}
          className="max-lg:w-11 max-lg:px-0"
        >
          <span className="max-lg:hidden">No reply needed</span>
        </Button>
      )}
    </div>
  );
}
