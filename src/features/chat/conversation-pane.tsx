import { ACCOUNT_TYPE_LABELS } from "@server/contract/labels";
import { CHAT_MESSAGES } from "@server/contract/messages/chat";
import type { ChatPartner, Conversation } from "@server/contract/views";
import { ArrowLeft } from "lucide-react";
import { type Ref, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useMedia } from "@/lib/use-media";
import { IconButton } from "@/ui/icon-button";
import { Composer } from "./composer";
import { ConversationThread } from "./conversation-thread";
import { PartnerAvatar } from "./partner-avatar";
import { useIsOnline } from "./presence-store";
import { TypingLine } from "./typing-line";
import { useNoteTyping } from "./use-chat";
import type { useOutbox } from "./use-outbox";

type ConversationPaneProps = {
  ownId: string;
  partner: ChatPartner;
  /** Null until the first message has begun it. */
  conversation: Conversation | null;
  outbox: ReturnType<typeof useOutbox>;
  /** Set by what opens this pane to write at once, and by a pane that went away under its writer; used up here. */
  startsTyping: RefObject<boolean>;
  onLeave: () => void;
};

/** One conversation: who it is with, what was said, and where one writes. Mount it anew for another person. */
export function ConversationPane({
  ownId,
  partner,
  conversation,
  outbox,
  startsTyping,
  onLeave,
}: ConversationPaneProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const isPhone = useMedia("(width < 40rem)");
  const noteTyping = useNoteTyping(conversation?.id ?? null);
  const hasOpened = useRef(false);
  useEffect(() => {
    if (hasOpened.current) return;
    if (startsTyping.current) field.current?.focus();
    // The link that led here is out of sight.
    else if (isPhone) heading.current?.focus();
    startsTyping.current = false;
    hasOpened.current = true;
  }, [startsTyping, isPhone]);
  useLayoutEffect(() => {
    const left = field.current;
    // Back and Forward take the field away under whoever writes: they go on in the one that comes.
    return () => {
      if (left && left === document.activeElement && !isPhone) startsTyping.current = true;
    };
  }, [startsTyping, isPhone]);
  return (
    <section aria-label={partner.name} className="flex min-h-0 flex-1 flex-col">
      <PaneHeader ref={heading} partner={partner} onLeave={onLeave} />
      <ConversationThread ownId={ownId} partner={partner} conversation={conversation} outbox={outbox} />
      <TypingLine conversationId={conversation?.id ?? null} partnerName={partner.name} />
      <Composer
        ref={field}
        ownId={ownId}
        partnerId={partner.id}
        partnerName={partner.name}
        refusal={partner.isActive ? null : CHAT_MESSAGES.recipientInactive}
        onSend={(text) => outbox.send({ partnerId: partner.id, conversationId: conversation?.id ?? null, text })}
        onType={noteTyping}
      />
    </section>
  );
}

type PaneHeaderProps = Pick<ConversationPaneProps, "partner" | "onLeave"> & { ref: Ref<HTMLHeadingElement> };

function PaneHeader({ ref, partner, onLeave }: PaneHeaderProps) {
  const isOnline = useIsOnline(partner.id);
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
        <p className="text-ink2 text-meta">
          {ACCOUNT_TYPE_LABELS[partner.accountType]}
          {isOnline && " · online"}
        </p>
      </div>
    </div>
  );
}
