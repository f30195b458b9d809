import type { AccountType } from "@db/enums";
import { eq, sql } from "drizzle-orm";
import { perDatabase } from "../../db/client";
import { fingerprintOf } from "../../db/expressions";
import { conversations } from "../../db/schema";
import type { Conversation } from "../contract/views";
import type { Actor } from "../core/context";
import { sharedRead } from "../realtime/stream";
import { isWritable, otherId, participating } from "./policy";
import { partner, partnerJson, seqsOf } from "./queries";

/* What streams compare the database with. All tabs of a person share what they read at the same time. */

const viewerOf = ({ actor: { id, accountType } }: { actor: Actor }) => `${id} ${accountType}`;

/** For streams of the inbox: `stamp` differs once anything shown of the conversation does. In no order. */
export const listConversationStamps = sharedRead(async (db, { actor }: { actor: Actor }) => {
  const rows = await conversationStamps(db, actor.accountType).execute({ actorId: actor.id });
  return rows.map((row) => ({ id: row.id, partnerId: row.otherUser.id, stamp: stampOf(row) }));
}, viewerOf);
const conversationStamps = perDatabase((db, accountType: AccountType) => {
  const actor = { id: sql.placeholder("actorId"), accountType };
  return db
    .select({ id: conversations.id, otherUser: partnerJson(actor), ...seqsOf(actor) })
    .from(conversations)
    .innerJoin(partner, eq(partner.id, otherId(actor)))
    .where(participating(actor))
    .prepare("conversation_stamps");
});

/** A text that is another one once any of the actor's conversations has another stamp, or is another partner's to write to. */
export const fingerprintConversations = sharedRead(async (db, { actor }: { actor: Actor }) => {
  const [row] = await conversationsFingerprint(db, actor.accountType).execute({ actorId: actor.id });
  return row?.fingerprint ?? "";
}, viewerOf);
const conversationsFingerprint = perDatabase((db, accountType: AccountType) => {
  const actor = { id: sql.placeholder("actorId"), accountType };
  const { lastSeq, ownReadSeq, otherReadSeq } = seqsOf(actor);
  return db
    .select({ fingerprint: fingerprintOf([conversations.id, lastSeq, ownReadSeq, otherReadSeq, partnerJson(actor)]) })
    .from(conversations)
    .innerJoin(partner, eq(partner.id, otherId(actor)))
    .where(participating(actor))
    .prepare("conversations_fingerprint");
});

/** Somebody whom the actor has a conversation with. */
export interface Partner {
  id: string;
  conversationId: string;
  isWritable: boolean;
}

/** In no order. */
export const listPartners = sharedRead(
  (db, { actor }: { actor: Actor }): Promise<Partner[]> =>
    partnersOf(db, actor.accountType).execute({ actorId: actor.id }),
  viewerOf,
);
const partnersOf = perDatabase((db, accountType: AccountType) => {
  const actor = { id: sql.placeholder("actorId"), accountType };
  return db
    .select({ id: otherId(actor), conversationId: conversations.id, isWritable: isWritable(actor) })
    .from(conversations)
    .where(participating(actor))
    .prepare("partners");
});

/** All that can change about a conversation, as one text. */
export function stampOf({
  otherUser: { name, accountType, profileImgLink, isActive },
  lastSeq,
  ownReadSeq,
  otherReadSeq,
}: Pick<Conversation, "otherUser" | "lastSeq" | "ownReadSeq" | "otherReadSeq">): string {
  return JSON.stringify([lastSeq, ownReadSeq, otherReadSeq, isActive, accountType, name, profileImgLink]);
}
