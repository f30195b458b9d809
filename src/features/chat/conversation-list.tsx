import { ACCOUNT_TYPE_LABELS } from "@server/contract/labels";
import { CHAT_MESSAGES } from "@server/contract/messages/chat";
import type { ChatPartner, Conversation } from "@server/contract/views";
import { MessageCircle } from "lucide-react";
import { type FocusEvent, memo, type PointerEvent, type ReactNode, useCallback, useEffect, useState } from "react";
import { TurnChip, TurnText } from "@/features/turns/turn-chip";
import { cn } from "@/lib/cn";
import { useToday } from "@/lib/use-today";
import { messageOf } from "@/lib/user-message";
import { Avatar } from "@/ui/avatar";
import { CountBadge } from "@/ui/count-badge";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { VisuallyHidden } from "@/ui/visually-hidden";
import { conversationName, formatListTime, previewOf } from "./chat-format";
import { byNewest } from "./conversation-cache";
import { ConversationLink } from "./conversation-link";
import { useTurnReader } from "./conversation-turn";
import { useIsOnline } from "./presence-store";
import type { useConversations } from "./use-chat";

type ConversationListProps = {
  query: ReturnType<typeof useConversations>;
  ownId: string;
  openId: string | undefined;
  onOpen: () => void;
  /** What an empty list offers. */
  firstStep: ReactNode;
};

/** The conversations, newest first, each a link. */
export function ConversationList({ query, ownId, openId, onOpen, firstStep }: ConversationListProps) {
  const today = useToday();
  const { list, hold, release } = useSteadyOrder(query.data ?? NONE);
  useEffect(() => {
    // On a phone the list was hidden meanwhile: no pointer or focus has left it.
    if (openId === undefined) release();
  }, [openId, release]);
  return (
    <nav
      aria-label="Conversations"
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2.5 pb-4 print:block!"
    >
      <Delayed
        pending={query.data === undefined && query.isPending}
        label="Loading conversations"
        skeleton={<ListSkeleton />}
      >
        {() => {
          if (!query.data) {
            return (
              <ErrorState
                message={messageOf(query.error)}
                busy={query.isFetching}
                onRetry={() => void query.refetch()}
              />
            );
          }
          if (list.length === 0)
            return <EmptyState icon={MessageCircle} message={CHAT_MESSAGES.emptyList} action={firstStep} />;
          return (
            <ul {...hold}>
              {list.map((conversation) => (
                <ConversationRow
                  key={conversation.id}
                  conversation={conversation}
                  ownId={ownId}
                  isOpen={conversation.id === openId}
                  today={today}
                  onOpen={onOpen}
                />
              ))}
            </ul>
          );
        }}
      </Delayed>
    </nav>
  );
}

const NONE: readonly Conversation[] = [];

/** The id of a conversation's link in the list. */
export function conversationLinkId(conversationId: string): string {
  return `conversation-${conversationId}`;
}

/** Newest first, but the order is kept while the pointer or the focus is inside: no row may move away from under a finger. */
function useSteadyOrder(conversations: readonly Conversation[]) {
  const [held, setHeld] = useState<readonly string[] | null>(null);
  const newest = byNewest(conversations);
  const position = new Map(held?.map((id, at) => [id, at]));
  const list = held
    ? newest.toSorted((one, other) => (position.get(one.id) ?? -1) - (position.get(other.id) ?? -1))
    : newest;
  const take = () => setHeld((known) => known ?? newest.map(({ id }) => id));
  const release = useCallback(() => setHeld(null), []);
  return {
    list,
    release,
    hold: {
      onPointerEnter: take,
      onFocus: take,
      onPointerLeave({ currentTarget }: PointerEvent<HTMLElement>) {
        if (!currentTarget.contains(document.activeElement)) setHeld(null);
      },
      onBlur({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
        if (!currentTarget.contains(relatedTarget) && !currentTarget.matches(":hover")) setHeld(null);
      },
    },
  };
}

type ConversationRowProps = {
  conversation: Conversation;
  ownId: string;
  isOpen: boolean;
  today: string;
  onOpen: () => void;
};

const ConversationRow = memo(function ConversationRow({
  conversation,
  ownId,
  isOpen,
  today,
  onOpen,
}: ConversationRowProps) {
  const { id, otherUser, lastMessage, unreadCount, turn, coversFor } = conversation;
  const isOnline = useIsOnline(otherUser.id);
  const reader = useTurnReader(conversation);
  return (
    <li className="py-px">
      <ConversationLink
        conversationId={id}
        id={conversationLinkId(id)}
        aria-current={isOpen ? "page" : undefined}
        onClick={onOpen}
        className="relative grid min-h-[62px] grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 rounded-card border border-transparent px-3 py-2 transition-colors duration-90 ease-out hover:bg-hover data-pressed:border-line data-pressed:bg-raised focus-visible:-outline-offset-2 aria-[current=page]:border-line aria-[current=page]:bg-raised"
      >
        <VisuallyHidden>
          {conversationName(conversation, { isOnline })}
          {reader && ", "}
          {reader && <TurnText turn={turn} reader={reader} />}
        </VisuallyHidden>
        <PartnerAvatar partner={otherUser} isOnline={isOnline} />
        <span aria-hidden="true" className="min-w-0">
          <span className="flex items-baseline gap-2">
            <span className="truncate font-semibold">{otherUser.name}</span>
            <span className="min-w-0 shrink-[2] truncate text-ink2 text-meta">
              {coversFor ? `for ${coversFor.name}` : ACCOUNT_TYPE_LABELS[otherUser.accountType]}
            </span>
            <time dateTime={conversation.updatedAt} className="ms-auto shrink-0 text-ink2 text-meta">
              {lastMessage && formatListTime(lastMessage.timestamp, today)}
            </time>
          </span>
          <span className="flex items-start gap-2">
            {/* Wraps where the 30 letters do not fit one line, rather than cutting them again. */}
            <span
              className={cn(
                "min-w-0 flex-1 text-dense [overflow-wrap:anywhere]",
                unreadCount > 0 ? "font-medium text-ink" : "text-ink2",
              )}
            >
              {lastMessage?.senderId === ownId && lastMessage.kind !== "system" && "You: "}
              {lastMessage && <bdi>{previewOf(lastMessage.text)}</bdi>}
            </span>
            {unreadCount > 0 && <CountBadge count={unreadCount} tone="brand" className="shrink-0" />}
          </span>
          {reader && <TurnChip turn={turn} reader={reader} className="mt-1" />}
        </span>
      </ConversationLink>
    </li>
  );
});

const SKELETON_ROWS = ["first", "second", "third", "fourth"];

function ListSkeleton() {
  return SKELETON_ROWS.map((position) => (
    <div key={position} className="flex h-16 items-center gap-3 px-3">
      <Skeleton className="size-9 shrink-0" />
      <div className="grid flex-1 gap-2">
        <Skeleton className="h-4 w-1/2" />
        <Skeleton className="h-3 w-4/5" />
      </div>
    </div>
  ));
}

type PartnerAvatarProps = { partner: Pick<ChatPartner, "name" | "profileImgLink">; isOnline: boolean };

/** With a dot while the partner is online. Hidden from screen readers: the name is beside it. */
export function PartnerAvatar({ partner, isOnline }: PartnerAvatarProps) {
  return (
    <span aria-hidden="true" className="relative inline-grid">
      <Avatar name={partner.name} src={partner.profileImgLink} size={36} />
      {isOnline && (
        <span className="absolute -end-1 -bottom-1 size-3 rounded-pill border-2 border-canvas bg-green in-[[aria-current=page]]:border-raised forced-colors:bg-[CanvasText]" />
      )}
    </span>
  );
}
