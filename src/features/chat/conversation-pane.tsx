import { ACCOUNT_TYPE_LABELS } from "@server/contract/labels";
import type { ChatPartner, Conversation } from "@server/contract/views";
import { ArrowLeft } from "lucide-react";
import { type Ref, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { TurnText } from "@/features/turns/turn-chip";
import { useMedia } from "@/lib/use-media";
import { IconButton } from "@/ui/icon-button";
import { Composer } from "./composer";
import { PartnerAvatar } from "./conversation-list";
import { ConversationThread } from "./conversation-thread";
import { ConversationTurn, useTurnReader } from "./conversation-turn";
import { useIsOnline, useIsTyping } from "./presence-store";

type ConversationPaneProps = {
  ownId: string;
  partner: ChatPartner;
  /** Null until the first message has begun the conversation. */
  conversation: Conversation | null;
  /** Focus the composer on mount. Set by what opens this pane to write, and by a pane that unmounts with its composer focused. */
  startsTyping: RefObject<boolean>;
  onLeave: () => void;
};

/** One conversation: header, messages and composer. Give it the partner's id as its key. */
export function ConversationPane({ ownId, partner, conversation, startsTyping, onLeave }: ConversationPaneProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const isPhone = useMedia("(width < 40rem)");
  const hasOpened = useRef(false);
  useEffect(() => {
    if (hasOpened.current) return;
    if (startsTyping.current) field.current?.focus();
    // On a phone, the link that led here is hidden now.
    else if (isPhone) heading.current?.focus();
    startsTyping.current = false;
    hasOpened.current = true;
  }, [startsTyping, isPhone]);
  useLayoutEffect(() => {
    const left = field.current;
    // Back and Forward may replace the composer while somebody is typing: the next one takes the focus.
    return () => {
      if (left && left === document.activeElement && !isPhone) startsTyping.current = true;
    };
  }, [startsTyping, isPhone]);
  return (
    <section aria-label={partner.name} className="flex min-h-0 flex-1 flex-col">
      <PaneHeader ref={heading} partner={partner} conversation={conversation} onLeave={onLeave} />
      <ConversationThread ownId={ownId} partner={partner} conversation={conversation} />
      <TypingLine conversationId={conversation?.id ?? null} partnerName={partner.name} />
      <Composer ref={field} ownId={ownId} partner={partner} conversationId={conversation?.id ?? null} />
    </section>
  );
}

type PaneHeaderProps = Pick<ConversationPaneProps, "partner" | "conversation" | "onLeave"> & {
  ref: Ref<HTMLHeadingElement>;
};

function PaneHeader({ ref, partner, conversation, onLeave }: PaneHeaderProps) {
  const isOnline = useIsOnline(partner.id);
  const reader = useTurnReader(conversation);
  return (
    <div className="flex h-[68px] shrink-0 items-center gap-3 border-line border-b px-4 max-sm:h-[60px] max-sm:px-2 sm:px-6">
      <span className="sm:hidden">
        <IconButton icon={ArrowLeft} label="Back to conversations" onClick={onLeave} />
      </span>
      <PartnerAvatar partner={partner} isOnline={isOnline} />
      <div className="min-w-0">
        <h2 ref={ref} tabIndex={-1} className="truncate font-sans font-semibold text-body tracking-normal">
          {partner.name}
        </h2>
        <p className="truncate text-ink2 text-meta">
          <span className={reader ? "max-sm:hidden" : undefined}>
            {ACCOUNT_TYPE_LABELS[partner.accountType]}
            {isOnline && " · online"}
          </span>
          {conversation && reader && (
            <span className="sm:hidden">
              <TurnText turn={conversation.turn} reader={reader} />
            </span>
          )}
        </p>
      </div>
      {conversation && <ConversationTurn conversation={conversation} />}
    </div>
  );
}

/** Keeps its height without text, so that nothing moves. */
function TypingLine({ conversationId, partnerName }: { conversationId: string | null; partnerName: string }) {
  const isTyping = useIsTyping(conversationId);
  return (
    <p role="status" className="h-5 shrink-0 truncate px-4 text-ink2 text-meta leading-5 sm:px-7">
      {isTyping && `${partnerName} is typing...`}
    </p>
  );
}
