import type { AccountType } from "@db/enums";
import { and, eq, gt, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../db/client";
import { eachId, holds } from "../../db/expressions";
import { conversations, messages, users } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { recurringJob } from "../jobs/recurring";
import type { MailComposer } from "../mail/jobs";
import { queueUnreadMails } from "../mail/mutations";
import { composeMail } from "../mail/templates";
import type { Presence } from "../realtime/presence";
import { shownName } from "../users/queries";
import { answererId, answering, isCovered, isOnLowerSide, isSentFor, otherId } from "./policy";

/** So many of each side at a time; the rest waits for the next sweep. */
const MAX_BATCH = 500;

/** Queues mails about unread messages every minute, first a minute after the start: by then it is known who is present. */
export const unreadMailKind = (
  db: Db,
  { presence, everySeconds = 60 }: { presence: Pick<Presence, "presentIds">; everySeconds?: number },
) =>
  recurringJob(db, {
    name: "unread-mail",
    everySeconds,
    startAfterMs: everySeconds * 1_000,
    work: () => mailUnread(db, { presentIds: presence.presentIds() }),
  });

/** The columns of one of a conversation's two people. */
interface Side {
  readerId: PgColumn;
  otherId: PgColumn;
  readSeq: PgColumn;
  mailedSeq: PgColumn;
  mailedUpTo: (seq: SQL) => { lowerMailedSeq: SQL } | { higherMailedSeq: SQL };
}

const LOWER: Side = {
  readerId: conversations.lowerUserId,
  otherId: conversations.higherUserId,
  readSeq: conversations.lowerReadSeq,
  mailedSeq: conversations.lowerMailedSeq,
  mailedUpTo: (lowerMailedSeq) => ({ lowerMailedSeq }),
};
const HIGHER: Side = {
  readerId: conversations.higherUserId,
  otherId: conversations.lowerUserId,
  readSeq: conversations.higherReadSeq,
  mailedSeq: conversations.higherMailedSeq,
  mailedUpTo: (higherMailedSeq) => ({ higherMailedSeq }),
};

/**
 * Queues a mail for everyone, or for who covers for them, who has left a message unread for 15 minutes, is not present and has not switched these mails off:
 * one per conversation until they have read the messages it was about. Looks back two days. Safe to run concurrently.
 */
export async function mailUnread(db: Db, { presentIds }: { presentIds: readonly string[] }): Promise<void> {
  for (const side of [LOWER, HIGHER]) await mailSide(db, { side, presentIds });
}

async function mailSide(db: Db, { side, presentIds }: { side: Side; presentIds: readonly string[] }): Promise<void> {
  const { readerId, otherId: sentBy, readSeq, mailedSeq, mailedUpTo } = side;
  const theirs = sql`${messages.conversationId} = ${conversations.id} and ${holds(messages.kind, "text")} and ${isSentFor({ side: sentBy, other: readerId })}`;
  /** The one of the two, or who covers for them. */
  const recipient = sql<string>`case when ${isCovered} and ${conversations.coveredUserId} = ${readerId} then ${conversations.coverUserId} else ${readerId} end`;
  await db.transaction(async (tx) => {
    const due = tx
      .select({ id: conversations.id })
      .from(conversations)
      .innerJoin(users, eq(users.id, recipient))
      .where(
        and(
          inArray(conversations.id, recentlyWritten(tx)),
          lt(readSeq, conversations.lastSeq),
          // All messages of the last mail are read. Compares messages, since mailedSeq may point to one of the reader's own.
          sql`not exists (select 1 from ${messages} where ${theirs} and ${messages.seq} > ${readSeq}
            and ${messages.seq} <= ${mailedSeq})`,
          eq(users.accountStatus, "active"),
          eq(users.unreadMail, true),
          sql`${users.id} not in (select ${eachId(JSON.stringify(presentIds))})`,
          sql`exists (select 1 from ${messages} where ${theirs} and ${messages.seq} > ${readSeq}
            and ${messages.createdAt} <= now() - interval '15 minutes')`,
        ),
      )
      .limit(MAX_BATCH)
      // Skips conversations that are being written to or read: the next sweep finds them.
      .for("update", { of: conversations, skipLocked: true });
    const claimed = await tx
      .update(conversations)
      // Not the newest message of all: readers never mark their own messages as read.
      .set(columnsOf(conversations, mailedUpTo(sql`(select max(${messages.seq}) from ${messages} where ${theirs})`)))
      .where(inArray(conversations.id, due))
      .returning({ conversationId: conversations.id, recipient });
    await queueUnreadMails(tx, claimed);
  });
}

/** Found by the messages: an index on the time of a conversation's newest one would have to be written with every message. */
function recentlyWritten(tx: Tx) {
  return tx
    .select({ id: messages.conversationId })
    .from(messages)
    .where(gt(messages.createdAt, sql`now() - interval '2 days'`));
}

/** The start page of each type of account. */
const SHELLS: Record<AccountType, string> = { admin: "/admin", client: "/client", user: "/dashboard" };

/**
 * Composes the mails about unread messages: who wrote and how many messages wait, never what they say. Null when there is no
 * longer anything or anybody to write about.
 */
export function createUnreadMails({ db, publicUrl }: { db: Db; publicUrl: string }): MailComposer {
  return async ({ conversationId, recipient }) => {
    const notice = conversationId && (await findUnreadNotice(db, { conversationId, readerId: recipient }));
    if (!notice) return null;
    const { email, name, accountType, senderName, count } = notice;
    const shellUrl = `${publicUrl}${SHELLS[accountType]}`;
    const unread = count === 1 ? "an unread message" : `${count} unread messages`;
    const mail = composeMail({
      subject: `${senderName} wrote to you on Sangam`,
      greeting: `Hello ${name},`,
      paragraphs: [`You have ${unread} from ${senderName}.`],
      action: { label: "Read and reply", url: `${shellUrl}/messages/${conversationId}` },
      footnote: `You get one email like this for each conversation until you have read it. You can turn these emails off in Settings: ${shellUrl}/settings`,
    });
    return { to: email, ...mail };
  };
}

/** Null when the messages have been read, the account is not active or the person has switched these mails off. */
async function findUnreadNotice(db: Db, { conversationId, readerId }: { conversationId: string; readerId: string }) {
  const reader = { id: readerId };
  const sender = alias(users, "sender");
  const isLower = isOnLowerSide(reader);
  const readSeq = sql`case when ${isLower} then ${conversations.lowerReadSeq} else ${conversations.higherReadSeq} end`;
  const ownId = sql`case when ${isLower} then ${conversations.lowerUserId} else ${conversations.higherUserId} end`;
  const mailedSeq = sql`case when ${isLower} then ${conversations.lowerMailedSeq} else ${conversations.higherMailedSeq} end`;
  const [found] = await db
    .select({
      email: users.email,
      name: users.name,
      accountType: users.accountType,
      senderName: shownName(sender),
      count: sql`(select count(*) from ${messages} where ${messages.conversationId} = ${conversations.id}
        and ${messages.seq} > ${readSeq} and ${holds(messages.kind, "text")}
        and ${isSentFor({ side: otherId(reader), other: ownId })})`.mapWith(Number),
    })
    .from(conversations)
    .innerJoin(users, eq(users.id, readerId))
    .innerJoin(sender, eq(sender.id, answererId(reader)))
    .where(
      and(
        eq(conversations.id, conversationId),
        answering(reader),
        // Later messages are not included: they get their own mail when it is due.
        sql`${readSeq} < ${mailedSeq}`,
        eq(users.accountStatus, "active"),
        eq(users.unreadMail, true),
        isNull(users.erasedAt),
      ),
    );
  return found ?? null;
}
