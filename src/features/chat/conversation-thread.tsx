import type { ChatPartner, Conversation, Message } from "@server/contract/views";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { mayRequest } from "@/features/projects/project-roles";
import { useProjects } from "@/features/projects/use-projects";
import { useUnsent } from "@/lib/outbox";
import { nextPageOf } from "@/lib/paged-list";
import { messageOf } from "@/lib/user-message";
import { useDelayedPhase } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import type { Making } from "./message-menu";
import { unreadReach } from "./message-pages";
import { MessageThread } from "./message-thread";
import { messageOutbox, type UnsentMessage } from "./outbox";
import { stopTyping } from "./presence-store";
import { knownUpTo, linesToRead, NOTHING_RECEIVED, rowsOf, type ThreadMessage, threadOf } from "./thread";
import { authorOf, isCovering, type ThreadPeople, threadKeyOf } from "./thread-people";
import { useLiveMessages, useMarkRead, useMessages } from "./use-chat";
import { useMessageOutbox } from "./use-outbox";
import { useAttention } from "./use-presence";

type ConversationThreadProps = {
  ownId: string;
  partner: ChatPartner;
  /** Null until the first message has begun the conversation. */
  conversation: Conversation | null;
  /** Undefined where nothing can be written. Keep the function stable. */
  onEdit: ((message: UnsentMessage) => void) | undefined;
};

/** The messages of a conversation, with loading and error states. Marks them read while somebody is looking. */
export function ConversationThread({ ownId, partner, conversation, onEdit }: ConversationThreadProps) {
  const outbox = useMessageOutbox(ownId);
  const isAttentive = useAttention();
  const people = usePeople({ ownId, partner, conversation });
  const { rows, messages, query, isTooMuch, isLoading, hasBegunHere } = useThread({
    people,
    conversation,
    isAttentive,
  });
  const makes = useMakes(partner);
  const [made, setMade] = useState<{ making: Making; message: ThreadMessage } | null>(null);
  const make = useCallback((making: Making, message: ThreadMessage) => setMade({ making, message }), []);
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
          people={people}
        />
      )}
      {isTooMuch && phase === "content" && <TooMuchUnread />}
      {phase === "content" ? (
        <MessageThread
          rows={rows}
          partnerName={partner.name}
          lastSeq={Math.max(conversation?.lastSeq ?? 0, messages.at(-1)?.seq ?? 0)}
          older={{
            isThere: query.hasNextPage && !query.isFetching,
            hasFailed: query.isFetchNextPageError,
            read: () => void nextPageOf(query)?.(),
          }}
          makes={makes}
          onMake={make}
          onRetry={outbox.retry}
          onDelete={outbox.remove}
          onEdit={onEdit}
        />
      ) : (
        <div aria-busy="true" className="flex min-h-0 flex-1 flex-col justify-end gap-3 px-6 py-4">
          {phase === "skeleton" && <ThreadSkeleton />}
        </div>
      )}
      {made && (
        <Suspense>
          <MakeOfMessage key={made.message.id} {...made} partner={people.partner} onClose={() => setMade(null)} />
        </Suspense>
      )}
    </>
  );
}

const MakeOfMessage = lazy(() => import("./make-of-message").then((module) => ({ default: module.MakeOfMessage })));

/** What the reader may make of the messages: the team a task, and for a client a request; clients a request, where they may file one. */
function useMakes({ accountType }: ChatPartner): readonly Making[] {
  const isClient = useMe().accountType === "client";
  const { data: projects } = useProjects({ scope: "mine", enabled: isClient });
  if (isClient) return projects?.items.some((project) => mayRequest(project, "client")) ? REQUEST : NOTHING;
  return accountType === "client" ? TASK_OR_REQUEST : TASK;
}

const TASK_OR_REQUEST: readonly Making[] = ["task", "request"];
const TASK: readonly Making[] = ["task"];
const REQUEST: readonly Making[] = ["request"];
const NOTHING: readonly Making[] = [];

/** Who reads, and with whom; the same object until one of them changes. */
function usePeople({
  ownId,
  partner: { id, name },
  conversation,
}: Omit<ConversationThreadProps, "onEdit">): ThreadPeople {
  const isAdmin = useMe().accountType === "admin";
  const coversFor = conversation?.coversFor ?? null;
  return useMemo(() => ({ ownId, isAdmin, partner: { id, name }, coversFor }), [ownId, isAdmin, id, name, coversFor]);
}

/** Builds the rows from pages, received messages and the outbox. */
function useThread({
  people,
  conversation,
  isAttentive,
}: Pick<ConversationThreadProps, "conversation"> & { people: ThreadPeople; isAttentive: boolean }) {
  const { ownId } = people;
  // Fixed until this unmounts.
  const [{ newFromSeq, readDownTo, isTooMuch }] = useState(() => unreadReach(conversation));
  const [hasBegunHere] = useState(conversation === null);
  const conversationId = conversation?.id ?? null;
  const isCover = conversation !== null && isCovering(conversation);
  const threadKey = threadKeyOf({ partnerId: people.partner.id, conversationId, isCover });
  const { pages, received, messages, ...query } = useMessages({ conversationId, newFromSeq, readDownTo });
  // Without pages, what an earlier visit received would look like the whole conversation.
  const known = pages || hasBegunHere ? received : NOTHING_RECEIVED;
  const allUnsent = useUnsent(messageOutbox, ownId);
  const otherReadSeq = conversation?.otherReadSeq ?? 0;
  const hasOlder = query.hasNextPage;
  const lineSeq = useNewLine({ openedAtSeq: newFromSeq, messages, ownId, isAttentive });
  const rows = useMemo(() => {
    const unsent = allUnsent.filter((one) => threadKeyOf(one) === threadKey);
    const thread = threadOf({ pages: pages ?? [], received: known, unsent, people, otherReadSeq });
    const all = rowsOf(thread, { newFromSeq: lineSeq });
    // The message above the oldest one is not loaded yet: the oldest could then lose its date line and move the others.
    return hasOlder ? all.slice(1) : all;
  }, [pages, known, allUnsent, threadKey, people, otherReadSeq, lineSeq, hasOlder]);
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
    if (messages.some(({ seq, senderId, kind }) => seq > awaySeq && senderId !== ownId && kind !== "system"))
      setLineSeq(awaySeq + 1);
  }
  return lineSeq;
}

type NewMessageLogProps = {
  conversationId: string;
  /** Ordered by seq. */
  messages: readonly Message[];
  /** The conversation was started in this visit: all of it is new. */
  hasBegunHere: boolean;
  people: ThreadPeople;
};

/**
 * Subscribes to the conversation, and announces the others' new messages to screen readers. Separate from the thread: in a
 * virtual list, every row that scrolls into view would be announced.
 */
function NewMessageLog({ conversationId, messages, hasBegunHere, people }: NewMessageLogProps) {
  const { ownId } = people;
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
      {linesToRead(messages, { newAfterSeq, ownId }).map((message) => (
        <p key={message.id}>
          {message.kind === "system" ? message.text : `${authorOf(message, people)}: ${message.text}`}
        </p>
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
