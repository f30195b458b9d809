import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { TURN_SIDES } from "../client-enums";
import { MESSAGE_KINDS } from "../enums";
import { wordsOf } from "../expressions";
import { users } from "./auth";
import { instant } from "./columns";

const seq = () => bigint({ mode: "number" });

/** What two people write to each other: one row for each pair, whoever of them begins. */
export const conversations = pgTable(
  "conversations",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** The two in the order of their ids, so that a pair has one spelling. */
    lowerUserId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    higherUserId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    /** The number of the newest message. Counted up under the row's lock, so that numbers commit in their order. */
    lastSeq: seq().notNull().default(0),
    /** Up to which message each of the two has read; moves forward only. */
    lowerReadSeq: seq().notNull().default(0),
    higherReadSeq: seq().notNull().default(0),
    /** Up to which message each of the two was mailed about; a mail goes out only past what they have read since. */
    lowerMailedSeq: seq().notNull().default(0),
    higherMailedSeq: seq().notNull().default(0),
    /**
     * Whoever stands in for the one of the two who is an admin, and until when; null: until it is taken back. No participant: reads
     * and writes in their place while it lasts. On this row, so that a send that waits for its lock finds the present one.
     */
    coverUserId: uuid().references(() => users.id, { onDelete: "restrict" }),
    coverUntil: instant(),
    /** In whose place covers write. It stays when a cover ends, as their messages do. */
    coveredUserId: uuid().references(() => users.id, { onDelete: "restrict" }),
    /**
     * Who owes the next message, and the number of the first that was not answered; `nobody`, 0: none waits. The admin's side is the
     * firm, the other one `client`, also of a user: what is shown asks whether it is one. `turnSince` is not written: a message has
     * its time only once its row is locked, and its number says the same.
     */
    turnOwes: text({ enum: TURN_SIDES }).notNull().default("nobody"),
    turnSince: instant(),
    turnSeq: seq().notNull().default(0),
    /** The number of the newest change of what a message became: what a stream's cursor compares. */
    lastLinkChange: seq().notNull().default(0),
    createdAt: instant().notNull().defaultNow(),
    /** The time of the newest message. Every message writes it, so no index has it: the row is then changed in place. */
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique("conversations_pair_unique").on(t.lowerUserId, t.higherUserId),
    index("conversations_higher_user_idx").on(t.higherUserId),
    index("conversations_cover_idx").on(t.coverUserId).where(sql`${t.coverUserId} is not null`),
    index("conversations_cover_until_idx").on(t.coverUntil).where(sql`${t.coverUntil} is not null`),
    check("conversations_pair_order", sql`${t.lowerUserId} < ${t.higherUserId}`),
    check(
      "conversations_cover",
      sql`${t.coverUserId} is null and ${t.coverUntil} is null
        or ${t.coveredUserId} in (${t.lowerUserId}, ${t.higherUserId}) and ${t.coverUserId} not in (${t.lowerUserId}, ${t.higherUserId})`,
    ),
    check("conversations_lower_read", sql`${t.lowerReadSeq} between 0 and ${t.lastSeq}`),
    check("conversations_higher_read", sql`${t.higherReadSeq} between 0 and ${t.lastSeq}`),
  ],
);

/** Up to which message the firm said that no answer is needed. Messages after it begin a turn anew. */
export const conversationSettlements = pgTable(
  "conversation_settlements",
  {
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "restrict" }),
    upToSeq: seq().notNull(),
    settledBy: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    settledAt: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.conversationId, t.upToSeq] }),
    index("conversation_settlements_person_idx").on(t.settledBy),
  ],
);

/** Never changed and never deleted: a record between firm and client. */
export const messages = pgTable(
  "messages",
  {
    id: uuid().primaryKey().defaultRandom(),
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "restrict" }),
    /** Counts from 1 in its conversation, without a gap. */
    seq: seq().notNull(),
    senderId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    /** Made by the sender's browser once for each message, so that a repeated call is known as such. */
    clientMessageId: uuid().notNull(),
    kind: text({ enum: MESSAGE_KINDS }).notNull().default("text"),
    text: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("messages_words_idx").using("gin", wordsOf(t.text)),
    index("messages_letters_idx").using("gin", sql`${t.text} gin_trgm_ops`),
    index("messages_created_idx").on(t.createdAt, t.id),
    unique("messages_seq_unique").on(t.conversationId, t.seq),
    unique("messages_client_key_unique").on(t.senderId, t.clientMessageId),
    check("messages_seq_positive", sql`${t.seq} > 0`),
    check("messages_text_length", sql`char_length(${t.text}) between 1 and 4000`),
  ],
);
