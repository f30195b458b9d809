import { type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "./client";
import { TURN_SIDES } from "./client-enums";
import { ACCOUNT_TYPES } from "./enums";
import { holds, quoted } from "./expressions";
import { conversationSettlements, conversations, messages, users } from "./schema";

/**
 * Who owes the next message of some conversations, counted from their messages: for messages that were not sent by `chat.send`, which
 * counts on by itself. System messages are nobody's turn.
 */
export async function recountTurns(db: Db | Tx, where: SQL): Promise<void> {
  await db.execute(sql`
    update ${conversations} set turn_owes = counted.owes, turn_seq = counted.seq
    from (${countedTurns(where)}) as counted
    where ${conversations.id} = counted.id`);
}

/**
 * The turn of each conversation as its messages have it: `id`, `owes` and `seq`. Beside a client everybody else is the firm: an admin
 * who has become a user since then answered for it, and so did who covered. Without a client admins are.
 */
export function countedTurns(where?: SQL): SQL {
  const settled = sql`(select coalesce(max(${conversationSettlements.upToSeq}), 0) from ${conversationSettlements} where ${conversationSettlements.conversationId} = ${conversations.id})`;
  const isWithClient = sql`exists (select from ${users} as partner
    where partner.id in (${conversations.lowerUserId}, ${conversations.higherUserId}) and partner.account_type = ${quoted(ACCOUNT_TYPES, "client")})`;
  const isOfFirm = sql`case when ${isWithClient} then not ${holds(users.accountType, "client")} else ${holds(users.accountType, "admin")} end`;
  const ofFirm = sql`filter (where ${isOfFirm})`;
  const ofClient = sql`filter (where not ${isOfFirm})`;
  const texts = sql`from ${messages} join ${users} on ${users.id} = ${messages.senderId}
    where ${messages.conversationId} = ${conversations.id} and ${holds(messages.kind, "text")}`;
  return sql`
    select newest.id,
      case
        when newest.firm = newest.client then ${quoted(TURN_SIDES, "nobody")}
        when newest.firm > newest.client then ${quoted(TURN_SIDES, "client")}
        else ${quoted(TURN_SIDES, "firm")}
      end as owes,
      coalesce((
        select min(${messages.seq}) from ${messages}
        where ${messages.conversationId} = newest.id and ${holds(messages.kind, "text")}
          and ${messages.seq} > least(newest.firm, newest.client)
      ), 0) as seq
    from (
      select ${conversations.id} as id, last.firm, last.client
      from ${conversations} cross join lateral (
        select greatest(coalesce(max(${messages.seq}) ${ofFirm}, 0), ${settled}) as firm,
          greatest(coalesce(max(${messages.seq}) ${ofClient}, 0), ${settled}) as client
        ${texts}
      ) as last
      where ${where ?? sql`true`}
    ) as newest`;
}
