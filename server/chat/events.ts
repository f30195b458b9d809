import { type TrackedEnvelope, tracked } from "@trpc/server";
import { MESSAGES } from "../contract/messages";
import type { ConversationEvent, InboxChange } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { Overlay } from "../realtime/common-reads";
import { RESYNC, type Subscription, type WakeUp } from "../realtime/hub";
import { catchUpPauseMs, type Source, type StreamCall, sharedRead, whenMoved } from "../realtime/stream";
import { fingerprintConversations, listConversationStamps, partnerIdsOf, stampOf } from "./comparisons";
import { showChip } from "./links";
import {
  type ConversationState,
  countUnread,
  findMessagesAfter,
  getConversationState,
  listConversations,
  type MessageBatch,
  showMessage,
  sideOf,
} from "./queries";

/** How many of the newest messages a stream begins with without a usable cursor. */
const RESYNC_SIZE = 50;
const BATCH_SIZE = 100;

type MessageEvent = TrackedEnvelope<ConversationEvent>;

/**
 * Messages of a conversation after a cursor, then each new one, in order, without gaps or duplicates; both read marks, at the
 * beginning and whenever one moves; and what earlier messages have become since. Every event's id is the number of the newest message
 * sent, and where messages became tasks that of their newest change: `12.3`. A cursor that is absent, malformed or ahead of the
 * conversation begins with the newest 50. NOT_FOUND if the actor neither takes part nor covers it, also once a cover ends.
 */
export function messageSource(
  ctx: Pick<StreamCall, "db" | "actor">,
  { conversationId, lastEventId }: { conversationId: string; lastEventId?: string | null | undefined },
): Source<Batch, MessageEvent> {
  return async (subscription) => {
    // Before the first read: what is written in between wakes the stream up.
    subscription.join(`conversation:${conversationId}`);
    const state = await getConversationState(ctx.db, { id: conversationId, actor: ctx.actor });
    const sent = { ...cursorOf(lastEventId, state), lowerReadSeq: 0, higherReadSeq: 0 };
    return {
      first: RESYNC,
      read: () => readAfter(ctx.db, { conversationId, afterSeq: sent.seq, afterChange: sent.change }),
      emit: (batch, actor) => (batch ? eventsOf({ ...batch, sent, viewer: actor }) : []),
      readOnAfterMs: (batch) => (batch?.rows.length === BATCH_SIZE ? catchUpPauseMs(batch.rows) : null),
      lastEventId: () => idOf(sent),
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
    for (const { partnerIds } of first.values()) follow(subscription, partnerIds);
    const known: Known = new Overlay(first);
    const findDiffering = whenMoved(
      () => fingerprintConversations(db, { actor }),
      async () => {
        const present = await listConversationStamps(db, { actor });
        return [...new Set([...present.keys(), ...known.keys()])].filter(
          (id) => (present.get(id)?.stamp ?? GONE) !== known.get(id)?.stamp,
        );
      },
    );
    return {
      async read(wakeUp) {
        const differing = wakeUp.resync ? await findDiffering() : [];
        const ids = [...new Set([...notifiedIds(wakeUp.subjects, known), ...differing])];
        return ids.length === 0 ? { ids, changed: [], unreadTotal: 0 } : readInbox(db, { actor, ids, timeZone });
      },
      *emit({ ids, changed, unreadTotal }) {
        for (const conversation of changed) {
          const stamp = stampOf({ ...conversation, turnOwes: conversation.turn.owes });
          if (known.get(conversation.id)?.stamp === stamp) continue;
          const partnerIds = partnerIdsOf(conversation);
          known.set(conversation.id, { partnerIds, stamp });
          follow(subscription, partnerIds);
          yield { conversation, unreadTotal };
        }
        const open = new Set(changed.map(({ id }) => id));
        for (const removedId of ids) {
          const seen = known.get(removedId);
          if (open.has(removedId) || seen === undefined || seen.stamp === GONE) continue;
          known.set(removedId, { partnerIds: [], stamp: GONE });
          yield { conversation: null, removedId, unreadTotal };
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
type Known = Overlay<string, { partnerIds: string[]; stamp: string }>;

/** The stamp of one that is not open to the actor any more, because they no longer cover it. */
const GONE = "gone";

function follow(subscription: Subscription, userIds: readonly string[]): void {
  for (const userId of userIds) subscription.join(`account:${userId}`);
}

/** The conversations that a wake-up names, directly or by the partner's account. */
function notifiedIds(subjects: WakeUp["subjects"], known: Known): string[] {
  const hasPartner = (id: string) =>
    known.get(id)?.partnerIds.some((partnerId) => subjects.has(`account:${partnerId}`)) ?? false;
  const isOfAccount = [...subjects].some((subject) => subject.startsWith("account:"));
  const ofPartners = isOfAccount ? known.keys().filter(hasPartner) : [];
  const named = [...subjects].flatMap((subject) => /^(?:conversation|cover):(.*)$/.exec(subject)?.[1] ?? []);
  return [...new Set([...named, ...ofPartners])];
}

/** How far the caller has received messages, and changes of what became of them. */
function cursorOf(
  lastEventId: string | null | undefined,
  { lastSeq, lastLinkChange }: ConversationState,
): Pick<Progress, "seq" | "change"> {
  const [, seq = "", change = "0"] = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(lastEventId ?? "") ?? [];
  const isKnown = seq !== "" && Number(seq) <= lastSeq && Number(change) <= lastLinkChange;
  // The newest messages say themselves what became of them.
  if (!isKnown) return { seq: Math.max(0, lastSeq - RESYNC_SIZE), change: lastLinkChange };
  return { seq: Number(seq), change: Number(change) };
}

/** A plain number for as long as no message of the conversation has become a task. */
function idOf({ seq, change }: Pick<Progress, "seq" | "change">): string {
  return change === 0 ? String(seq) : `${seq}.${change}`;
}

/** Null once the conversation is gone. */
type Batch = MessageBatch | null;

/** What one stream has sent so far. */
interface Progress {
  seq: number;
  change: number;
  lowerReadSeq: number;
  higherReadSeq: number;
}

function* eventsOf({
  state,
  rows,
  links,
  sent,
  viewer,
}: MessageBatch & { sent: Progress; viewer: Actor }): Generator<MessageEvent> {
  const side = sideOf(state, viewer);
  if (side === null) throw new DomainError("NOT_FOUND", MESSAGES.chat.notFound);
  const before = { ...sent };
  for (const row of rows) {
    // Two reads may overlap only if a batch is shared; a message is sent once, whatever was read.
    if (row.seq <= sent.seq) continue;
    sent.seq = row.seq;
    yield tracked(idOf(sent), { type: "message" as const, message: showMessage(row, { state, viewer }) });
  }
  for (const { messageId, seq, lastChange, link } of links) {
    if (lastChange <= before.change) continue;
    sent.change = lastChange;
    // Messages that follow say it themselves.
    if (seq > before.seq) continue;
    yield tracked(idOf(sent), { type: "chip" as const, messageId, chip: link && showChip(link, viewer) });
  }
  const { lowerReadSeq, higherReadSeq, lowerUserId, higherUserId } = state;
  const read = (readerId: string, upToSeq: number) =>
    tracked(idOf(sent), { type: "read" as const, readerId: readerId === side ? viewer.id : readerId, upToSeq });
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
  afterChange: number;
}

const readAfter = sharedRead(
  (db, cursor: MessageCursor) => findMessagesAfter(db, { ...cursor, limit: BATCH_SIZE }),
  ({ conversationId, afterSeq, afterChange }) => `${conversationId} ${afterSeq} ${afterChange}`,
);

type InboxReading = Awaited<ReturnType<typeof readInbox>>;

/** Some of a person's conversations and the unread total, read once for all of their tabs. */
const readInbox = sharedRead(
  async (db, { actor, ...asked }: { actor: Actor; ids: string[]; timeZone: string }) => {
    const changed = await listConversations(db, { actor, ...asked });
    // After the conversations: what changes in between wakes the stream up again. An older total would stay on screen.
    return { ids: asked.ids, changed, unreadTotal: await countUnread(db, { actor }) };
  },
  ({ actor, ids }) => [actor.id, actor.accountType, ...ids.toSorted()].join(" "),
);
