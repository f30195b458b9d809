import { asc, gt, inArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/client";
import { countRows, isoInstant } from "../../../db/expressions";
import { conversations } from "../../../db/schema";
import { rowsOf } from "../../../db/writes";
import type { Take } from "./fields";
import { changed, unmatched } from "./notes";
import type { People } from "./people";
import { knownConversations, pages, stagedConversations, stagedMessages } from "./staging";

type Staged = typeof stagedConversations.$inferSelect;

/**
 * Adds the conversations of pairs that have none, and writes down which one each id of the file stands for: two of one pair are
 * one. What can be none is noted and left out. Returns how many were added.
 */
export async function importConversations(
  db: Db | Tx,
  { people, today, isOwnExport, take }: { people: People; today: string; isOwnExport: boolean; take: Take },
): Promise<number> {
  const read = (after: number, limit: number) =>
    db
      .select()
      .from(stagedConversations)
      .where(gt(stagedConversations.place, after))
      .orderBy(asc(stagedConversations.place))
      .limit(limit);
  const first = new Map<string, string>();
  let imported = 0;
  for await (const batch of pages(read)) {
    const found = await findMessages(db, batch);
    const leaveOut = ({ fileId }: { fileId: string }, field: "id" | "participants", value: unknown, why: string) => {
      const { count = 0 } = found.get(fileId) ?? {};
      const its = count === 1 ? "message is" : `${count} messages are`;
      const note = unmatched({ kind: "conversation", id: fileId }, field, value, `${why}; its ${its} left out with it`);
      take({ ...note, messages: count });
    };
    const rows = batch.flatMap((conversation) => {
      const pair = pairOf(conversation.participants, { people, isOwnExport });
      if (typeof pair === "string") {
        leaveOut(conversation, "participants", conversation.participants, pair);
        return [];
      }
      const key = pair.join();
      const earlier = first.get(key);
      const { earliest } = found.get(conversation.fileId) ?? {};
      const createdAt = conversation.createdAt ?? earliest ?? today;
      if (earlier === undefined) {
        first.set(key, conversation.fileId);
      } else {
        const why = "these two have one conversation, and its messages are in the order of their times";
        take(
          changed({ kind: "conversation", id: conversation.fileId }, "id", {
            from: conversation.fileId,
            to: earlier,
            why,
          }),
        );
      }
      const [lowerUserId, higherUserId] = pair;
      return [
        {
          fileId: conversation.fileId,
          id: conversation.id,
          lowerUserId,
          higherUserId,
          ...coverOf(conversation, { pair, people, take }),
          createdAt,
          updatedAt: conversation.updatedAt ?? createdAt,
          begunAt: earliest && Date.parse(earliest) < Date.parse(createdAt) ? earliest : createdAt,
        },
      ];
    });
    if (rows.length === 0) continue;
    const { added, known } = await db.transaction((tx) => addMissing(tx, rows));
    imported += added;
    for (const row of rows) {
      if (!known.has(row.fileId)) leaveOut(row, "id", row.fileId, "the conversation of another two has that id here");
    }
  }
  return imported;
}

type Cover = { coveredUserId: string | null; coverUserId: string | null; coverUntil: string | null };
type Row = Cover & { fileId: string; id: string; lowerUserId: string; higherUserId: string } & Record<
    "createdAt" | "updatedAt" | "begunAt",
    string
  >;

/** In whose place others have written, and who does now: an admin who is none of the two. What can't be is noted and left out. */
function coverOf(
  { fileId, covered, cover, coverUntil }: Staged,
  { pair, people, take }: { pair: [string, string]; people: People; take: Take },
): Cover {
  const subject = { kind: "conversation", id: fileId } as const;
  const coveredUserId = covered === null ? null : (people.byFileId.get(covered)?.userId ?? null);
  if (covered !== null && (coveredUserId === null || !pair.includes(coveredUserId))) {
    take(unmatched(subject, "coveredUserId", covered, "that is none of the two"));
    return { coveredUserId: null, coverUserId: null, coverUntil: null };
  }
  if (cover === null || coveredUserId === null) return { coveredUserId, coverUserId: null, coverUntil: null };
  const person = people.byFileId.get(cover);
  if (person?.accountType === "admin" && !pair.includes(person.userId)) {
    return { coveredUserId, coverUserId: person.userId, coverUntil };
  }
  take(unmatched(subject, "coverUserId", cover, "that is no other admin"));
  return { coveredUserId, coverUserId: null, coverUntil: null };
}

/** The two in the order of their ids, or why they can have no conversation. */
function pairOf(
  participants: string[],
  { people, isOwnExport }: { people: People; isOwnExport: boolean },
): [string, string] | string {
  const known = participants.flatMap((id) => people.byFileId.get(id) ?? []);
  if (known.length < participants.length) return "it names somebody who is not there";
  const [first, second, ...more] = new Map(known.map((person) => [person.userId, person])).values();
  if (!first || !second || more.length > 0) return "a conversation is between two people";
  const hasAdmin = [first, second].some(({ accountType }) => accountType === "admin");
  if (!hasAdmin && !isOwnExport) return "one of the two has to be an admin";
  return first.userId < second.userId ? [first.userId, second.userId] : [second.userId, first.userId];
}

/** How many messages each conversation has in the file, and when the earliest with a time was written, as an ISO text. */
async function findMessages(
  db: Db | Tx,
  batch: Staged[],
): Promise<Map<string, { count: number; earliest: string | null }>> {
  const rows = await db
    .select({
      fileId: stagedMessages.conversationFileId,
      count: countRows(),
      earliest: isoInstant(sql<Date | null>`min(${stagedMessages.at})`),
    })
    .from(stagedMessages)
    .where(
      inArray(
        stagedMessages.conversationFileId,
        batch.map(({ fileId }) => fileId),
      ),
    )
    .groupBy(stagedMessages.conversationFileId);
  return new Map(rows.map(({ fileId, ...found }) => [fileId, found]));
}

/** How many were added, and which ids of the file stand for a conversation now: not for one whose id another pair's has. */
async function addMissing(tx: Tx, rows: Row[]): Promise<{ added: number; known: Set<string> }> {
  const added = await tx
    .insert(conversations)
    .values(
      rowsOf(
        conversations,
        rows.map(({ fileId: _, begunAt: __, createdAt, updatedAt, coverUntil, ...row }) => ({
          ...row,
          coverUntil: coverUntil === null ? null : new Date(coverUntil),
          createdAt: new Date(createdAt),
          updatedAt: new Date(updatedAt),
        })),
      ),
    )
    .onConflictDoNothing()
    .returning({ id: conversations.id });
  const known = await tx.execute<{ fileId: string }>(sql`
    insert into ${knownConversations}
    select distinct on (1) file."fileId", ${conversations.id}, file."begunAt"
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as file("fileId" text, "lowerUserId" uuid, "higherUserId" uuid, "begunAt" timestamptz)
    join ${conversations} on ${conversations.lowerUserId} = file."lowerUserId" and ${conversations.higherUserId} = file."higherUserId"
    returning "fileId"`);
  // What a cover has written into one that is here already stays theirs.
  await tx.execute(sql`
    update ${conversations} set covered_user_id = file."coveredUserId"
    from json_to_recordset(${JSON.stringify(rows)}::json) as file("fileId" text, "coveredUserId" uuid)
    join ${knownConversations} on ${knownConversations.fileId} = file."fileId"
    where ${conversations.id} = ${knownConversations.conversationId} and ${conversations.coveredUserId} is null
      and file."coveredUserId" is not null`);
  return { added: added.length, known: new Set(known.map(({ fileId }) => fileId)) };
}
