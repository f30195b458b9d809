import { ACCOUNT_TYPES, MESSAGE_KINDS } from "@db/enums";
import { fromAbsolute } from "@internationalized/date";
import { and, asc, eq, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db } from "../../db/client";
import { committedUpTo, holds, quoted } from "../../db/expressions";
import { conversations, lastVisits, messages, projects, requests, signOffs, users } from "../../db/schema";
import { answering } from "../chat/policy";
import { MAX_WAITING } from "../contract/messages/overview";
import type { ReplyTimes, SinceLastVisit, WaitingItem } from "../contract/views";
import type { Actor } from "../core/context";
import { businessMinutesBetween, minutesOfBusinessDay, turnOf } from "../organisation/business-time";
import { findOrganisation } from "../organisation/queries";
import { visibleTo } from "../projects/policy";
import { isFirms, isOpen } from "../requests/policy";
import { isBeingChanged, mayManage } from "../sign-offs/policy";
import { personColumnsOf } from "../users/queries";
import { countChanges } from "./changes";
import { beginVisits } from "./mutations";

const TITLE_LENGTH = 100;
const MONTHS = 12;

/** What others have done since the actor was here. A first visit begins now. */
export async function findSinceLastVisit(db: Db, { actor }: { actor: Actor }): Promise<SinceLastVisit> {
  // Read before the counts, which so hold all that is marked as seen with it.
  const [visit] = await db
    .select({ since: lastVisits.seenUpTo, upTo: committedUpTo().mapWith(lastVisits.seenUpTo) })
    .from(lastVisits)
    .where(eq(lastVisits.userId, actor.id));
  const { since, upTo } = visit ?? (await beginVisits(db, { userId: actor.id }));
  return { since: since.toISOString(), upTo: upTo.toISOString(), ...(await countChanges(db, { actor, since })) };
}

/**
 * What of clients waits for the firm, the oldest first: conversations that are the actor's to answer, requests that the firm
 * owes an answer and sign-offs that were sent back, of all projects for admins, of their own for clients, and of those that they manage for
 * users. 500 at most.
 */
export async function listWaiting(
  db: Db,
  { actor, timeZone }: { actor: Actor; timeZone: string },
): Promise<WaitingItem[]> {
  const [calendar, written, asked, sentBack] = await Promise.all([
    findOrganisation(db, { timeZone }),
    waitingConversations(db, actor),
    waitingRequests(db, actor),
    waitingSignOffs(db, actor),
  ]);
  const now = new Date();
  return [
    ...written.map(({ conversationId, ...item }) => ({ ...item, subject: { conversationId }, project: null })),
    ...asked.map(({ requestId, ...item }) => ({ ...item, subject: { requestId } })),
    ...sentBack.map(({ signOffId, ...item }) => ({ ...item, subject: { signOffId } })),
  ]
    .sort((a, b) => a.since.getTime() - b.since.getTime())
    .slice(0, MAX_WAITING)
    .map(({ since, ...item }) => {
      const { owes: _, answerBy, ...counted } = turnOf(calendar, { owes: "firm", since }, now);
      return {
        ...item,
        ...counted,
        since: since.toISOString(),
        answerBy: "signOffId" in item.subject ? null : answerBy,
      };
    });
}

const client = alias(users, "client");

function waitingConversations(db: Db, actor: Actor) {
  return db
    .select({
      conversationId: conversations.id,
      title: sql<string>`left(${messages.text}, ${TITLE_LENGTH})`,
      client: personColumnsOf(client),
      since: messages.createdAt,
    })
    .from(conversations)
    .innerJoin(messages, and(eq(messages.conversationId, conversations.id), eq(messages.seq, conversations.turnSeq)))
    .innerJoin(
      client,
      and(
        or(eq(client.id, conversations.lowerUserId), eq(client.id, conversations.higherUserId)),
        eq(client.accountType, "client"),
      ),
    )
    .where(and(answering(actor), holds(conversations.turnOwes, "firm")))
    .orderBy(asc(messages.createdAt))
    .limit(MAX_WAITING);
}

function waitingRequests(db: Db, actor: Actor) {
  return db
    .select({
      requestId: requests.id,
      title: requests.title,
      client: personColumnsOf(client),
      project: { id: projects.id, key: projects.key, title: projects.title },
      since: requests.turnSince,
    })
    .from(requests)
    .innerJoin(projects, eq(projects.id, requests.projectId))
    .innerJoin(client, sql`${client.id} = coalesce(${projects.clientId}, ${requests.createdBy})`)
    .where(and(isOpen, isFirms, mayAnswer(actor)))
    .orderBy(asc(requests.turnSince))
    .limit(MAX_WAITING);
}

/** What clients want changed before they approve. */
function waitingSignOffs(db: Db, actor: Actor) {
  return db
    .select({
      signOffId: signOffs.id,
      title: sql<string>`left(${signOffs.reason}, ${TITLE_LENGTH})`,
      client: personColumnsOf(client),
      project: { id: projects.id, key: projects.key, title: projects.title },
      since: sql<Date>`${signOffs.decidedAt}`.mapWith(signOffs.decidedAt),
    })
    .from(signOffs)
    .innerJoin(projects, eq(projects.id, signOffs.projectId))
    .innerJoin(client, eq(client.id, signOffs.signerId))
    .where(and(isBeingChanged, mayAnswer(actor)))
    .orderBy(asc(signOffs.decidedAt))
    .limit(MAX_WAITING);
}

/** Of users the managers decide. */
function mayAnswer(actor: Actor): SQL | undefined {
  return actor.accountType === "user" ? mayManage(actor) : visibleTo(actor);
}

/** By month of the answer, the newest first, twelve at most; months without an answer are left out. */
export async function listReplyTimes(db: Db, { timeZone }: { timeZone: string }): Promise<ReplyTimes[]> {
  const [calendar, answers] = await Promise.all([findOrganisation(db, { timeZone }), listAnswers(db)]);
  const day = minutesOfBusinessDay(calendar);
  const byMonth = new Map<string, number[]>();
  for (const { askedAt, answeredAt } of answers) {
    const month = monthOf(answeredAt, calendar.timeZone);
    const waited = businessMinutesBetween(calendar, { from: askedAt, to: answeredAt });
    byMonth.set(month, [...(byMonth.get(month) ?? []), waited]);
  }
  return [...byMonth]
    .sort(([a], [b]) => b.localeCompare(a))
    .slice(0, MONTHS)
    .map(([month, waited]) => {
      const medianMinutes = medianOf(waited);
      return { month, answers: waited.length, medianMinutes, medianDays: Math.floor(medianMinutes / day) };
    });
}

/**
 * Each first answer of the firm to what a client wrote, with the time of the first message that it answers. What needed no answer is
 * none; what the client wrote after that begins anew.
 */
async function listAnswers(db: Db): Promise<{ askedAt: Date; answeredAt: Date }[]> {
  // Whatever they are now, an admin who has become a user too: beside a client everybody else is.
  const isOfFirm = sql`sender.account_type <> ${quoted(ACCOUNT_TYPES, "client")}`;
  const rows = await db.execute<{ asked_at: string; answered_at: string }>(sql`
    with texts as (
      select m.conversation_id, m.seq, m.created_at, ${isOfFirm} as by_firm,
        lag(${isOfFirm}) over run as was_by_firm, lag(m.seq) over run as before
      from messages m
      join conversations c on c.id = m.conversation_id
      join users sender on sender.id = m.sender_id
      where m.kind = ${quoted(MESSAGE_KINDS, "text")} and m.created_at > now() - interval '14 months'
        and exists (select 1 from users u where u.id in (c.lower_user_id, c.higher_user_id) and u.account_type = ${quoted(ACCOUNT_TYPES, "client")})
      window run as (partition by m.conversation_id order by m.seq)
    ), starts as (
      select t.*, exists (
        select 1 from conversation_settlements s
        where s.conversation_id = t.conversation_id and s.up_to_seq >= t.before and s.up_to_seq < t.seq
      ) as settled
      from texts t
    ), turns as (
      select s.*, lag(s.by_firm) over (partition by s.conversation_id order by s.seq) as after_firm,
        lag(s.created_at) over (partition by s.conversation_id order by s.seq) as asked_at
      from starts s
      where s.settled or s.was_by_firm is distinct from s.by_firm
    )
    select to_char(asked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as asked_at,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as answered_at
    from turns where by_firm and not settled and not after_firm`);
  return [...rows].map(({ asked_at, answered_at }) => ({
    askedAt: new Date(asked_at),
    answeredAt: new Date(answered_at),
  }));
}

function monthOf(at: Date, timeZone: string): string {
  const { year, month } = fromAbsolute(at.getTime(), timeZone);
  return `${year}-${String(month).padStart(2, "0")}`;
}

/** The lower of the two in the middle: a time that somebody did wait. */
function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
}
