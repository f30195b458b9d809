import { TURN_SIDES } from "@db/client-enums";
import { ACCOUNT_TYPES, type AccountType, MESSAGE_KINDS, type MessageKind } from "@db/enums";
import { and, eq, ne, sql } from "drizzle-orm";
import { type Db, perDatabase, type Tx } from "../../db/client";
import { type IdValue, isoInstant, quoted } from "../../db/expressions";
import { conversationSettlements, conversations, messages } from "../../db/schema";
import { columnsOf, unlessTaken } from "../../db/writes";
import type { StartConversation } from "../contract/chat";
import { MESSAGES } from "../contract/messages";
import type { Conversation, Message } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import { attachFiles } from "../files/mutations";
import { conversationNotification } from "../realtime/notify";
import { findActiveIds } from "../users/queries";
import { answering, isHandedOver, isWritable, participating, recipientTypes } from "./policy";
import {
  type ConversationState,
  findMessageByKey,
  getConversationState,
  listConversations,
  ownReadSeqOf,
  sideOf,
} from "./queries";

/** A key of a sender is used once. */
const CLIENT_KEY = "messages_client_key_unique";

interface NewMessage {
  text: string;
  clientMessageId: string;
  fileIds?: string[] | undefined;
  by: Actor;
}

/**
 * Adds a message to a conversation of the actor. Idempotent by key: the same key, text and files return the first message, the key
 * with others or in another conversation is a CONFLICT. Not theirs: NOT_FOUND. The partner may not be written to any more: CONFLICT.
 */
export async function sendMessage(
  db: Db,
  { conversationId, ...message }: NewMessage & { conversationId: string },
): Promise<Message> {
  const { fileIds = [] } = message;
  const append = () =>
    fileIds.length === 0
      ? appendMessage(db, { conversationId, ...message })
      : db.transaction((tx) => appendMessageIn(tx, { conversationId, ...message }));
  const added = await unlessTaken(CLIENT_KEY, append);
  if (added) return added;
  const state = await getConversationState(db, { id: conversationId, actor: message.by });
  const earlier = await findMessageByKey(db, { clientMessageId: message.clientMessageId, actor: message.by });
  if (!earlier) throw await explainRefusal(db, { state, by: message.by });
  if (earlier.conversationId === conversationId && holdsSame(earlier, message)) return earlier;
  throw new DomainError("CONFLICT", MESSAGES.chat.keyTaken, { reason: "key-taken" });
}

async function explainRefusal(db: Db, { state, by }: { state: ConversationState; by: Actor }): Promise<DomainError> {
  const { lowerUserId, higherUserId } = state;
  if (isCoveredFor(state, by)) return handedOver();
  const otherUserId = sideOf(state, by) === lowerUserId ? higherUserId : lowerUserId;
  const isActive = (await findActiveIds(db, [otherUserId], [...ACCOUNT_TYPES])).has(otherUserId);
  return new DomainError("CONFLICT", isActive ? MESSAGES.chat.notAPair : MESSAGES.chat.recipientInactive);
}

function isCoveredFor({ coverUserId, coveredUserId }: ConversationState, { id }: Actor): boolean {
  return coverUserId !== null && coveredUserId === id;
}

function handedOver(): DomainError {
  return new DomainError("CONFLICT", MESSAGES.chat.handedOver, { reason: "handed-over" });
}

/**
 * Sends a message to a person in the one conversation of the two, which is made if there is none. Idempotent as `sendMessage`.
 * NOT_FOUND for anybody the actor may not write to, as for an unknown id; BAD_REQUEST for the actor.
 */
export async function startConversation(
  db: Db,
  { recipientId, timeZone, ...content }: NewMessage & { recipientId: string; timeZone: string },
): Promise<{ conversation: Conversation; message: Message }> {
  const { by, clientMessageId } = content;
  if (recipientId === by.id) throw new ValidationError<StartConversation>({ recipientId: [MESSAGES.chat.notOneself] });
  const isRecipient = (await findActiveIds(db, [recipientId], recipientTypes(by))).has(recipientId);
  const added = isRecipient ? await unlessTaken(CLIENT_KEY, () => appendToPair(db, { recipientId, ...content })) : null;
  const message = added ?? (await findMessageByKey(db, { clientMessageId, actor: by }));
  const [conversation] = message
    ? await listConversations(db, { actor: by, ids: [message.conversationId], timeZone })
    : [];
  const isSame = message && conversation?.otherUser.id === recipientId && holdsSame(message, content);
  if (isSame) return { conversation, message };
  throw isRecipient
    ? new DomainError("CONFLICT", MESSAGES.chat.keyTaken, { reason: "key-taken" })
    : new DomainError("NOT_FOUND", MESSAGES.chat.recipientNotFound);
}

/** Whether a repeated call asks for the message that it made the first time. */
function holdsSame({ text, files }: Message, asked: NewMessage): boolean {
  const { fileIds = [] } = asked;
  return text === asked.text && files.length === fileIds.length && files.every(({ id }, at) => id === fileIds[at]);
}

/**
 * Moves the read mark of the actor's side forward, at most to the newest message, unless somebody else covers for the actor. Returns where
 * it is now.
 */
export async function markRead(
  db: Db,
  { state, upToSeq, by }: { state: ConversationState; upToSeq: number; by: Actor },
): Promise<{ upToSeq: number }> {
  const isLower = sideOf(state, by) === state.lowerUserId;
  const pointer = isLower ? conversations.lowerReadSeq : conversations.higherReadSeq;
  const target = sql`least(${upToSeq}::bigint, ${conversations.lastSeq})`;
  const columns = { ...notifyColumns, readSeq: pointer };
  const moved = db.$with("moved", columns).as(
    db
      .update(conversations)
      .set(isLower ? { lowerReadSeq: target } : { higherReadSeq: target })
      .where(and(eq(conversations.id, state.id), answering(by), sql`${pointer} < ${target}`))
      .returning(columns)
      .getSQL(),
  );
  const [row] = await db
    .with(moved)
    .select({ readSeq: moved.readSeq, notified: conversationNotification(db, moved) })
    .from(moved);
  return { upToSeq: row?.readSeq ?? ownReadSeqOf(await getConversationState(db, { id: state.id, actor: by }), by) };
}

/**
 * Nobody owes an answer to what was written so far: neither the firm to a "Thanks!" nor the client. The next message begins a turn
 * anew. CONFLICT, `stale-version`, when there is a newer message than the actor has been shown, and `handed-over` while somebody else
 * covers for the actor. Again: nothing changes.
 */
export async function settleTurn(
  db: Db,
  { conversationId, upToSeq, by }: { conversationId: string; upToSeq: number; by: Actor },
): Promise<void> {
  const owed = and(answering(by), ne(conversations.turnOwes, quoted(TURN_SIDES, "nobody")));
  const settled = db.$with("settled", notifyColumns).as(
    db
      .update(conversations)
      .set({ turnOwes: "nobody", turnSeq: 0 })
      .where(and(eq(conversations.id, conversationId), eq(conversations.lastSeq, upToSeq), owed))
      .returning(notifyColumns)
      .getSQL(),
  );
  const noted = db.$with("noted", {}).as(
    db
      .insert(conversationSettlements)
      .select(
        db
          .select(
            columnsOf(conversationSettlements, {
              conversationId: settled.id,
              upToSeq: sql<number>`${upToSeq}::bigint`.as("up_to_seq"),
              settledBy: sql<string>`${by.id}::uuid`.as("settled_by"),
              settledAt: sql<Date>`now()`.as("settled_at"),
            }),
          )
          .from(settled),
      )
      .getSQL(),
  );
  const [row] = await db
    .with(settled, noted)
    .select({ notified: conversationNotification(db, settled) })
    .from(settled);
  if (row) return;
  const state = await getConversationState(db, { id: conversationId, actor: by });
  if (isCoveredFor(state, by)) throw handedOver();
  if (state.lastSeq !== upToSeq)
    throw new DomainError("CONFLICT", MESSAGES.chat.newerMessage, { reason: "stale-version" });
}

const notifyColumns = {
  id: conversations.id,
  lowerUserId: conversations.lowerUserId,
  higherUserId: conversations.higherUserId,
  coverUserId: conversations.coverUserId,
};

/** Finds or makes the conversation of the two and adds the message, in one transaction. */
function appendToPair(db: Db, { recipientId, ...message }: NewMessage & { recipientId: string }): Promise<Message> {
  const [lowerUserId = "", higherUserId = ""] = [message.by.id, recipientId].sort();
  const pair = { lowerUserId, higherUserId };
  return db.transaction(async (tx) => {
    // Waits for another transaction that makes the same one.
    await tx.insert(conversations).values(columnsOf(conversations, pair)).onConflictDoNothing();
    const [conversation] = await tx
      .select({ id: conversations.id, isHandedOver: isHandedOver(message.by) })
      .from(conversations)
      .where(and(eq(conversations.lowerUserId, lowerUserId), eq(conversations.higherUserId, higherUserId)));
    const added = conversation ? await appendMessageIn(tx, { conversationId: conversation.id, ...message }) : null;
    if (added) return added;
    if (conversation?.isHandedOver) throw handedOver();
    // The recipient was deactivated a moment ago. Rolls back, so that no conversation without a message remains.
    throw new DomainError("NOT_FOUND", MESSAGES.chat.recipientNotFound);
  });
}

/**
 * Takes the next number, inserts and notifies in one statement. Null if the actor does not take part or the partner may not be
 * written to. The conversation's row lock holds until the commit, so that whoever reads a message can read all before it. The
 * clock is read behind that lock, so that times follow the numbers.
 */
async function appendMessage(db: Db, message: Append): Promise<Message | null> {
  const values = valuesOf(message);
  const [made] = await appending(db, message.by.accountType).execute(values);
  return made ? messageOf(values, made) : null;
}
const appending = perDatabase((db, accountType: AccountType) =>
  inserting(
    db,
    {
      id: sql.placeholder("id"),
      conversationId: sql.placeholder("conversationId"),
      senderId: sql.placeholder("senderId"),
      text: sql.placeholder("text"),
      clientMessageId: sql.placeholder("clientMessageId"),
    },
    accountType,
  ).prepare("append_message"),
);

/** As `appendMessage`, with its files, within a transaction. */
async function appendMessageIn(tx: Tx, message: Append): Promise<Message | null> {
  const values = valuesOf(message);
  const [made] = await inserting(tx, values, message.by.accountType);
  if (!made) return null;
  const { fileIds = [], by } = message;
  const files = await attachFiles(tx, { fileIds, place: { messageId: values.id }, by });
  return { ...messageOf(values, made), files };
}

type Append = NewMessage & { conversationId: string };

function valuesOf({ conversationId, text, clientMessageId, by }: Append) {
  return { id: crypto.randomUUID(), conversationId, senderId: by.id, text, clientMessageId };
}

function messageOf(
  values: ReturnType<typeof valuesOf>,
  { seq, timestamp }: Pick<Message, "seq" | "timestamp">,
): Message {
  return { ...values, seq, timestamp, read: false, kind: "text", files: [], senderName: null, chip: null };
}

/** The other side owes the next message, and has since the first one of this run. */
function turnAfter(senderType: AccountType) {
  const { turnOwes, turnSeq, lastSeq } = conversations;
  const owes = quoted(TURN_SIDES, senderType === "admin" ? "client" : "firm");
  return { turnOwes: owes, turnSeq: sql`case when ${turnOwes} = ${owes} then ${turnSeq} else ${lastSeq} + 1 end` };
}

function inserting(
  db: Db | Tx,
  { id, conversationId, senderId, text, clientMessageId }: Record<keyof ReturnType<typeof valuesOf>, IdValue>,
  accountType: AccountType,
) {
  const sender = { id: sql`${senderId}::uuid`, accountType };
  const columns = { ...notifyColumns, lastSeq: conversations.lastSeq, updatedAt: conversations.updatedAt };
  const counted = db.$with("counted", columns).as(
    db
      .update(conversations)
      .set(
        columnsOf(conversations, {
          lastSeq: sql`${conversations.lastSeq} + 1`,
          ...turnAfter(accountType),
          updatedAt: sql`greatest(clock_timestamp(), ${conversations.updatedAt})`,
        }),
      )
      .where(and(sql`${conversations.id} = ${conversationId}`, participating(sender), isWritable(sender)))
      .returning(columns)
      .getSQL(),
  );
  const added = db.$with("added", {}).as(
    db
      .insert(messages)
      .select(
        db
          .select(
            columnsOf(messages, {
              id: sql<string>`${id}::uuid`.as("id"),
              conversationId: counted.id,
              seq: counted.lastSeq,
              senderId: sql<string>`${senderId}::uuid`.as("sender_id"),
              clientMessageId: sql<string>`${clientMessageId}::uuid`.as("client_message_id"),
              kind: sql<MessageKind>`${quoted(MESSAGE_KINDS, "text")}`.as("kind"),
              text: sql<string>`${text}::text`.as("text"),
              createdAt: counted.updatedAt,
            }),
          )
          .from(counted),
      )
      .getSQL(),
  );
  return db
    .with(counted, added)
    .select({
      seq: counted.lastSeq,
      timestamp: isoInstant(counted.updatedAt),
      notified: conversationNotification(db, counted),
    })
    .from(counted);
}
