import type { RequestStatus } from "@db/client-enums";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { requestReplies, requests } from "../../db/schema";
import { columnsOf, makeOnce } from "../../db/writes";
import { linkMessage } from "../chat/links";
import { MESSAGES } from "../contract/messages";
import { MAX_REPLIES } from "../contract/messages/requests";
import type { AcceptRequest, CreateRequest, MarkDuplicate } from "../contract/requests";
import type { Request, Task } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import { attachFiles } from "../files/mutations";
import { notifyOfDecision, notifyOfRequest } from "../notifications/mutations";
import { settleQuestions, settleRequest } from "../notifications/settle";
import { type LockedProject, lockProject, type ProjectRow } from "../projects/queries";
import { notifyRequest } from "../realtime/notify";
import { createTaskIn, holdForTask } from "../tasks/mutations";
import { isOpen } from "./policy";
import { requestNotFound, requireAnswers, requireDecides, requireFiles } from "./procedures";
import { findRequest, findRequestByKey, type Reader, type RequestRow, showRequest } from "./queries";

/** A key of an author is used once. */
const CLIENT_KEY = "requests_client_key_unique";

/**
 * Files a request where the actor may. Idempotent by key: the same key and content return the first request as it is now, the key
 * with another content is a CONFLICT. Its files are for the client to see.
 */
export async function createRequest(
  db: Db,
  { project, by, ...input }: CreateRequest & { project: Pick<ProjectRow, "id">; by: Reader },
): Promise<Request> {
  const { clientRequestId } = input;
  const { row, isNew } = await makeOnce(CLIENT_KEY, {
    find: async () =>
      clientRequestId === undefined ? null : findRequestByKey(db, { clientRequestId, author: by.actor }),
    make: () => db.transaction((tx) => insertRequest(tx, { ...input, by })),
  });
  if (row && (isNew || hasContent(row, { ...input, projectId: project.id }))) return showRequest(row, by);
  throw new DomainError("CONFLICT", MESSAGES.requests.keyTaken, { reason: "key-taken" });
}

function hasContent(earlier: RequestRow, { title, text, urgency, projectId, messageId, fileIds = [] }: CreateRequest) {
  return (
    earlier.projectId === projectId &&
    earlier.title === title &&
    earlier.text === text &&
    earlier.urgency === urgency &&
    earlier.messageId === (messageId ?? null) &&
    earlier.files.map(({ id }) => id).join() === fileIds.join()
  );
}

async function insertRequest(
  tx: Tx,
  { projectId, title, text, urgency, messageId, clientRequestId, fileIds = [], by }: CreateRequest & { by: Reader },
): Promise<RequestRow> {
  const project = await lockProject(tx, { id: projectId, actor: by.actor });
  if (!project) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
  requireFiles(by.actor, project);
  const [made] = await tx
    .insert(requests)
    .values(
      columnsOf(requests, { projectId, title, text, urgency, messageId, clientRequestId, createdBy: by.actor.id }),
    )
    .returning({ id: requests.id });
  if (!made) throw new Error("the insert returned no row");
  const requestId = made.id;
  const place = { projectId, taskId: null, requestId, visibility: "client" } as const;
  await attachFiles(tx, { fileIds, place, by: by.actor });
  await notifyRequest(tx, { requestId });
  await notifyOfRequest(tx, { requestId, projectId, actorId: by.actor.id, step: "new", cause: `request:${requestId}` });
  return reload(tx, { id: requestId, by });
}

/** Makes a task of a request, its message's too, in one transaction. Decided already: CONFLICT, as for every decision. */
export async function acceptRequest(
  db: Db,
  { request, task: fields, by }: Pick<AcceptRequest, "task"> & { request: RequestRow; by: Reader },
): Promise<Task> {
  const { id, projectId, messageId } = request;
  return db.transaction(async (tx) => {
    // Before the project, which deciding takes.
    await holdForTask(tx, fields);
    await decide(tx, { request, by, set: { status: "accepted" } });
    const task = await createTaskIn(tx, { ...fields, projectId, by: by.actor });
    await tx.update(requests).set({ taskId: task.id }).where(eq(requests.id, id));
    // A message that is some task's already stays that one's.
    if (messageId !== null) await linkMessage(tx, { messageId, taskId: task.id, by: by.actor });
    await announce(tx, { request, by, step: "accepted" });
    return task;
  });
}

/** The client reads why. */
export async function declineRequest(
  db: Db,
  { request, reason, by }: { request: RequestRow; reason: string; by: Reader },
): Promise<Request> {
  return db.transaction(async (tx) => {
    await decide(tx, { request, by, set: { status: "declined", reason } });
    await announce(tx, { request, by, step: "declined" });
    return showRequest(await reload(tx, { id: request.id, by }), by);
  });
}

/** Of another request of its project. The project's lock keeps two from becoming duplicates of each other. */
export async function markDuplicate(
  db: Db,
  { request, original, by }: { request: RequestRow; original: RequestRow; by: Reader },
): Promise<Request> {
  const refused = (sentence: string) => new ValidationError<MarkDuplicate>({ ofRequestId: [sentence] });
  if (original.id === request.id) throw refused(MESSAGES.requests.itself);
  if (original.projectId !== request.projectId) throw refused(MESSAGES.requests.otherProject);
  return db.transaction(async (tx) => {
    await decide(tx, { request, by, set: { status: "duplicate", duplicateOf: original.id } });
    const present = await findRequest(tx, { id: original.id, actor: by.actor });
    if (!present) throw requestNotFound();
    if (present.status === "duplicate") throw refused(MESSAGES.requests.isDuplicate);
    await announce(tx, { request, by, step: "duplicate" });
    return showRequest(await reload(tx, { id: request.id, by }), by);
  });
}

/** A question of the firm: the client owes the next move, since the first that is not answered. */
export async function askBack(db: Db, reply: Reply): Promise<Request> {
  return addReply(db, { ...reply, status: "asked" });
}

/** An answer of the client's: an asked request waits for the firm again. */
export async function answerRequest(db: Db, reply: Reply): Promise<Request> {
  return addReply(db, { ...reply, status: "new" });
}

interface Reply {
  request: RequestRow;
  text: string;
  by: Reader;
}

async function addReply(db: Db, { request, text, by, status }: Reply & { status: "new" | "asked" }): Promise<Request> {
  const { id: requestId, projectId } = request;
  return db.transaction(async (tx) => {
    await lock(tx, { request, by, requireMay: status === "asked" ? requireDecides : requireAnswers });
    // Lists of requests hold their threads.
    if ((await tx.$count(requestReplies, eq(requestReplies.requestId, requestId))) >= MAX_REPLIES)
      throw new DomainError("CONFLICT", MESSAGES.requests.tooManyReplies);
    const [made] = await tx
      .insert(requestReplies)
      .values(columnsOf(requestReplies, { requestId, authorId: by.actor.id, text, createdAt: sql`clock_timestamp()` }))
      .returning({ id: requestReplies.id });
    if (!made) throw new Error("the insert returned no row");
    const { id, createdAt } = requestReplies;
    const repliedAt = sql`(select ${createdAt} from ${requestReplies} where ${eq(id, made.id)})`;
    const turnSince = sql`case when ${requests.status} = ${status} then ${requests.turnSince} else ${repliedAt} end`;
    await take(tx, { request, by, set: { status, turnSince } });
    const cause = `request-reply:${made.id}`;
    if (status === "asked") await announce(tx, { request, by, step: "asked", cause });
    else {
      await notifyRequest(tx, { requestId });
      await settleQuestions(tx, { requestId, userId: by.actor.id });
      const step = request.status === "asked" ? "answered" : "added";
      await notifyOfRequest(tx, { requestId, projectId, actorId: by.actor.id, step, cause });
    }
    return showRequest(await reload(tx, { id: requestId, by }), by);
  });
}

interface Changing {
  request: RequestRow;
  by: Reader;
}

interface Columns extends Partial<Pick<typeof requests.$inferInsert, "reason" | "duplicateOf" | "decidedBy">> {
  status: RequestStatus;
  turnSince?: SQL;
  decidedAt?: SQL;
}

async function decide(tx: Tx, { set, ...changing }: Changing & { set: Columns }): Promise<void> {
  await lock(tx, { ...changing, requireMay: requireDecides });
  const decision = { decidedBy: changing.by.actor.id, decidedAt: sql`clock_timestamp()` };
  await take(tx, { ...changing, set: { ...set, ...decision } });
}

/** Waits for whoever else changes something in its project. Only then is it sure who sees it, and who may change it. */
async function lock(
  tx: Tx,
  { request, by, requireMay }: Changing & { requireMay: (actor: Actor, project: LockedProject) => void },
): Promise<void> {
  const project = await lockProject(tx, { id: request.projectId, actor: by.actor });
  if (!project) throw requestNotFound();
  requireMay(by.actor, project);
}

/** Changes a request that waits. Decided meanwhile: CONFLICT, `already-decided`, with the request as it is now. */
async function take(tx: Tx, { request: { id }, by, set }: Changing & { set: Columns }): Promise<void> {
  const [taken] = await tx
    .update(requests)
    .set(columnsOf(requests, { ...set, changeSeq: sql`${requests.changeSeq} + 1` }))
    .where(and(eq(requests.id, id), isOpen))
    .returning({ id: requests.id });
  if (taken) return;
  const current = showRequest(await reload(tx, { id, by }), by);
  throw new DomainError("CONFLICT", MESSAGES.requests.alreadyDecided, { reason: "already-decided", current });
}

/** Watchers, and the client; for the firm it waits no more. */
async function announce(
  tx: Tx,
  {
    request: { id: requestId, projectId, createdBy },
    by,
    step,
    cause = `request-decided:${requestId}`,
  }: { request: RequestRow; by: Reader; step: RequestStatus; cause?: string },
): Promise<void> {
  await notifyRequest(tx, { requestId });
  await settleRequest(tx, { requestId });
  await notifyOfDecision(tx, { requestId, projectId, authorId: createdBy, actorId: by.actor.id, step, cause });
}

async function reload(tx: Tx, { id, by }: { id: string; by: Reader }): Promise<RequestRow> {
  const row = await findRequest(tx, { id, actor: by.actor });
  if (!row) throw requestNotFound();
  return row;
}
