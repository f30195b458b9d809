import type { MessageKind } from "@db/enums";
import { and, between, eq, inArray, type SQL, sql } from "drizzle-orm";
import { integer, pgTable, timestamp, uuid } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../../db/client";
import { recountTurns } from "../../../db/conversation-turns";
import { holds } from "../../../db/expressions";
import { conversations, messages, users } from "../../../db/schema";
import { columnsOf } from "../../../db/writes";
import { conversationNotification } from "../../realtime/notify";
import { knownConversations, knownPeople, stagedMessages } from "./staging";

const BATCH = 5_000;

/**
 * Of staged messages beside their conversation and sender: one of the two, or where somebody was covered an admin in their place, who
 * in an export of our own may be none any more.
 */
export function mayHaveWritten({ isOwnExport }: { isOwnExport: boolean }): SQL<boolean> {
  const isAdmin = sql`exists (select from ${users} where ${and(eq(users.id, knownPeople.userId), holds(users.accountType, "admin"))})`;
  return sql`(${knownPeople.userId} in (${conversations.lowerUserId}, ${conversations.higherUserId})
    or ${conversations.coveredUserId} is not null and (${isOwnExport} or ${isAdmin}))`;
}

/** The staged messages that are not there yet, by conversation and time. */
const missingMessages = pgTable("import_missing_messages", {
  position: integer("position").notNull(),
  place: integer("place").notNull(),
  id: uuid("id").notNull(),
  conversationId: uuid("conversationId").notNull(),
  senderId: uuid("senderId").notNull(),
  at: timestamp("at", { withTimezone: true, mode: "string" }).notNull(),
});

/**
 * Adds the staged messages that are not there yet to their conversations: after what is there, in the order of their times. Nobody is
 * mailed about them. Returns how many were added.
 */
export async function importMessages(
  db: Db | Tx,
  { isOwnExport, onProgress }: { isOwnExport: boolean; onProgress: (count: number, total: number) => void },
): Promise<number> {
  const at = sql`coalesce(${stagedMessages.at}, ${knownConversations.begunAt})`;
  await db.execute(sql`
    create temporary table ${missingMessages} as
    select (row_number() over (order by ${knownConversations.conversationId}, ${at}, ${stagedMessages.place}))::int as "position",
      ${stagedMessages.place}, ${stagedMessages.id}, ${knownConversations.conversationId}, ${knownPeople.userId} as "senderId", ${at} as "at"
    from ${stagedMessages}
    join ${knownConversations} on ${eq(knownConversations.fileId, stagedMessages.conversationFileId)}
    join ${conversations} on ${eq(conversations.id, knownConversations.conversationId)}
    join ${knownPeople} on ${eq(knownPeople.fileId, stagedMessages.sender)}
      and ${mayHaveWritten({ isOwnExport })}
    where not exists (select from ${messages} where ${eq(messages.id, stagedMessages.id)})`);
  await db.execute(sql`create index on ${missingMessages} ("position")`);
  await db.execute(sql`analyze ${missingMessages}`);
  const count = await db.$count(missingMessages);
  for (let first = 1; first <= count; first += BATCH) {
    await db.transaction((tx) => appendBatch(tx, between(missingMessages.position, first, first + BATCH - 1)));
    onProgress(Math.min(first + BATCH - 1, count), count);
  }
  return count;
}

/** Those of the present batch, with the numbers that they get. */
const batchMessages = pgTable("import_batch_messages", {
  place: integer("place").notNull(),
  id: uuid("id").notNull(),
  conversationId: uuid("conversationId").notNull(),
  seq: integer("seq").notNull(),
  senderId: uuid("senderId").notNull(),
  at: timestamp("at", { withTimezone: true, mode: "string" }).notNull(),
});

async function appendBatch(tx: Tx, range: SQL): Promise<void> {
  const ofBatch = inArray(
    conversations.id,
    tx.select({ id: missingMessages.conversationId }).from(missingMessages).where(range),
  );
  // Whoever writes to one of them waits, so that numbers follow each other.
  await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(ofBatch)
    .orderBy(conversations.id)
    .for("no key update");
  const turn = sql`row_number() over (partition by ${missingMessages.conversationId} order by ${missingMessages.position})`;
  await tx.execute(sql`
    create temporary table ${batchMessages} on commit drop as
    select ${missingMessages.place}, ${missingMessages.id}, ${missingMessages.conversationId},
      ${conversations.lastSeq} + ${turn} as "seq", ${missingMessages.senderId}, ${missingMessages.at}
    from ${missingMessages} join ${conversations} on ${eq(conversations.id, missingMessages.conversationId)}
    where ${range}`);
  await tx.insert(messages).select(
    tx
      .select(
        columnsOf(messages, {
          id: batchMessages.id,
          conversationId: batchMessages.conversationId,
          seq: batchMessages.seq,
          senderId: batchMessages.senderId,
          clientMessageId: sql<string>`${batchMessages.id}`.as("client_message_id"),
          kind: sql<MessageKind>`${stagedMessages.kind}`.as("kind"),
          text: stagedMessages.text,
          createdAt: sql<Date>`${batchMessages.at}`.as("created_at"),
        }),
      )
      .from(batchMessages)
      .innerJoin(stagedMessages, eq(stagedMessages.place, batchMessages.place)),
  );
  await moveConversations(tx);
  await recountTurns(tx, ofBatch);
  await tx
    .select({ notified: conversationNotification(tx, conversations) })
    .from(conversations)
    .where(ofBatch);
  await tx.execute(sql`drop table ${batchMessages}`);
}

/** To their new last message, read as far as the file says. */
async function moveConversations(tx: Tx): Promise<void> {
  const { lowerUserId, higherUserId, coveredUserId } = conversations;
  const side = sql`case when ${batchMessages.senderId} in (${lowerUserId}, ${higherUserId}) then ${batchMessages.senderId} else ${coveredUserId} end`;
  const readOf = (other: typeof lowerUserId | typeof higherUserId) =>
    sql`max(${batchMessages.seq}) filter (where ${side} = ${other} and ${stagedMessages.isRead})`;
  const news = tx
    .select({
      id: conversations.id,
      newest: sql<number>`max(${batchMessages.seq})`.as("newest"),
      latest: sql<Date>`max(${batchMessages.at})`.as("latest"),
      lowerRead: sql<number | null>`${readOf(conversations.higherUserId)}`.as("lower_read"),
      higherRead: sql<number | null>`${readOf(conversations.lowerUserId)}`.as("higher_read"),
    })
    .from(batchMessages)
    .innerJoin(stagedMessages, eq(stagedMessages.place, batchMessages.place))
    .innerJoin(conversations, eq(conversations.id, batchMessages.conversationId))
    .groupBy(conversations.id)
    .as("news");
  await tx
    .update(conversations)
    .set({
      lastSeq: sql`${news.newest}`,
      updatedAt: sql`greatest(${conversations.updatedAt}, ${news.latest})`,
      lowerReadSeq: sql`greatest(${conversations.lowerReadSeq}, ${news.lowerRead})`,
      higherReadSeq: sql`greatest(${conversations.higherReadSeq}, ${news.higherRead})`,
      lowerMailedSeq: sql`${news.newest}`,
      higherMailedSeq: sql`${news.newest}`,
    })
    .from(news)
    .where(eq(conversations.id, news.id));
}
