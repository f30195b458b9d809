import { type TrackedEnvelope, tracked } from "@trpc/server";
import type { ConversationEvent, InboxChange } from "../contract/views";
import type { Actor } from "../core/context";
import { Overlay } from "../realtime/common-reads";
import { catchUpPauseMs, type Source, type StreamCall, sharedRead, whenMoved } from "../realtime/stream";
import { RESYNC, type WakeUp } from "../realtime/subscription";
import { fingerprintConversations, listConversationStamps, stampOf } from "./comparisons";
import {
  type ConversationState,
  countUnread,
  findMessagesAfter,
  getConversationState,
  listConversations,
  type MessageRow,
  showMessage,
} from "./queries";

/** How many of the newest messages a stream begins with without a usable cursor. */
const RESYNC_SIZE = 50;
const BATCH_SIZE = 100;

type MessageEvent = TrackedEnvelope<ConversationEvent>;

/**
 * Messages of a conversation after a cursor, then each new one, in order, without gaps or duplicates; and both read marks, at the
 * beginning and whenever one moves. Every event's id is the number of the newest message sent. A cursor that is absent,
 * malformed or ahead of the conversation begins with the newest 50. NOT_FOUND if the actor takes no part.
 */
export function messageSource(
  ctx: Pick<StreamCall, "db" | "actor">,
  { conversationId, lastEventId }: { conversationId: string; lastEventId?: string | null | undefined },
): Source<Batch, MessageEvent> {
  return async (subscription) => {
    // Before the first read: what is written in between wakes the stream up.
    subscription.join(`conversation:${conversationId}`);
    const { lastSeq } = await getConversationState(ctx.db, { id: conversationId, actor: ctx.actor });
    const sent = { seq: cursorOf(lastEventId, lastSeq), lowerReadSeq: 0, higherReadSeq: 0 };
    return {
      first: RESYNC,
      read: () => readAfter(ctx.db, { conversationId, afterSeq: sent.seq }),
      emit: (batch, actor) => (batch ? eventsOf({ ...batch, sent, viewerId: actor.id }) : []),
      readOnAfterMs: (batch) => (batch?.rows.length === BATCH_SIZE ? catchUpPauseMs(batch.rows) : null),
      lastEventId: () => String(sent.seq),
    };
  };
}

/**
 * Changes of the actor's conversations from the moment its stream is open: a message, a read mark, a partner's name or whether they
 * may be written to. The caller then reads the list once, and misses nothing in between.
 */
export function inboxSource({
  db,
  actor,
  timeZone,
}: Pick<StreamCall, "db" | "actor" | "timeZone">): Source<InboxReading, InboxChange> {
  return async (subscription) => {
    subscription.join(`inbox:${actor.id}`);
    const first = await listConversationStamps(db, { actor });
    for (const { partnerId } of first.values()) subscription.join(`account:${partnerId}`);
    const known: Known = new Overlay(first);
    const findDiffering = whenMoved(
      () => fingerprintConversations(db, { actor }),
      async () => {
        const present = await listConversationStamps(db, { actor });
        return [...present.keys()].filter((id) => present.get(id)?.stamp !== known.get(id)?.stamp);
      },
    );
    return {
      async read(wakeUp) {
        const differing = wakeUp.resync ? await findDiffering() : [];
        const ids = [...new Set([...notifiedIds(wakeUp.subjects, known), ...differing])];
        return ids.length === 0 ? { changed: [], unreadTotal: 0 } : readInbox(db, { actor, ids, timeZone });
      },
      *emit({ changed, unreadTotal }) {
        for (const conversation of changed) {
          const stamp = stampOf({ ...conversation, turnOwes: conversation.turn.owes });
          if (known.get(conversation.id)?.stamp === stamp) continue;
          const partnerId = conversation.otherUser.id;
          known.set(conversation.id, { partnerId, stamp });
          subscription.join(`account:${partnerId}`);
          yield { conversation, unreadTotal };
        }
      },
      replay(missed) {
        if (!subscription.follows(missed)) return true;
        const ids = notifiedIds(new Set([missed.subject]), known);
        for (const id of ids) {
          const seen = known.get(id);
          if (seen) known.set(id, { ...seen, stamp: "" });
        }
        subscription.notify(missed.subject);
        // Without any it is the actor's own account, which every conversation depends on.
        return ids.length > 0;
      },
    };
  };
}

/** What a stream of the inbox was last sent of each conversation. */
type Known = Overlay<string, { partnerId: string; stamp: string }>;

/** The conversations that a wake-up names, directly or by the partner's account. */
function notifiedIds(subjects: WakeUp["subjects"], known: Known): string[] {
  const hasPartner = (id: string) => subjects.has(`account:${known.get(id)?.partnerId}`);
  const isOfAccount = [...subjects].some((subject) => subject.startsWith("account:"));
  const ofPartners = isOfAccount ? known.keys().filter(hasPartner) : [];
  const named = [...subjects].flatMap((subject) => (subject.startsWith("conversation:") ? [subject.slice(13)] : []));
  return [...new Set([...named, ...ofPartners])];
}

/** The number of the last message that the caller has received. */
function cursorOf(lastEventId: string | null | undefined, lastSeq: number): number {
  const seq = /^\d{1,15}$/.test(lastEventId ?? "") ? Number(lastEventId) : Number.POSITIVE_INFINITY;
  return seq <= lastSeq ? seq : Math.max(0, lastSeq - RESYNC_SIZE);
}

/** Null once the conversation is gone. */
type Batch = Awaited<ReturnType<typeof findMessagesAfter>>;

/** What one stream has sent so far. */
interface Progress {
  seq: number;
  lowerReadSeq: number;
  higherReadSeq: number;
}

function* eventsOf({
  state,
  rows,
  sent,
  viewerId,
}: {
  state: ConversationState;
  rows: MessageRow[];
  sent: Progress;
  viewerId: string;
}): Generator<MessageEvent> {
  for (const row of rows) {
    // Two reads may overlap only if a batch is shared; a message is sent once, whatever was read.
    if (row.seq <= sent.seq) continue;
    sent.seq = row.seq;
    yield tracked(String(row.seq), { type: "message" as const, message: showMessage(row, { state, viewerId }) });
  }
  const { lowerReadSeq, higherReadSeq, lowerUserId, higherUserId } = state;
  const read = (readerId: string, upToSeq: number) =>
    tracked(String(sent.seq), { type: "read" as const, readerId, upToSeq });
  if (lowerReadSeq > sent.lowerReadSeq) {
    sent.lowerReadSeq = lowerReadSeq;
    yield read(lowerUserId, lowerReadSeq);
  }
  if (higherReadSeq > sent.higherReadSeq) {
    sent.higherReadSeq = higherReadSeq;
    yield read(higherUserId, higherReadSeq);
  }
}

interface MessageCursor {
  conversationId: string;
  afterSeq: number;
}

const readAfter = sharedRead(
  (db, cursor: MessageCursor) => findMessagesAfter(db, { ...cursor, limit: BATCH_SIZE }),
  ({ conversationId, afterSeq }) => `${conversationId} ${afterSeq}`,
);

type InboxReading = Awaited<ReturnType<typeof readInbox>>;

/** Some of a person's conversations and the unread total, read once for all of their tabs. */
const readInbox = sharedRead(
  async (db, { actor, ...asked }: { actor: Actor; ids: string[]; timeZone: string }) => {
    const changed = await listConversations(db, { actor, ...asked });
    // After the conversations: what changes in between wakes the stream up again. An older total would stay on screen.
    return { changed, unreadTotal: await countUnread(db, { actor }) };
  },
  ({ actor, ids }) => [actor.id, actor.accountType, ...ids.toSorted()].join(" "),
);
