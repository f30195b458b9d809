import { ACCOUNT_TYPES } from "@db/enums";
import { and, desc, eq, lte, ne, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../db/client";
import { holds, quoted } from "../../db/expressions";
import { conversations, users } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import type { HandOver } from "../contract/chat";
import { MESSAGES } from "../contract/messages";
import type { ConversationCover, OrphanedConversation, Person } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import { recurringJob } from "../jobs/recurring";
import { notifyCover } from "../realtime/notify";
import { personColumns, personJson } from "../users/queries";
import { isCovered } from "./policy";
import { cover, coverColumns, isCoverOf } from "./queries";

/*
 * While an admin is away or gone another admin covers a conversation: reads and writes in their place, on their side of it, read mark
 * included. Whatever changes who covers locks people before conversations.
 */

const owner = alias(users, "owner");
const other = alias(users, "other");

/**
 * Lets another active admin cover a conversation, until an instant or until it is taken back. Its own admin may, and any admin when that
 * one is not active: else NOT_FOUND. Covered already: CONFLICT, `handed-over`.
 */
export async function handOver(
  db: Db,
  { conversationId, toUserId, until = null, by }: HandOver & { by: Actor },
): Promise<{ conversationId: string; cover: ConversationCover }> {
  return db.transaction(async (tx) => {
    const person = await lockActiveAdmin(tx, { userId: toUserId });
    const locked = await lockOwn(tx, { conversationId, by });
    if (locked.isCovered) throw new DomainError("CONFLICT", MESSAGES.chat.coveredAlready, { reason: "handed-over" });
    if (!person || toUserId === locked.ownerId || toUserId === locked.otherId) {
      throw new ValidationError<HandOver>({ toUserId: [MESSAGES.chat.coverNotAdmin] });
    }
    await startCover(tx, { locked, toUserId, until, by });
    return { conversationId, cover: { person, until: until?.toISOString() ?? null } };
  });
}

/** Ends the cover of a conversation; who may is who may hand it over. Nobody covers it: CONFLICT, `not-handed-over`. */
export async function takeBack(
  db: Db,
  { conversationId, by }: { conversationId: string; by: Actor },
): Promise<{ conversationId: string }> {
  return db.transaction(async (tx) => {
    const locked = await lockOwn(tx, { conversationId, by });
    if (!locked.isCovered) throw new DomainError("CONFLICT", MESSAGES.chat.notCovered, { reason: "not-handed-over" });
    await endCover(tx, { locked, kind: "conversation.taken-back", actorId: by.id });
    return { conversationId };
  });
}

/** Conversations of an admin that nobody covers are covered from now on. ValidationError unless by another active admin. Returns how many. */
export async function handOverConversations(
  tx: Tx,
  { userId, toUserId, by }: { userId: string; toUserId: string; by: Actor },
): Promise<number> {
  if (toUserId === userId || !(await lockActiveAdmin(tx, { userId: toUserId }))) {
    throw new ValidationError<HandOver>({ toUserId: [MESSAGES.chat.coverNotAdmin] });
  }
  const rows = await lockCovers(tx, and(isOwnedBy(userId), sql`not ${isCovered}`, ne(other.id, toUserId)));
  for (const locked of rows) await startCover(tx, { locked, toUserId, until: null, by });
  return rows.length;
}

/** Conversations of an admin that nobody covers. */
export async function countOwnedConversations(db: Db | Tx, { userId }: { userId: string }): Promise<number> {
  const [row] = await db
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(conversations)
    .innerJoin(owner, isOwner)
    .where(and(isOwnedBy(userId), sql`not ${isCovered}`));
  return row?.count ?? 0;
}

/** Ends all that somebody covers, in the transaction after which they are no active admin any more. */
export async function endCoversOf(tx: Tx, { userId, by }: { userId: string; by: Pick<Actor, "id"> }): Promise<void> {
  for (const locked of await lockCovers(tx, eq(conversations.coverUserId, userId))) {
    await endCover(tx, { locked, kind: "conversation.cover-ended", actorId: by.id });
  }
}

/** Ends the covers whose time is over, and tells whoever watches. They have been over for everybody from that instant on. */
export const coverEnd = (db: Db) =>
  recurringJob(db, { name: "cover-end", everySeconds: 15, work: () => endDueCovers(db) });

export async function endDueCovers(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    for (const locked of await lockCovers(tx, lte(conversations.coverUntil, sql`now()`))) {
      await endCover(tx, { locked, kind: "conversation.cover-ended", actorId: null });
    }
  });
}

/** Conversations of those who are no active admins any more, newest first. */
export async function listOrphanedConversations(db: Db): Promise<OrphanedConversation[]> {
  return db
    .select({
      conversationId: conversations.id,
      owner: personJson(owner),
      otherUser: personJson(other),
      cover: coverColumns.cover,
    })
    .from(conversations)
    .innerJoin(owner, isOwner)
    .innerJoin(other, isOther)
    .leftJoin(cover, isCoverOf)
    .where(sql`not ${isOwnerActive}`)
    .orderBy(desc(conversations.updatedAt), desc(conversations.id));
}

const partner = alias(users, "partner");
/** With a client, and without an admin: who is left was one when it began. */
const wasAdmin = sql`(${not(holds(owner.accountType, "client"))} and exists (select 1 from ${users} as ${sql.identifier("partner")} where ${and(
  or(eq(partner.id, conversations.lowerUserId), eq(partner.id, conversations.higherUserId)),
  ne(partner.id, owner.id),
  eq(partner.accountType, quoted(ACCOUNT_TYPES, "client")),
)}))`;
/**
 * Whose conversation it is: the admin of the two, also once they are a user and write to the client no more, so that somebody can cover
 * for them; and for as long as it is covered whoever is covered.
 */
const isOwner = and(
  or(eq(owner.id, conversations.lowerUserId), eq(owner.id, conversations.higherUserId)),
  sql`case when ${isCovered} then ${owner.id} = ${conversations.coveredUserId} else (${holds(owner.accountType, "admin")} or ${wasAdmin}) end`,
);
/** An admin's account that is active: nobody else may hand over or take back. */
const isOwnerActive = sql<boolean>`(${holds(owner.accountStatus, "active")} and ${holds(owner.accountType, "admin")})`;
const isOther = and(
  or(eq(other.id, conversations.lowerUserId), eq(other.id, conversations.higherUserId)),
  ne(other.id, owner.id),
);
const isOwnedBy = (userId: string) =>
  and(or(eq(conversations.lowerUserId, userId), eq(conversations.higherUserId, userId)), eq(owner.id, userId));

/** Held until the commit, so that they are not deactivated meanwhile; undefined where they are no active admin (any more). */
async function lockActiveAdmin(tx: Tx, { userId }: { userId: string }): Promise<Person | undefined> {
  const [person] = await tx
    .select(personColumns)
    .from(users)
    .where(and(eq(users.id, userId), eq(users.accountType, "admin"), eq(users.accountStatus, "active")))
    .for("share");
  return person;
}

type Locked = Awaited<ReturnType<typeof lockCovers>>[number];

/** Conversations in the order of their ids, so that two of these never wait for each other. */
function lockCovers(tx: Tx, where: SQL | undefined) {
  return tx
    .select({
      id: conversations.id,
      lowerUserId: conversations.lowerUserId,
      higherUserId: conversations.higherUserId,
      coverUserId: conversations.coverUserId,
      isCovered,
      ownerId: owner.id,
      isOwnerActive,
      otherId: other.id,
    })
    .from(conversations)
    .innerJoin(owner, isOwner)
    .innerJoin(other, isOther)
    .where(where)
    .orderBy(conversations.id)
    .for("no key update", { of: conversations });
}

/** Its own admin's, or any admin's when that one is not active. */
async function lockOwn(tx: Tx, { conversationId, by }: { conversationId: string; by: Actor }): Promise<Locked> {
  const rows = await lockCovers(tx, eq(conversations.id, conversationId));
  const own = rows.find(({ ownerId, isOwnerActive }) => ownerId === by.id || !isOwnerActive);
  if (!own) throw new DomainError("NOT_FOUND", MESSAGES.chat.notFound);
  return own;
}

interface Start {
  locked: Locked;
  toUserId: string;
  until: Date | null;
  by: Actor;
}

async function startCover(tx: Tx, { locked, toUserId, until, by }: Start): Promise<void> {
  if (locked.coverUserId !== null) {
    await endCover(tx, { locked, kind: "conversation.cover-ended", actorId: null });
  }
  await tx
    .update(conversations)
    .set(
      columnsOf(conversations, {
        coverUserId: toUserId,
        coverUntil: until,
        coveredUserId: locked.ownerId,
        ...mailAnew(locked),
      }),
    )
    .where(eq(conversations.id, locked.id));
  const details = { conversationId: locked.id, ownerId: locked.ownerId, until: until?.toISOString() ?? null };
  await insertAudit(tx, { kind: "conversation.handed-over", actorId: by.id, subjectId: toUserId, details });
  await notifyCover(tx, { conversationId: locked.id, userIds: [locked.ownerId, locked.otherId, toUserId] });
}

async function endCover(
  tx: Tx,
  {
    locked,
    kind,
    actorId,
  }: { locked: Locked; kind: "conversation.taken-back" | "conversation.cover-ended"; actorId: string | null },
): Promise<void> {
  const { id, ownerId, otherId, coverUserId } = locked;
  if (coverUserId === null) return;
  await tx
    .update(conversations)
    .set(columnsOf(conversations, { coverUserId: null, coverUntil: null, ...mailAnew(locked) }))
    .where(eq(conversations.id, id));
  const details = { conversationId: id, ownerId };
  await insertAudit(tx, { kind, actorId, subjectId: coverUserId, details });
  await notifyCover(tx, { conversationId: id, userIds: [ownerId, otherId, coverUserId] });
}

/** Whoever answers from now on is mailed about what is unread, also where the one before was. */
function mailAnew({ ownerId, lowerUserId }: Locked) {
  const { lowerMailedSeq, higherMailedSeq, lowerReadSeq, higherReadSeq } = conversations;
  return ownerId === lowerUserId
    ? { lowerMailedSeq: sql`least(${lowerMailedSeq}, ${lowerReadSeq})` }
    : { higherMailedSeq: sql`least(${higherMailedSeq}, ${higherReadSeq})` };
}
