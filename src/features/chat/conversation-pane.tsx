import { MESSAGES } from "@server/contract/messages";
import type { ChatPartner, Conversation } from "@server/contract/views";
import { ArrowLeft } from "lucide-react";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useMedia } from "@/lib/use-media";
import { messageOf } from "@/lib/user-message";
import { Avatar } from "@/ui/avatar";
import { useDelayedPhase } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { IconButton } from "@/ui/icon-button";
import { Skeleton } from "@/ui/skeleton";
import { threadOf } from "./chat-cache";
import { TYPE_WORDS } from "./chat-words";
import { Composer } from "./composer";
import { HeardMessages } from "./heard-messages";
import { MessageThread } from "./message-thread";
import { useUnsent } from "./outbox";
import { rowsOf } from "./thread-rows";
import { useAttention } from "./use-attention";
import { useMarkRead, useMessages } from "./use-chat";
import type { useOutbox } from "./use-outbox";

type ConversationPaneProps = {
  ownId: string;
  partner: ChatPartner;
  /** Null until the first message has begun it. */
  conversation: Conversation | null;
  outbox: ReturnType<typeof useOutbox>;
  /** Set by what opens this pane to write at once; used up here. */
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
  const hasOpened = useRef(false);
  useEffect(() => {
    if (hasOpened.current) return;
    if (startsTyping.current) field.current?.focus();
    // The link that led here is out of sight.
    else if (isPhone) heading.current?.focus();
    startsTyping.current = false;
    hasOpened.current = true;
  }, [startsTyping, isPhone]);
  return (
    <section aria-label={partner.name} className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-[68px] shrink-0 items-center gap-3 border-line border-b px-4 max-sm:h-[60px] max-sm:px-2 sm:px-6">
        <span className="sm:hidden">
          <IconButton icon={ArrowLeft} label="Back to conversations" onClick={onLeave} />
        </span>
        <Avatar name={partner.name} src={partner.profileImgLink} size={36} />
        <div className="min-w-0">
          <h2 ref={heading} tabIndex={-1} className="truncate font-sans font-semibold text-body tracking-normal">
            {partner.name}
          </h2>
          <p className="text-ink2 text-meta">{TYPE_WORDS[partner.accountType]}</p>
        </div>
      </div>
      <Thread ownId={ownId} partner={partner} conversation={conversation} outbox={outbox} />
      {partner.isActive ? (
        <Composer
          ref={field}
          draftKey={`message:${ownId}:${partner.id}`}
          partnerName={partner.name}
          onSend={(text) => outbox.send({ partnerId: partner.id, conversationId: conversation?.id ?? null, text })}
        />
      ) : (
        <p className="border-line border-t px-6 py-4 text-center text-dense text-ink2">
          {MESSAGES.chat.recipientInactive}
        </p>
      )}
    </section>
  );
}

type ThreadProps = Omit<ConversationPaneProps, "onLeave" | "startsTyping">;

function Thread({ ownId, partner, conversation, outbox }: ThreadProps) {
  const { pages, heard, messages, ...query } = useMessages(conversation?.id ?? null);
  const allUnsent = useUnsent(ownId);
  // Fixed until one leaves.
  const [newFromSeq] = useState(() =>
    conversation && conversation.unreadCount > 0 ? conversation.ownReadSeq + 1 : null,
  );
  const isAttentive = useAttention();
  useMarkRead({ conversation, isSeen: isAttentive && pages !== undefined });
  const otherReadSeq = conversation?.otherReadSeq ?? 0;
  const rows = useMemo(() => {
    const unsent = allUnsent.filter(({ partnerId }) => partnerId === partner.id);
    const thread = threadOf({ pages: pages ?? [], heard, unsent, ownId, otherReadSeq });
    return rowsOf(thread, { ownId, newFromSeq });
  }, [pages, heard, allUnsent, partner.id, ownId, otherReadSeq, newFromSeq]);
  const isLoading = conversation !== null && query.isPending && rows.length === 0;
  const phase = useDelayedPhase(isLoading);

  if (query.isLoadingError && rows.length === 0) {
    return (
      <ErrorState
        message={messageOf(query.error)}
        busy={query.isFetching}
        onRetry={() => void query.refetch()}
        className="my-auto flex-1"
      />
    );
  }
  return (
    <>
      {conversation && pages && (
        <HeardMessages
          conversationId={conversation.id}
          knownSeq={messages.at(-1)?.seq ?? 0}
          ownId={ownId}
          partnerName={partner.name}
        />
      )}
      {phase === "content" ? (
        <MessageThread
          rows={rows}
          ownId={ownId}
          partnerName={partner.name}
          lastSeq={Math.max(conversation?.lastSeq ?? 0, messages.at(-1)?.seq ?? 0)}
          older={{
            isThere: query.hasNextPage && !query.isFetching,
            hasFailed: query.isFetchNextPageError,
            read: () => void query.fetchNextPage(),
          }}
          onRetry={outbox.retry}
          onDelete={outbox.remove}
        />
      ) : (
        <div aria-busy="true" className="flex min-h-0 flex-1 flex-col justify-end gap-3 px-6 py-4">
          {phase === "skeleton" && <ThreadSkeleton />}
        </div>
      )}
    </>
  );
}

function ThreadSkeleton() {
  return (
    <>
      <Skeleton className="h-[42px] w-2/5 rounded-card" />
      <Skeleton className="h-16 w-1/2 rounded-card" />
      <Skeleton className="ms-auto h-[42px] w-1/3 rounded-card" />
    </>
  );
}
