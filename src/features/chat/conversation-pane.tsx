import { ACCOUNT_TYPE_LABELS } from "@server/contract/labels";
import { CHAT_MESSAGES } from "@server/contract/messages/chat";
import type { ChatPartner, Conversation } from "@server/contract/views";
import { ArrowLeft, Ellipsis, UserRoundCheck } from "lucide-react";
import { lazy, type RefObject, Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { TurnText } from "@/features/turns/turn-chip";
import { cn } from "@/lib/cn";
import { useMedia } from "@/lib/use-media";
import { useNextFocus } from "@/lib/use-next-focus";
import { ActionMenu } from "@/ui/action-menu";
import { IconButton } from "@/ui/icon-button";
import { Composer, type ComposerHandle } from "./composer";
import { PartnerAvatar } from "./conversation-list";
import { ConversationThread } from "./conversation-thread";
import { ConversationTurn, useTurnReader } from "./conversation-turn";
import { CoverBanner } from "./cover-banner";
import type { UnsentMessage } from "./outbox";
import { useIsOnline, useIsTyping } from "./presence-store";
import { isHandedOver } from "./thread-people";

const HandOver = lazy(() => import("./hand-over").then((module) => ({ default: module.HandOver })));

type ConversationPaneProps = {
  ownId: string;
  partner: ChatPartner;
  /** Null until the first message has begun the conversation. */
  conversation: Conversation | null;
  /** Focus the composer on mount. Set by what opens this pane to write, and by a pane that unmounts with its composer focused. */
  startsTyping: RefObject<boolean>;
  onLeave: () => void;
};

/** One conversation: header, messages and composer. Give it the thread's key as its key. */
export function ConversationPane({ ownId, partner, conversation, startsTyping, onLeave }: ConversationPaneProps) {
  const me = useMe();
  const heading = useRef<HTMLHeadingElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const composer = useRef<ComposerHandle>(null);
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
  const editUnsent = useCallback((message: UnsentMessage) => composer.current?.takeBack(message), []);
  const refusal = refusalOf({ partner, conversation, isAdmin: me.accountType === "admin" });
  return (
    <section aria-label={partner.name} className="flex min-h-0 flex-1 flex-col">
      <PaneHeader ref={heading} partner={partner} conversation={conversation} onLeave={onLeave} />
      <CoverBanner heading={heading} conversation={conversation} />
      <ConversationThread
        ownId={ownId}
        partner={partner}
        conversation={conversation}
        onEdit={refusal === null ? editUnsent : undefined}
      />
      <TypingLine
        conversationId={conversation?.id ?? null}
        name={me.accountType === "admin" ? partner.name : (conversation?.cover?.person.name ?? partner.name)}
      />
      <Composer
        ref={field}
        handle={composer}
        ownId={ownId}
        partner={partner}
        conversation={conversation}
        refusal={refusal}
      />
    </section>
  );
}

/** Why the reader can't write: somebody covers for them, or nobody would read it. */
function refusalOf({
  partner,
  conversation,
  isAdmin,
}: Pick<ConversationPaneProps, "partner" | "conversation"> & { isAdmin: boolean }): string | null {
  if (isAdmin && conversation && isHandedOver(conversation)) return CHAT_MESSAGES.handedOver;
  return partner.isActive ? null : CHAT_MESSAGES.recipientInactive;
}

type PaneHeaderProps = Pick<ConversationPaneProps, "partner" | "conversation" | "onLeave"> & {
  ref: RefObject<HTMLHeadingElement | null>;
};

function PaneHeader({ ref, partner, conversation, onLeave }: PaneHeaderProps) {
  const me = useMe();
  const isOnline = useIsOnline(partner.id);
  const [isHanding, setHanding] = useState(false);
  const reader = useTurnReader(conversation);
  const mayHandOver = me.accountType === "admin" && conversation && !conversation.cover;
  // The menu goes away with what it did, before or after the dialog.
  useNextFocus(isHanding || !!mayHandOver, ref);
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
      {conversation && <ConversationTurn conversation={conversation} heading={ref} />}
      {mayHandOver && (
        <span className={cn("print:hidden", !reader && "ms-auto")}>
          <ActionMenu
            label="Conversation actions"
            trigger={<IconButton icon={Ellipsis} label="Conversation actions" />}
            entries={[{ label: "Hand over…", icon: UserRoundCheck, onSelect: () => setHanding(true) }]}
          />
        </span>
      )}
      {isHanding && conversation && (
        <Suspense>
          <HandOver
            handed={{ conversationId: conversation.id, ownerId: me.id, partnerName: partner.name }}
            onClose={() => setHanding(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Keeps its height without text, so that nothing moves. */
function TypingLine({ conversationId, name }: { conversationId: string | null; name: string }) {
  const isTyping = useIsTyping(conversationId);
  return (
    <p role="status" className="h-5 shrink-0 truncate px-4 text-ink2 text-meta leading-5 sm:px-7">
      {isTyping && `${name} is typing...`}
    </p>
  );
}
