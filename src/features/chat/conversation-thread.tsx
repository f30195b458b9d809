import type { ChatPartner, Conversation, Message } from "@server/contract/views";
import { useMemo, useState } from "react";
import { messageOf } from "@/lib/user-message";
import { useDelayedPhase } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { NOTHING_RECEIVED, threadOf } from "./chat-cache";
import { MessageThread } from "./message-thread";
import { NewMessageLog } from "./new-message-log";
import { useUnsent } from "./outbox";
import { rowsOf } from "./thread-rows";
import { unreadReach } from "./unread-reach";
import { useAttention } from "./use-attention";
import { useMarkRead, useMessages } from "./use-chat";
import type { useOutbox } from "./use-outbox";

type ConversationThreadProps = {
  ownId: string;
  partner: ChatPartner;
  /** Null until the first message has begun it. */
  conversation: Conversation | null;
  outbox: Pick<ReturnType<typeof useOutbox>, "retry" | "remove">;
};

/** What was said in a conversation, loading and failed faces included. Being looked at marks it read. */
export function ConversationThread({ ownId, partner, conversation, outbox }: ConversationThreadProps) {
  const isAttentive = useAttention();
  const { rows, messages, query, isTooMuch, isLoading, hasBegunHere } = useThread({
    ownId,
    partner,
    conversation,
    isAttentive,
  });
  const phase = useDelayedPhase(isLoading);
  useMarkRead({ conversation, isSeen: isAttentive && query.data !== undefined });

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
      {conversation && query.data && (
        <NewMessageLog
          conversationId={conversation.id}
          messages={messages}
          hasBegunHere={hasBegunHere}
          ownId={ownId}
          partnerName={partner.name}
        />
      )}
      {isTooMuch && phase === "content" && <TooMuchUnread />}
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

/** The rows of the thread, from what was read, what was received and what is not sent yet. */
function useThread({
  ownId,
  partner,
  conversation,
  isAttentive,
}: Omit<ConversationThreadProps, "outbox"> & { isAttentive: boolean }) {
  // All fixed until one leaves.
  const [{ newFromSeq, readDownTo, isTooMuch }] = useState(() => unreadReach(conversation));
  const [hasBegunHere] = useState(conversation === null);
  const conversationId = conversation?.id ?? null;
  const { pages, received, messages, ...query } = useMessages({ conversationId, newFromSeq, readDownTo });
  // Without the pages, what an earlier visit has received is a part that looks like the whole.
  const known = pages || hasBegunHere ? received : NOTHING_RECEIVED;
  const allUnsent = useUnsent(ownId);
  const otherReadSeq = conversation?.otherReadSeq ?? 0;
  const hasOlder = query.hasNextPage;
  const lineSeq = useNewLine({ openedAtSeq: newFromSeq, messages, ownId, isAttentive });
  const rows = useMemo(() => {
    const unsent = allUnsent.filter(({ partnerId }) => partnerId === partner.id);
    const thread = threadOf({ pages: pages ?? [], received: known, unsent, ownId, otherReadSeq });
    const all = rowsOf(thread, { ownId, newFromSeq: lineSeq });
    // What stands above the oldest one is not known yet: it would lose its day and move the others when that comes in.
    return hasOlder ? all.slice(1) : all;
  }, [pages, known, allUnsent, partner.id, ownId, otherReadSeq, lineSeq, hasOlder]);
  return {
    rows,
    messages,
    query,
    hasBegunHere,
    isTooMuch: isTooMuch && !rows.some(({ isFirstNew }) => isFirstNew),
    isLoading: conversation !== null && query.isPending && !hasBegunHere,
  };
}

/**
 * Above which message the "New" line stands: the first that was unread on opening; later, the first that came while one looked
 * elsewhere. Null without any.
 */
function useNewLine({
  openedAtSeq,
  messages,
  ownId,
  isAttentive,
}: {
  openedAtSeq: number | null;
  messages: readonly Message[];
  ownId: string;
  isAttentive: boolean;
}): number | null {
  const [lineSeq, setLineSeq] = useState(openedAtSeq);
  /** The newest message when one looked away; null while one looks. */
  const [awaySeq, setAwaySeq] = useState<number | null>(null);
  const lastSeq = messages.at(-1)?.seq ?? 0;
  if (!isAttentive && awaySeq === null && lastSeq > 0) setAwaySeq(lastSeq);
  if (isAttentive && awaySeq !== null) {
    setAwaySeq(null);
    if (messages.some(({ seq, senderId }) => seq > awaySeq && senderId !== ownId)) setLineSeq(awaySeq + 1);
  }
  return lineSeq;
}

function TooMuchUnread() {
  return (
    <p className="border-line border-b px-4 py-2 text-center text-dense text-ink2 sm:px-6">
      More than 1,000 messages were unread: these are the newest.
    </p>
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
