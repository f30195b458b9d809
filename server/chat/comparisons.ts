import type { AccountType } from "@db/enums";
import { eq, sql } from "drizzle-orm";
import { perDatabase } from "../../db/client";
import { aliased, fingerprintOf, jsonRowsText, writeJsonText } from "../../db/expressions";
import { conversations } from "../../db/schema";
import type { Conversation } from "../contract/views";
import type { Actor } from "../core/context";
import { commonRead } from "../realtime/common-reads";
import { sharedRead } from "../realtime/stream";
import { isWritable, otherId, participating } from "./policy";
import { partner, partnerJson, seqsOf, turnSide } from "./queries";

/* What streams compare the database with. All tabs of a person share what they read at the same time, and hold in common what
they have read: nobody may change it. */

const viewerOf = ({ actor: { id, accountType } }: { actor: Actor }) => `${id} ${accountType}`;

/** For streams of the inbox: of each conversation, by id, a `stamp` that differs once anything shown of it does. */
export const listConversationStamps = commonRead(
  async (db, { actor }: { actor: Actor }) => {
    const [row] = await conversationStamps(db, actor.accountType).execute({ actorId: actor.id });
    return row?.rows ?? writeJsonText<Stamped[]>([]);
  },
  {
    keyOf: viewerOf,
    answerOf: (rows) => new Map(rows.map((row) => [row.id, { partnerId: row.otherUser.id, stamp: stampOf(row) }])),
  },
);
const conversationStamps = perDatabase((db, accountType: AccountType) => {
  const actor = { id: sql.placeholder("actorId"), accountType };
  const rows = db
    .select(
      aliased({ id: conversations.id, otherUser: partnerJson(actor), ...seqsOf(actor), turnOwes: turnSide(actor) }),
    )
    .from(conversations)
    .innerJoin(partner, eq(partner.id, otherId(actor)))
    .where(participating(actor))
    .orderBy(conversations.id);
  return db
    .select({ rows: jsonRowsText(rows) })
    .from(sql`(values (1)) as one`)
    .prepare("conversation_stamps");
});
type Stamped = { id: string } & Parameters<typeof stampOf>[0];

/** A text that is another one once any of the actor's conversations has another stamp, or is another partner's to write to. */
export const fingerprintConversations = sharedRead(async (db, { actor }: { actor: Actor }) => {
  const [row] = await conversationsFingerprint(db, actor.accountType).execute({ actorId: actor.id });
  return row?.fingerprint ?? "";
}, viewerOf);
const conversationsFingerprint = perDatabase((db, accountType: AccountType) => {
  const actor = { id: sql.placeholder("actorId"), accountType };
  const { lastSeq, ownReadSeq, otherReadSeq } = seqsOf(actor);
  return db
    .select({
      fingerprint: fingerprintOf([
        conversations.id,
        lastSeq,
        ownReadSeq,
        otherReadSeq,
        partnerJson(actor),
        turnSide(actor),
      ]),
    })
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

/** By conversation. */
export const listPartners = commonRead(
  async (db, { actor }: { actor: Actor }) => {
    const [row] = await partnersOf(db, actor.accountType).execute({ actorId: actor.id });
    return row?.rows ?? writeJsonText<Partner[]>([]);
  },
  { keyOf: viewerOf, answerOf: (rows) => new Map(rows.map((row): [string, Partner] => [row.conversationId, row])) },
);
const partnersOf = perDatabase((db, accountType: AccountType) => {
  const actor = { id: sql.placeholder("actorId"), accountType };
  const rows = db
    .select(aliased({ id: otherId(actor), conversationId: conversations.id, isWritable: isWritable(actor) }))
    .from(conversations)
    .where(participating(actor))
    .orderBy(conversations.id);
  return db
    .select({ rows: jsonRowsText(rows) })
    .from(sql`(values (1)) as one`)
    .prepare("partners");
});

/** All that can change about a conversation, as one text. */
export function stampOf({
  otherUser: { name, accountType, profileImgLink, isActive },
  lastSeq,
  ownReadSeq,
  otherReadSeq,
  turnOwes,
}: Pick<Conversation, "otherUser" | "lastSeq" | "ownReadSeq" | "otherReadSeq"> & {
  turnOwes: Conversation["turn"]["owes"];
}): string {
  return JSON.stringify([lastSeq, ownReadSeq, otherReadSeq, isActive, accountType, name, profileImgLink, turnOwes]);
}
