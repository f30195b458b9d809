import { TURN_SIDES } from "@db/client-enums";
import { and, asc, desc, eq, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import { type Db, perDatabase, type Tx } from "../../db/client";
import { aliased, columnValue, holds, isoInstant, jsonObject, jsonRows, quoted } from "../../db/expressions";
import { conversations, files, messages, organisation, users } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import type { ChatPartner, Conversation, Message, MessagePage, Turn } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { filesJson } from "../files/queries";
import { turnOf } from "../organisation/business-time";
import { calendarColumns, calendarOf } from "../organisation/queries";
import { shownName, shownPicture } from "../users/queries";
import { otherId, participating, recipientTypes, type Viewer } from "./policy";

const PAGE_SIZE = 50;

/** Who takes part in a conversation, its last number, and how far each of the two has read. */
export interface ConversationState {
  id: string;
  lowerUserId: string;
  higherUserId: string;
  lastSeq: number;
  lowerReadSeq: number;
  higherReadSeq: number;
}

/** A message as it is stored. */
export interface MessageRow extends Omit<Message, "read" | "clientMessageId"> {
  clientMessageId: string;
}

/** The view of a message for one of the two people: only its sender gets its key. */
export function showMessage(
  row: MessageRow,
  { state, viewerId }: { state: ConversationState; viewerId: string },
): Message {
  const { lowerUserId, lowerReadSeq, higherReadSeq } = state;
  const readSeq = row.senderId === lowerUserId ? higherReadSeq : lowerReadSeq;
  return {
    ...row,
    read: row.seq <= readSeq,
    clientMessageId: row.senderId === viewerId ? row.clientMessageId : null,
  };
}

/** Up to which message the actor has read. */
export function ownReadSeqOf(
  { lowerUserId, lowerReadSeq, higherReadSeq }: ConversationState,
  { id }: Pick<Actor, "id">,
): number {
  return id === lowerUserId ? lowerReadSeq : higherReadSeq;
}

/** A conversation that the actor takes part in; NOT_FOUND whether it is not theirs or does not exist. */
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
  lastSeq: conversations.lastSeq,
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
    viewerId,
  }: { state: ConversationState; before?: number | undefined; limit?: number | undefined; viewerId: string },
): Promise<MessagePage> {
  const rows = await db
    .select(messageColumns)
    .from(messages)
    .where(and(eq(messages.conversationId, state.id), before === undefined ? undefined : lt(messages.seq, before)))
    .orderBy(desc(messages.seq))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const items = page.toReversed().map((row) => showMessage(row, { state, viewerId }));
  return { items, nextCursor: rows.length > limit ? (items[0]?.seq ?? null) : null };
}

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
};

/** At most `limit` messages after a number, ascending, and the read marks at that moment. Null for an unknown id. For streams. */
export async function findMessagesAfter(
  db: Db,
  { conversationId, afterSeq, limit }: { conversationId: string; afterSeq: number; limit: number },
): Promise<{ state: ConversationState; rows: MessageRow[] } | null> {
  const [found] = await messagesAfter(db).execute({ conversationId, afterSeq, limit });
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
  // One statement sees one state of the database: no read mark refers to a message that is not in it.
  return db
    .select({ state: stateColumns, rows: jsonRows(past) })
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
  return found ? showMessage(found.row, { state: found.state, viewerId: actor.id }) : null;
}

/**
 * The actor's conversations, all or those with some ids, newest first. `timeZone` holds for their business time until the organisation
 * has chosen one.
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
      },
      unreadCount: sql`(select count(*) from ${messages} where ${isUnreadBy(actor)})`.mapWith(Number),
      ...seqsOf(actor),
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

/** The actor's unread messages in all conversations. */
export async function countUnread(db: Db, { actor }: { actor: Actor }): Promise<number> {
  const [row] = await db
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(conversations)
    .innerJoin(messages, isUnreadBy(actor))
    .where(participating(actor));
  return row?.count ?? 0;
}

/** The other one of a conversation. */
export const partner = alias(users, "partner");

/** The partner as a view shows them. */
export function partnerJson(actor: Pick<Viewer, "accountType">): SQL<ChatPartner> {
  const isRecipient = inArray(partner.accountType, recipientTypes(actor));
  return jsonObject({
    id: partner.id,
    name: shownName(partner),
    accountType: partner.accountType,
    profileImgLink: shownPicture(partner),
    isActive: sql<boolean>`(${holds(partner.accountStatus, "active")} and ${isRecipient})`,
  });
}

function isUnreadBy(actor: Actor): SQL {
  return sql`(${messages.conversationId} = ${conversations.id} and ${messages.seq} > ${ownReadSeq(actor)} and ${messages.senderId} <> ${actor.id})`;
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
  { id }: Pick<Viewer, "id">,
  { ifLower, ifHigher }: { ifLower: PgColumn; ifHigher: PgColumn },
): SQL<number> {
  return sql`case when ${conversations.lowerUserId} = ${id}::uuid then ${ifLower} else ${ifHigher} end`.mapWith(Number);
}
