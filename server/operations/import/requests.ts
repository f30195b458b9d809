import { and, asc, eq, gt, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../../db/client";
import { messages, projects, requestReplies, requests, tasks } from "../../../db/schema";
import { rowsOf } from "../../../db/writes";
import { notifyRequest } from "../../realtime/notify";
import type { Take } from "./fields";
import { type Subject, unmatched } from "./notes";
import type { People } from "./people";
import { pages, stagedMessages, stagedProjects, stagedRequests, stagedTasks } from "./staging";

/**
 * Adds the staged requests that are not there yet, with their threads; nobody is mailed about them. What names no known author or
 * project is noted and left out; a task, a message or a person that is not there is noted. Returns how many were added.
 */
export async function importRequests(db: Db | Tx, { people, take }: { people: People; take: Take }): Promise<number> {
  let count = 0;
  for await (const page of pages((after, limit) => missingRequests(db, { after, limit }))) {
    const known = page.flatMap((row) => knownOf(row, { people, take }) ?? []);
    const rows = known.map(({ request }) => request);
    const replies = known.flatMap(({ thread }) => thread);
    const added = await db.transaction(async (tx) => {
      if (rows.length > 0) await tx.insert(requests).values(rowsOf(requests, rows));
      const ids = await addReplies(tx, replies);
      await Promise.all(rows.map(({ id }) => notifyRequest(tx, { requestId: id })));
      return ids;
    });
    for (const { subject, thread } of known) {
      for (const { id } of thread) {
        if (!added.has(id)) take(unmatched<string>(subject, "thread", id, "another reply has that id here"));
      }
    }
    count += known.length;
  }
  await linkDuplicates(db, take);
  return count;
}

/** The ids of those that were added: of none that a reply to another request has. */
async function addReplies(tx: Tx, replies: (typeof requestReplies.$inferInsert)[]): Promise<Set<string>> {
  if (replies.length === 0) return new Set();
  const added = await tx
    .insert(requestReplies)
    .values(rowsOf(requestReplies, replies))
    .onConflictDoNothing()
    .returning({ id: requestReplies.id });
  return new Set(added.map(({ id }) => id));
}

type Staged = Awaited<ReturnType<typeof missingRequests>>[number];

function missingRequests(db: Db | Tx, { after, limit }: { after: number; limit: number }) {
  const { projectFileId, taskFileId, conversationFileId, messageFileId } = stagedRequests;
  const isItsTask = and(eq(stagedTasks.projectFileId, projectFileId), eq(stagedTasks.fileId, taskFileId));
  const isItsMessage = and(
    eq(stagedMessages.conversationFileId, conversationFileId),
    eq(stagedMessages.fileId, messageFileId),
  );
  return db
    .select({ staged: stagedRequests, projectId: projects.id, taskId: tasks.id, messageId: messages.id })
    .from(stagedRequests)
    .leftJoin(stagedProjects, eq(stagedProjects.fileId, projectFileId))
    .leftJoin(projects, eq(projects.id, stagedProjects.id))
    .leftJoin(stagedTasks, isItsTask)
    .leftJoin(tasks, and(eq(tasks.id, stagedTasks.id), eq(tasks.projectId, projects.id)))
    .leftJoin(stagedMessages, isItsMessage)
    .leftJoin(messages, eq(messages.id, stagedMessages.id))
    .where(and(gt(stagedRequests.place, after), isMissing))
    .orderBy(asc(stagedRequests.place))
    .limit(limit)
    .then((rows) => rows.map(({ staged, ...found }) => ({ ...staged, ...found })));
}

const isMissing: SQL = sql`not exists (select from ${requests} where ${eq(requests.id, stagedRequests.id)})`;

/** As it is stored; null, and noted, for one of nobody or of no project. */
function knownOf(row: Staged, { people, take }: { people: People; take: Take }) {
  const subject: Subject = { kind: "request", id: `${row.projectFileId}/${row.fileId}` };
  const note = (field: string, value: unknown, why: string) => take(unmatched<string>(subject, field, value, why));
  const { id, projectId, title, text, urgency, status, reason, taskId, messageId, decidedAt } = row;
  const find = (field: string, fileId: string | null) => {
    const userId = fileId === null ? undefined : people.byFileId.get(fileId)?.userId;
    if (fileId !== null && userId === undefined) note(field, fileId, "nobody has that id");
    return userId ?? null;
  };
  if (projectId === null) {
    note("project", row.projectFileId, "that project is not there");
    return null;
  }
  const createdBy = find("createdBy", row.author);
  if (createdBy === null) return null;
  if (row.taskFileId !== null && taskId === null) note("taskId", row.taskFileId, "that task is not there");
  if (row.messageFileId !== null && messageId === null)
    note("messageId", row.messageFileId, "that message is not there");
  const request = {
    ...{ id, projectId, title, text, urgency, status, reason, taskId, messageId, createdBy },
    createdAt: new Date(row.createdAt),
    turnSince: new Date(row.turnSince),
    decidedBy: find("decidedBy", row.decider),
    decidedAt: decidedAt === null ? null : new Date(decidedAt),
  };
  const thread = row.thread.flatMap(({ author, createdAt, ...reply }) => {
    const authorId = find("thread", author);
    return authorId === null ? [] : [{ ...reply, requestId: id, authorId, createdAt: new Date(createdAt) }];
  });
  return { subject, request, thread };
}

/** Once all are there: the one that a request is a duplicate of may stand behind it. */
async function linkDuplicates(db: Db | Tx, take: Take): Promise<void> {
  const stagedOriginals = alias(stagedRequests, "staged_originals");
  const originals = alias(requests, "originals");
  const { projectFileId, duplicateOfFileId, fileId, place } = stagedRequests;
  const isUnlinked = and(eq(requests.status, "duplicate"), isNull(requests.duplicateOf), isNotNull(duplicateOfFileId));
  const isIts = and(eq(stagedOriginals.projectFileId, projectFileId), eq(stagedOriginals.fileId, duplicateOfFileId));
  const isOfSameProject = and(eq(originals.projectId, requests.projectId), ne(originals.id, requests.id));
  const read = (after: number, limit: number) =>
    db
      .select({ place, projectFileId, fileId, named: duplicateOfFileId, id: requests.id, originalId: originals.id })
      .from(stagedRequests)
      .innerJoin(requests, eq(requests.id, stagedRequests.id))
      .leftJoin(stagedOriginals, isIts)
      .leftJoin(originals, and(eq(originals.id, stagedOriginals.id), isOfSameProject))
      .where(and(isUnlinked, gt(place, after)))
      .orderBy(asc(place))
      .limit(limit);
  for await (const page of pages(read)) {
    for (const { id, originalId, named, ...request } of page) {
      if (originalId !== null) {
        await db.update(requests).set({ duplicateOf: originalId }).where(eq(requests.id, id));
        continue;
      }
      const subject: Subject = { kind: "request", id: `${request.projectFileId}/${request.fileId}` };
      take(unmatched(subject, "duplicateOf", named, "that request is not there"));
    }
  }
}
