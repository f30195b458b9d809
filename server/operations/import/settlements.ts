import { and, asc, eq, gt, inArray, isNotNull } from "drizzle-orm";
import type { Db, Tx } from "../../../db/client";
import { recountTurns } from "../../../db/conversation-turns";
import { conversationSettlements, conversations, messages } from "../../../db/schema";
import { rowsOf } from "../../../db/writes";
import { conversationNotification } from "../../realtime/notify";
import type { People } from "./people";
import { pages, stagedMessages } from "./staging";

/** Says of imported messages that nothing up to them needed a reply. Whose turn it is follows from them; those that are known stay. */
export async function importSettlements(
  db: Db | Tx,
  { people, firstAdminId }: { people: People; firstAdminId: string },
): Promise<void> {
  for await (const page of pages((after, limit) => settledMessages(db, { after, limit }))) {
    const rows = page.map(({ conversationId, upToSeq, settledBy, settledAt }) => ({
      ...{ conversationId, upToSeq },
      settledBy: (settledBy !== null && people.byFileId.get(settledBy)?.userId) || firstAdminId,
      settledAt: settledAt === null ? new Date() : new Date(settledAt),
    }));
    const ofPage = inArray(conversations.id, [...new Set(rows.map(({ conversationId }) => conversationId))]);
    await db.transaction(async (tx) => {
      // Whoever writes to one of them waits, so that no turn is counted without their message.
      await tx
        .select({ id: conversations.id })
        .from(conversations)
        .where(ofPage)
        .orderBy(asc(conversations.id))
        .for("no key update");
      const added = await tx
        .insert(conversationSettlements)
        .values(rowsOf(conversationSettlements, rows))
        .onConflictDoNothing()
        .returning({ id: conversationSettlements.conversationId });
      if (added.length === 0) return;
      const where = inArray(conversations.id, [...new Set(added.map(({ id }) => id))]);
      await recountTurns(tx, where);
      await tx
        .select({ notified: conversationNotification(tx, conversations) })
        .from(conversations)
        .where(where);
    });
  }
}

function settledMessages(db: Db | Tx, { after, limit }: { after: number; limit: number }) {
  const { place, settledBy, settledAt } = stagedMessages;
  return db
    .select({ place, settledBy, settledAt, conversationId: messages.conversationId, upToSeq: messages.seq })
    .from(stagedMessages)
    .innerJoin(messages, eq(messages.id, stagedMessages.id))
    .where(and(isNotNull(settledAt), gt(place, after)))
    .orderBy(asc(place))
    .limit(limit);
}
