import { type AnyColumn, and, asc, eq, not, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../db/client";
import {
  aliased,
  countRows,
  fingerprintOf,
  isAnyOf,
  isoInstant,
  jsonObject,
  jsonRows,
  whenPresent,
} from "../../db/expressions";
import {
  conversations,
  files,
  messages,
  organisation,
  projects,
  requestReplies,
  requests,
  tasks,
  users,
} from "../../db/schema";
import { participating } from "../chat/policy";
import type { Request, RequestCounts } from "../contract/views";
import type { Actor } from "../core/context";
import { filesJson } from "../files/queries";
import { turnOf } from "../organisation/business-time";
import { calendarColumns, calendarOf } from "../organisation/queries";
import { type Involvement, visibleTo } from "../projects/policy";
import { involvementColumns } from "../projects/queries";
import { personColumnsOf, personJson } from "../users/queries";
import { concerning, isFirms, isOpen, mayAnswer, mayDecide, owing } from "./policy";

type OfReader = "conversationId" | "canDecide" | "canAnswer" | "turn";

/** A request before it is shown to one reader. */
export interface RequestRow extends Omit<Request, OfReader> {
  clientRequestId: string | null;
  turnSince: string;
  involvement: Involvement & { clientCollaboration: boolean };
  /** Of the organisation's calendar, what is stored. */
  organisation: Parameters<typeof calendarOf>[0];
  /** That its message stands in. */
  conversation: { id: string; lowerUserId: string; higherUserId: string } | null;
}

/** Who looks; `timeZone` holds for business time until the organisation has chosen one. */
export interface Reader {
  actor: Actor;
  timeZone: string;
}

/** The view of a request for one reader. */
export function showRequest(row: RequestRow, { actor, timeZone }: Reader): Request {
  const { clientRequestId: _, turnSince, involvement, conversation, organisation: stored, ...request } = row;
  const isWaiting = row.status === "new" || row.status === "asked";
  const takesPart = conversation?.lowerUserId === actor.id || conversation?.higherUserId === actor.id;
  return {
    ...request,
    turn: turnOf(
      calendarOf(stored, { timeZone }),
      { owes: owing({ ...involvement, status: row.status }), since: turnSince },
      new Date(),
    ),
    conversationId: takesPart ? (conversation?.id ?? null) : null,
    canDecide: isWaiting && mayDecide(actor, involvement),
    canAnswer: isWaiting && mayAnswer(actor, involvement),
  };
}

/** A request that the actor may see, or null: not theirs and not there are the same. */
export async function findRequest(
  db: Db | Tx,
  { id, actor }: { id: string; actor: Actor },
): Promise<RequestRow | null> {
  const [row] = await selectRequests(db).where(and(eq(requests.id, id), visibleTo(actor)));
  return row ?? null;
}

/** A request by its author's key; null for one that they cannot see any more. */
export async function findRequestByKey(
  db: Db,
  { clientRequestId, author }: { clientRequestId: string; author: Actor },
): Promise<RequestRow | null> {
  const isTheirs = and(eq(requests.createdBy, author.id), eq(requests.clientRequestId, clientRequestId));
  const [row] = await selectRequests(db).where(and(isTheirs, visibleTo(author)));
  return row ?? null;
}

/** A request, whoever may see it: for watchers, which check visibility on the row. */
export async function findRequestRow(db: Db, { id }: { id: string }): Promise<RequestRow | null> {
  const [row] = await selectRequests(db).where(eq(requests.id, id));
  return row ?? null;
}

/** How many wait for the actor's side, or for clients of their own for the firm. */
export async function countRequests(db: Db, { actor }: { actor: Actor }): Promise<RequestCounts> {
  const [row] = await db
    .select({ new: countRows(isFirms), asked: countRows(not(isFirms)) })
    .from(requests)
    .innerJoin(projects, eq(projects.id, requests.projectId))
    .where(and(isOpen, concerning(actor)));
  return row ?? { new: 0, asked: 0 };
}

/** A text that is another one once a request that the actor sees is new, has changed or is gone. */
export async function fingerprintRequests(db: Db, { actor }: { actor: Actor }): Promise<string> {
  const { id, changeSeq, taskId } = requests;
  const [row] = await db
    .select({ fingerprint: fingerprintOf([id, changeSeq, taskId]) })
    .from(requests)
    .innerJoin(projects, eq(projects.id, requests.projectId))
    .where(visibleTo(actor));
  return row?.fingerprint ?? "";
}

/** Whether a message stands in a conversation of the actor. */
export async function isOwnMessage(
  db: Db | Tx,
  { messageId, actor }: { messageId: string; actor: Actor },
): Promise<boolean> {
  const [found] = await db
    .select({ id: messages.id })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(and(eq(messages.id, messageId), participating(actor)));
  return found !== undefined;
}

const clients = alias(users, "clients");
const originals = alias(requests, "originals");

/** Requests with their projects and all that a view of them says. */
export function selectRequests(db: Db | Tx) {
  const named = alias(users, "named");
  const people = db
    .select(aliased(personColumnsOf(named)))
    .from(named)
    .where(isNamed(named.id));
  const { authorId, text, createdAt } = requestReplies;
  const thread = db
    .select(aliased({ authorId, text, createdAt: isoInstant(createdAt) }))
    .from(requestReplies)
    .where(eq(requestReplies.requestId, requests.id))
    .orderBy(asc(createdAt), asc(requestReplies.id));
  return db
    .select({
      id: requests.id,
      projectId: requests.projectId,
      title: requests.title,
      text: requests.text,
      urgency: requests.urgency,
      status: requests.status,
      createdBy: requests.createdBy,
      createdAt: isoInstant(requests.createdAt),
      clientRequestId: requests.clientRequestId,
      messageId: requests.messageId,
      turnSince: isoInstant(requests.turnSince),
      decidedBy: requests.decidedBy,
      decidedAt: isoInstant(requests.decidedAt),
      reason: requests.reason,
      taskId: requests.taskId,
      duplicateOf: requests.duplicateOf,
      duplicateOfTitle: sql<string | null>`${originals.title}`,
      taskKey: whenPresent(tasks.id, sql<string>`${projects.key} || '-' || ${tasks.number}`),
      project: jsonObject({ id: projects.id, key: projects.key, title: projects.title }),
      client: whenPresent(clients.id, personJson(clients)),
      people: jsonRows(people),
      thread: jsonRows(thread),
      files: filesJson(eq(files.requestId, requests.id)),
      involvement: jsonObject({ ...involvementColumns, clientCollaboration: projects.clientCollaboration }),
      organisation: calendarColumns,
      conversation: whenPresent(
        conversations.id,
        jsonObject({
          id: conversations.id,
          lowerUserId: conversations.lowerUserId,
          higherUserId: conversations.higherUserId,
        }),
      ),
    })
    .from(requests)
    .innerJoin(projects, eq(projects.id, requests.projectId))
    .leftJoin(organisation, sql`true`)
    .leftJoin(clients, eq(clients.id, projects.clientId))
    .leftJoin(tasks, eq(tasks.id, requests.taskId))
    .leftJoin(originals, eq(originals.id, requests.duplicateOf))
    .leftJoin(messages, eq(messages.id, requests.messageId))
    .leftJoin(conversations, eq(conversations.id, messages.conversationId));
}

/** By their ids: with `or` PostgreSQL reads everybody for each request. */
function isNamed(personId: AnyColumn): SQL {
  const { requestId, authorId } = requestReplies;
  return isAnyOf(
    personId,
    sql`select unnest(array[${requests.createdBy}, ${requests.decidedBy}])
      union all select ${authorId} from ${requestReplies} where ${eq(requestId, requests.id)}`,
  );
}
