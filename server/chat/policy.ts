import type { AccountType } from "@db/enums";
import { and, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { IdValue } from "../../db/expressions";
import { conversations, users } from "../../db/schema";
import type { Actor } from "../core/context";

/** Whose conversations: an actor, or an account type with a placeholder for the id. */
export interface Viewer extends Pick<Actor, "accountType"> {
  id: IdValue;
}

/** Conversations that the actor takes part in; being an admin opens no other. */
export function participating({ id }: Pick<Viewer, "id">): SQL | undefined {
  return or(eq(conversations.lowerUserId, id), eq(conversations.higherUserId, id));
}

/** The account types that the actor may write to: exactly one of two people is an admin (decisions.md). */
export function recipientTypes({ accountType }: Pick<Actor, "accountType">): AccountType[] {
  return accountType === "admin" ? ["user", "client"] : ["admin"];
}

/** Whether the partner in the surrounding conversation may be written to now. */
export function isWritable(actor: Viewer): SQL<boolean> {
  const recipient = alias(users, "recipient");
  return sql`exists (select 1 from ${users} as ${sql.identifier("recipient")} where ${and(
    eq(recipient.id, otherId(actor)),
    eq(recipient.accountStatus, "active"),
    inArray(recipient.accountType, recipientTypes(actor)),
  )})`;
}

/** The partner's id in the surrounding conversation, which the actor takes part in. */
export function otherId({ id }: Pick<Viewer, "id">): SQL<string> {
  return sql<string>`case when ${conversations.lowerUserId} = ${id}::uuid then ${conversations.higherUserId} else ${conversations.lowerUserId} end`;
}
