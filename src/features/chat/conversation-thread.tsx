import type { ChatPartner, Conversation, Message } from "@server/contract/views";
import { useMemo, useState } from "react";
import { useUnsent } from "@/lib/outbox";
import { nextPageOf } from "@/lib/paged-list";
import { messageOf } from "@/lib/user-message";
import { useDelayedPhase } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { knownUpTo, linesToRead, NOTHING_RECEIVED, rowsOf, threadOf } from "./chat-cache";
import { unreadReach } from "./message-pages";
import { MessageThread } from "./message-thread";
import { messageOutbox } from "./outbox";
import { stopTyping } from "./presence-store";
import { useLiveMessages, useMarkRead, useMessages } from "./use-chat";
import { useMessageOutbox } from "./use-outbox";
import { useAttention } from "./use-presence";

type ConversationThreadProps = {
  ownId: string;
  partner: ChatPartner;
  /** Null until the first message has begun the conversation. */
  conversation: Conversation | null;
};

/** The messages of a conversation, with loading and error states. Marks them read while somebody is looking. */
export function ConversationThread({ ownId, partner, conversation }: ConversationThreadProps) {
  const outbox = useMessageOutbox(ownId);
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
            read: () => void nextPageOf(query)?.(),
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

/** Builds the rows from pages, received messages and the outbox. */
function useThread({ ownId, partner, conversation, isAttentive }: ConversationThreadProps & { isAttentive: boolean }) {
  // Fixed until this unmounts.
  const [{ newFromSeq, readDownTo, isTooMuch }] = useState(() => unreadReach(conversation));
  const [hasBegunHere] = useState(conversation === null);
  const conversationId = conversation?.id ?? null;
  const { pages, received, messages, ...query } = useMessages({ conversationId, newFromSeq, readDownTo });
  // Without pages, what an earlier visit received would look like the whole conversation.
  const known = pages || hasBegunHere ? received : NOTHING_RECEIVED;
  const allUnsent = useUnsent(messageOutbox, ownId);
  const otherReadSeq = conversation?.otherReadSeq ?? 0;
  const hasOlder = query.hasNextPage;
  const lineSeq = useNewLine({ openedAtSeq: newFromSeq, messages, ownId, isAttentive });
  const rows = useMemo(() => {
    const unsent = allUnsent.filter(({ partnerId }) => partnerId === partner.id);
    const thread = threadOf({ pages: pages ?? [], received: known, unsent, ownId, otherReadSeq });
    const all = rowsOf(thread, { ownId, newFromSeq: lineSeq });
    // The message above the oldest one is not loaded yet: the oldest could then lose its date line and move the others.
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
 * The seq of the message below the "New" line: the first unread one on opening; later, the first that arrived while nobody was
 * looking. Null without a line.
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
  /** The seq of the newest message when attention was lost; null while somebody is looking. */
  const [awaySeq, setAwaySeq] = useState<number | null>(null);
  const lastSeq = messages.at(-1)?.seq ?? 0;
  if (!isAttentive && awaySeq === null && lastSeq > 0) setAwaySeq(lastSeq);
  if (isAttentive && awaySeq !== null) {
    setAwaySeq(null);
    if (messages.some(({ seq, senderId }) => seq > awaySeq && senderId !== ownId)) setLineSeq(awaySeq + 1);
  }
  return lineSeq;
}

type NewMessageLogProps = {
  conversationId: string;
  /** Ordered by seq. */
  messages: readonly Message[];
  /** The conversation was started in this visit: all of it is new. */
  hasBegunHere: boolean;
  ownId: string;
  partnerName: string;
};

/**
 * Subscribes to the conversation, and announces the partner's new messages to screen readers. Separate from the thread: in a
 * virtual list, every row that scrolls into view would be announced.
 */
function NewMessageLog({ conversationId, messages, hasBegunHere, ownId, partnerName }: NewMessageLogProps) {
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

function TooMuchUnread() {
  return (
    <p className="border-line border-b px-4 py-2 text-center text-dense text-ink2 sm:px-6">
      More than 1,000 unread messages. These are the newest.
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
