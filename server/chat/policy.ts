import type { AccountType } from "@db/enums";
import { and, eq, inArray, not, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { IdValue } from "../../db/expressions";
import { conversations, messages, users } from "../../db/schema";
import type { Actor } from "../core/context";

/** Whose conversations: an actor, or an account type with a placeholder for the id. */
export interface Viewer extends Pick<Actor, "accountType"> {
  id: IdValue;
}

/** Conversations that the actor takes part in, or covers now; being an admin opens no other. */
export function participating({ id }: Pick<Viewer, "id">): SQL | undefined {
  return or(
    eq(conversations.lowerUserId, id),
    eq(conversations.higherUserId, id),
    and(eq(conversations.coverUserId, id), hasTime),
  );
}

/** Conversations that the actor takes part in or covers, and that nobody else covers: theirs to answer. */
export function answering(actor: Pick<Viewer, "id">): SQL | undefined {
  return and(participating(actor), not(isHandedOver(actor)));
}

const hasTime = sql`(${conversations.coverUntil} is null or ${conversations.coverUntil} > now())`;

/** Of the surrounding conversation: somebody stands in for its admin now. */
export const isCovered = sql<boolean>`(${conversations.coverUserId} is not null and ${hasTime})`;

/** Of the surrounding conversation: somebody stands in for the actor now, who may read and not write. */
export function isHandedOver({ id }: Pick<Viewer, "id">): SQL<boolean> {
  return sql<boolean>`(${isCovered} and ${conversations.coveredUserId} = ${id}::uuid)`;
}

/** Whether the actor, who takes part in the surrounding conversation or covers it, is on the side of the lower of the two. */
export function isOnLowerSide({ id }: Pick<Viewer, "id">): SQL<boolean> {
  return sql<boolean>`(${conversations.lowerUserId} = ${id}::uuid or (${conversations.coverUserId} = ${id}::uuid and ${conversations.coveredUserId} = ${conversations.lowerUserId}))`;
}

/** The account types that the actor may write to: exactly one of two people is an admin (decisions.md). */
export function recipientTypes({ accountType }: Pick<Actor, "accountType">): AccountType[] {
  return accountType === "admin" ? ["user", "client"] : ["admin"];
}

/** Whether the actor may write in the surrounding conversation now: the partner is there to read it, or whoever covers for them. */
export function isWritable(actor: Viewer): SQL<boolean> {
  const recipient = alias(users, "recipient");
  const isActive = sql`exists (select 1 from ${users} as ${sql.identifier("recipient")} where ${and(
    eq(recipient.id, otherId(actor)),
    eq(recipient.accountStatus, "active"),
    inArray(recipient.accountType, recipientTypes(actor)),
  )})`;
  const isOtherCovered = sql`(${isCovered} and ${conversations.coveredUserId} = (${otherId(actor)}))`;
  const isRead = actor.accountType === "admin" ? isActive : sql`(${isOtherCovered} or ${isActive})`;
  return sql<boolean>`(not ${isHandedOver(actor)} and ${isRead})`;
}

/** The partner's id in the surrounding conversation, which the actor takes part in or covers. */
export function otherId(actor: Pick<Viewer, "id">): SQL<string> {
  return sql<string>`case when ${isOnLowerSide(actor)} then ${conversations.higherUserId} else ${conversations.lowerUserId} end`;
}

/** Whoever answers the actor in the surrounding conversation now: the partner, or who covers for them. */
export function answererId(actor: Pick<Viewer, "id">): SQL<string> {
  const other = otherId(actor);
  return sql<string>`case when ${isCovered} and ${conversations.coveredUserId} = (${other}) then ${conversations.coverUserId} else ${other} end`;
}

/** Whether a message of the surrounding conversation comes from one of the two, or from somebody who covered for them. */
export function isSentFor({ side, other }: { side: SQLWrapper; other: SQLWrapper }): SQL<boolean> {
  return sql<boolean>`(${messages.senderId} = (${side}) or (${messages.senderId} <> (${other}) and ${conversations.coveredUserId} = (${side})))`;
}
