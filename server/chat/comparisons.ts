import type { AccountType } from "@db/enums";
import { eq, sql } from "drizzle-orm";
import { perDatabase } from "../../db/client";
import { aliased, fingerprintOf, jsonRowsText, writeJsonText } from "../../db/expressions";
import { conversations } from "../../db/schema";
import type { Conversation } from "../contract/views";
import type { Actor } from "../core/context";
import { commonRead } from "../realtime/common-reads";
import { sharedRead } from "../realtime/stream";
import { answererId, isCovered, isWritable, otherId, participating } from "./policy";
import {
  cover,
  coverColumns,
  covered,
  isCoveredBy,
  isCoverOf,
  partner,
  partnerJson,
  seqsOf,
  turnSide,
} from "./queries";

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
    answerOf: (rows) => new Map(rows.map((row) => [row.id, { partnerIds: partnerIdsOf(row), stamp: stampOf(row) }])),
  },
);
const conversationStamps = perDatabase((db, accountType: AccountType) => {
  const actor = { id: sql.placeholder("actorId"), accountType };
  const rows = db
    .select(
      aliased({
        id: conversations.id,
        otherUser: partnerJson(actor),
        ...seqsOf(actor),
        ...coverColumns,
        turnOwes: turnSide(actor),
      }),
    )
    .from(conversations)
    .innerJoin(partner, eq(partner.id, otherId(actor)))
    .leftJoin(cover, isCoverOf)
    .leftJoin(covered, isCoveredBy(actor))
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
        ...[conversations.id, lastSeq, ownReadSeq, otherReadSeq, partnerJson(actor), turnSide(actor)],
        ...[isCovered, conversations.coverUserId, conversations.coverUntil],
      ]),
    })
    .from(conversations)
    .innerJoin(partner, eq(partner.id, otherId(actor)))
    .where(participating(actor))
    .prepare("conversations_fingerprint");
});

/** Somebody whom the actor has a conversation with, or who covers for them. */
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
    .select(aliased({ id: answererId(actor), conversationId: conversations.id, isWritable: isWritable(actor) }))
    .from(conversations)
    .where(participating(actor))
    .orderBy(conversations.id);
  return db
    .select({ rows: jsonRowsText(rows) })
    .from(sql`(values (1)) as one`)
    .prepare("partners");
});

type Shown = Pick<Conversation, "otherUser" | "lastSeq" | "ownReadSeq" | "otherReadSeq" | "cover" | "coversFor">;

/** All that can change about a conversation, as one text. */
export function stampOf({
  otherUser,
  lastSeq,
  ownReadSeq,
  otherReadSeq,
  cover: by,
  coversFor,
  turnOwes,
}: Shown & { turnOwes: Conversation["turn"]["owes"] }): string {
  const { name, accountType, profileImgLink, isActive } = otherUser;
  const covering = by && [by.person.id, by.person.name, by.person.profileImgLink, by.until, coversFor?.name];
  const marks = [lastSeq, ownReadSeq, otherReadSeq, turnOwes];
  return JSON.stringify([...marks, isActive, accountType, name, profileImgLink, covering]);
}

/** Whose accounts a conversation's row shows. */
export function partnerIdsOf({ otherUser, cover: by, coversFor }: Shown): string[] {
  return [otherUser, by?.person, coversFor].flatMap((person) => (person ? [person.id] : []));
}
