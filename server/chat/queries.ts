import { TURN_SIDES } from "@db/client-enums";
import { and, asc, desc, eq, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import { type Db, perDatabase, type Tx } from "../../db/client";
import {
  aliased,
  columnValue,
  holds,
  isoInstant,
  jsonFields,
  jsonObject,
  jsonRows,
  quoted,
} from "../../db/expressions";
import { conversations, files, messages, messageTasks, organisation, users } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import type {
  ChatPartner,
  Conversation,
  ConversationCover,
  Message,
  MessagePage,
  Person,
  Turn,
} from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { filesJson } from "../files/queries";
import { turnOf } from "../organisation/business-time";
import { calendarColumns, calendarOf } from "../organisation/queries";
import { personJson, shownName, shownPicture } from "../users/queries";
import { type LinkChange, linkChangeColumns, linkJson, type MessageLink, showChip } from "./links";
import {
  answering,
  isCovered,
  isHandedOver,
  isOnLowerSide,
  isSentFor,
  otherId,
  participating,
  recipientTypes,
  type Viewer,
} from "./policy";

const PAGE_SIZE = 50;

/** Who takes part in a conversation or covers it now, its last numbers, and how far each of the two sides has read. */
export interface ConversationState {
  id: string;
  lowerUserId: string;
  higherUserId: string;
  /** Who stands in now, and in whose place; the latter stays when a cover ends. */
  coverUserId: string | null;
  coveredUserId: string | null;
  lastSeq: number;
  lastLinkChange: number;
  lowerReadSeq: number;
  higherReadSeq: number;
}

/** A message as it is stored. */
export interface MessageRow extends Omit<Message, "read" | "clientMessageId" | "chip"> {
  clientMessageId: string;
  /** The task that it became. */
  link: MessageLink | null;
}

/** The view of a message for somebody who may read it: only its sender gets its key, and who sees the project the task's chip. */
export function showMessage(
  { link, ...row }: MessageRow,
  { state, viewer }: { state: ConversationState; viewer: Actor },
): Message {
  const isOwn = row.senderId === viewer.id;
  return {
    ...row,
    read: row.seq <= (isOfLowerSide(row, state) ? state.higherReadSeq : state.lowerReadSeq),
    clientMessageId: isOwn ? row.clientMessageId : null,
    senderName: isOwn ? null : row.senderName,
    chip: link && showChip(link, viewer),
  };
}

function isOfLowerSide({ senderId }: Pick<MessageRow, "senderId">, state: ConversationState): boolean {
  const { lowerUserId, higherUserId, coveredUserId } = state;
  return senderId === lowerUserId || (senderId !== higherUserId && coveredUserId === lowerUserId);
}

/** The one of the two on whose side somebody reads and writes; null for whoever neither takes part nor covers it now. */
export function sideOf(state: ConversationState, { id }: Pick<Actor, "id">): string | null {
  const { lowerUserId, higherUserId, coverUserId, coveredUserId } = state;
  if (id === lowerUserId || id === higherUserId) return id;
  return id === coverUserId ? coveredUserId : null;
}

/** Up to which message the actor's side has read. */
export function ownReadSeqOf(state: ConversationState, actor: Pick<Actor, "id">): number {
  return sideOf(state, actor) === state.lowerUserId ? state.lowerReadSeq : state.higherReadSeq;
}

/** A conversation that the actor takes part in or covers now; NOT_FOUND whether it is not theirs or does not exist. */
export async function getConversationState(
  db: Db | Tx,
  { id, actor }: { id: string; actor: Actor },
): Promise<ConversationState> {
  const [row] = await db
    .select(stateColumns)
    .from(conversations)
    .where(and(eq(conversations.id, id), participating(actor)));
  if (!row) throw new DomainError("NOT_FOUND", MESSAGES.chat.notFound);
  return row;
}

const stateColumns = {
  id: conversations.id,
  lowerUserId: conversations.lowerUserId,
  higherUserId: conversations.higherUserId,
  coverUserId: sql<string | null>`case when ${isCovered} then ${conversations.coverUserId} end`,
  coveredUserId: conversations.coveredUserId,
  lastSeq: conversations.lastSeq,
  lastLinkChange: conversations.lastLinkChange,
  lowerReadSeq: conversations.lowerReadSeq,
  higherReadSeq: conversations.higherReadSeq,
};

/** Messages before a number, or the newest, ascending. 50 unless `limit` says otherwise. */
export async function listMessages(
  db: Db,
  {
    state,
    before,
    limit = PAGE_SIZE,
    viewer,
  }: { state: ConversationState; before?: number | undefined; limit?: number | undefined; viewer: Actor },
): Promise<MessagePage> {
  const rows = await db
    .select(messageColumns)
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(and(eq(messages.conversationId, state.id), before === undefined ? undefined : lt(messages.seq, before)))
    .orderBy(desc(messages.seq))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const items = page.toReversed().map((row) => showMessage(row, { state, viewer }));
  return { items, nextCursor: rows.length > limit ? (items[0]?.seq ?? null) : null };
}

const sender = alias(users, "sender");

/** Of messages beside their conversation. */
const messageColumns = {
  id: messages.id,
  conversationId: messages.conversationId,
  seq: messages.seq,
  senderId: messages.senderId,
  text: messages.text,
  timestamp: isoInstant(messages.createdAt),
  clientMessageId: messages.clientMessageId,
  kind: messages.kind,
  files: filesJson(eq(files.messageId, messages.id)),
  senderName: sql<
    string | null
  >`case when ${messages.senderId} not in (${conversations.lowerUserId}, ${conversations.higherUserId}) then
    (select ${shownName(sender)} from ${users} as ${sql.identifier("sender")} where ${eq(sender.id, messages.senderId)}) end`,
  link: linkJson(eq(messageTasks.messageId, messages.id)),
};

/** What a stream reads of a conversation: see `findMessagesAfter`. */
export interface MessageBatch {
  state: ConversationState;
  rows: MessageRow[];
  /** Changes of what messages up to that number became, in their order. */
  links: LinkChange[];
}

/**
 * At most `limit` messages after a number, ascending, with the read marks at that moment, and the changes after a number of what
 * messages before became. Null for an unknown id. For streams.
 */
export async function findMessagesAfter(
  db: Db,
  after: { conversationId: string; afterSeq: number; afterChange: number; limit: number },
): Promise<MessageBatch | null> {
  const [found] = await messagesAfter(db).execute(after);
  return found ?? null;
}
const messagesAfter = perDatabase((db) => {
  const conversationId = sql.placeholder("conversationId");
  const past = db
    .select(aliased(messageColumns))
    .from(messages)
    .where(and(eq(messages.conversationId, conversationId), gt(messages.seq, sql.placeholder("afterSeq"))))
    .orderBy(asc(messages.seq))
    .limit(sql.placeholder("limit"));
  const links = db
    .select(aliased(linkChangeColumns))
    .from(messageTasks)
    .where(
      and(eq(messageTasks.conversationId, conversationId), gt(messageTasks.lastChange, sql.placeholder("afterChange"))),
    )
    .orderBy(asc(messageTasks.lastChange));
  // One statement sees one state of the database: no read mark refers to a message that is not in it.
  return db
    .select({ state: stateColumns, rows: jsonRows(past), links: jsonRows(links) })
    .from(conversations)
    .where(eq(conversations.id, conversationId))
    .prepare("messages_after");
});

/** The actor's own message with that key, in whichever conversation, or null. */
export async function findMessageByKey(
  db: Db,
  { clientMessageId, actor }: { clientMessageId: string; actor: Actor },
): Promise<Message | null> {
  const [found] = await db
    .select({ state: stateColumns, row: messageColumns })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(and(eq(messages.senderId, actor.id), eq(messages.clientMessageId, clientMessageId)));
  return found ? showMessage(found.row, { state: found.state, viewer: actor }) : null;
}

/**
 * The actor's conversations and those that they cover now, all or those with some ids, newest first. `timeZone` holds for their
 * business time until the organisation has chosen one.
 */
export async function listConversations(
  db: Db | Tx,
  { actor, ids, timeZone }: { actor: Actor; ids?: readonly string[]; timeZone: string },
): Promise<Conversation[]> {
  const newest = alias(messages, "newest");
  const unanswered = alias(messages, "unanswered");
  const rows = await db
    .select({
      id: conversations.id,
      otherUser: partnerJson(actor),
      lastMessage: {
        text: newest.text,
        timestamp: isoInstant(newest.createdAt),
        senderId: newest.senderId,
        kind: newest.kind,
      },
      unreadCount:
        sql`case when ${isHandedOver(actor)} then 0 else (select count(*) from ${messages} where ${isUnreadBy(actor)}) end`.mapWith(
          Number,
        ),
      ...seqsOf(actor),
      ...coverColumns,
      createdAt: isoInstant(conversations.createdAt),
      updatedAt: isoInstant(conversations.updatedAt),
      turnOwes: turnSide(actor),
      turnSince: unanswered.createdAt,
      organisation: calendarColumns,
    })
    .from(conversations)
    .leftJoin(organisation, sql`true`)
    .leftJoin(
      unanswered,
      and(eq(unanswered.conversationId, conversations.id), eq(unanswered.seq, conversations.turnSeq)),
    )
    .innerJoin(partner, eq(partner.id, otherId(actor)))
    .leftJoin(cover, isCoverOf)
    .leftJoin(covered, isCoveredBy(actor))
    .leftJoin(newest, and(eq(newest.conversationId, conversations.id), eq(newest.seq, conversations.lastSeq)))
    .where(and(participating(actor), ids && inArray(conversations.id, [...ids])))
    .orderBy(desc(conversations.updatedAt), desc(conversations.id));
  const now = new Date();
  return rows.map(({ organisation: stored, turnOwes: owes, turnSince: since, ...row }) => ({
    ...row,
    turn: turnOf(calendarOf(stored, { timeZone }), { owes, since }, now),
  }));
}

/** Who owes the next message, where one of the two is a client. */
export function turnSide({ accountType }: Pick<Viewer, "accountType">): SQL<Turn["owes"]> {
  if (accountType === "client") return columnValue(conversations.turnOwes);
  return sql`case when ${holds(partner.accountType, "client")} then ${conversations.turnOwes} else ${quoted(TURN_SIDES, "nobody")} end`;
}

/** The actor's unread messages in all conversations that are theirs to answer. */
export async function countUnread(db: Db, { actor }: { actor: Actor }): Promise<number> {
  const [row] = await db
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(conversations)
    .innerJoin(messages, isUnreadBy(actor))
    .where(answering(actor));
  return row?.count ?? 0;
}

/** The other one of a conversation. */
export const partner = alias(users, "partner");

/** Who covers a conversation now, and for whom: joined by `isCoverOf`, and by `isCoveredBy` for the cover's own view. */
export const cover = alias(users, "cover");
export const covered = alias(users, "covered");
export const isCoverOf = and(eq(cover.id, conversations.coverUserId), isCovered);
export function isCoveredBy({ id }: Viewer): SQL | undefined {
  return and(eq(covered.id, conversations.coveredUserId), eq(conversations.coverUserId, id));
}

/** Who covers a conversation, and for whom, as views show it. */
export const coverColumns = {
  cover: sql<ConversationCover | null>`case when ${cover.id} is not null then ${jsonFields({
    person: personJson(cover),
    until: isoInstant(conversations.coverUntil),
  })} end`,
  coversFor: sql<Person | null>`case when ${covered.id} is not null then ${personJson(covered)} end`,
};

/** The partner as a view shows them. */
export function partnerJson(actor: Viewer): SQL<ChatPartner> {
  const isRecipient = inArray(partner.accountType, recipientTypes(actor));
  const isThere = sql`(${holds(partner.accountStatus, "active")} and ${isRecipient})`;
  return jsonObject({
    id: partner.id,
    name: shownName(partner),
    accountType: partner.accountType,
    profileImgLink: shownPicture(partner),
    isActive: sql<boolean>`(${isThere} or (${isCovered} and ${conversations.coveredUserId} = ${partner.id}))`,
  });
}

/** Of what somebody wrote on the other side; what the server adds waits for nobody. */
function isUnreadBy(actor: Actor): SQL {
  const side = otherId(actor);
  const other = sql`case when ${isOnLowerSide(actor)} then ${conversations.lowerUserId} else ${conversations.higherUserId} end`;
  return sql`(${messages.conversationId} = ${conversations.id} and ${messages.seq} > ${ownReadSeq(actor)} and ${holds(messages.kind, "text")} and ${isSentFor({ side, other })})`;
}

/** The last number of the conversation, and how far each of the two has read. */
export function seqsOf(actor: Viewer) {
  return { lastSeq: conversations.lastSeq, ownReadSeq: ownReadSeq(actor), otherReadSeq: otherReadSeq(actor) };
}

const ownReadSeq = (actor: Pick<Viewer, "id">) =>
  readSeqOf(actor, { ifLower: conversations.lowerReadSeq, ifHigher: conversations.higherReadSeq });
const otherReadSeq = (actor: Pick<Viewer, "id">) =>
  readSeqOf(actor, { ifLower: conversations.higherReadSeq, ifHigher: conversations.lowerReadSeq });

function readSeqOf(
  actor: Pick<Viewer, "id">,
  { ifLower, ifHigher }: { ifLower: PgColumn; ifHigher: PgColumn },
): SQL<number> {
  return sql`case when ${isOnLowerSide(actor)} then ${ifLower} else ${ifHigher} end`.mapWith(Number);
}
