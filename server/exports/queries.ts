import { and, asc, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db } from "../../db/client";
import { aliased, isoInstant, jsonRows } from "../../db/expressions";
import {
  comments,
  discussions,
  files,
  requestReplies,
  requests,
  signOffs,
  statusUpdates,
  tasks,
  users,
} from "../../db/schema";
import { audienceOf, shownTo } from "../comments/policy";
import { splitMentions } from "../contract/mentions";
import { MESSAGES } from "../contract/messages";
import type {
  ExportedComment,
  ExportedRequest,
  ExportedSignOff,
  ExportedStatusUpdate,
  Person,
} from "../contract/views";
import type { Actor } from "../core/context";
import { storedRecord } from "../sign-offs/queries";
import { shownName } from "../users/queries";

/** With what it belongs to; `taskNumber` is 0 for the project itself. */
export interface CommentOfExport {
  projectId: string;
  taskNumber: number;
  seq: number;
  comment: ExportedComment;
}

/**
 * The comments of projects that the actor may see, by project, task and number, without deleted ones: for clients never the
 * team's. Who may see the projects, the caller knows. `after` is the last row of the page before, of one project.
 */
export async function listExportedComments(
  db: Db,
  {
    projectIds,
    actor,
    after = { taskNumber: 0, seq: 0 },
    limit,
  }: {
    projectIds: readonly string[];
    actor: Pick<Actor, "accountType">;
    after?: Pick<CommentOfExport, "taskNumber" | "seq">;
    limit?: number;
  },
): Promise<CommentOfExport[]> {
  const mentioned = alias(users, "mentioned");
  const people = db
    .select(aliased({ id: mentioned.id, name: shownName(mentioned) }))
    .from(mentioned)
    .where(sql`${mentioned.id} = any(${comments.mentions})`);
  const taskNumber = sql<number>`coalesce(${tasks.number}, 0)`;
  const listed = db
    .select({
      projectId: discussions.projectId,
      taskNumber,
      seq: comments.seq,
      author: shownName(users),
      visibility: comments.visibility,
      text: comments.text,
      mentioned: jsonRows<Pick<Person, "id" | "name">>(people),
      files: sql<
        string[]
      >`to_json(array(select ${files.name} from ${files} where ${eq(files.commentId, comments.id)} order by ${files.position}, ${files.id}))`,
      createdAt: isoInstant(comments.createdAt),
      editedAt: isoInstant(comments.editedAt),
    })
    .from(comments)
    .innerJoin(discussions, eq(discussions.id, comments.discussionId))
    .innerJoin(users, eq(users.id, comments.authorId))
    .leftJoin(tasks, eq(tasks.id, discussions.taskId))
    .where(
      and(
        inArray(discussions.projectId, [...projectIds]),
        isNull(comments.deletedAt),
        shownTo(audienceOf(actor)),
        sql`(${taskNumber}, ${comments.seq}) > (${after.taskNumber}::int, ${after.seq}::bigint)`,
      ),
    )
    .orderBy(asc(discussions.projectId), asc(taskNumber), asc(comments.seq))
    .$dynamic();
  const rows = await (limit === undefined ? listed : listed.limit(limit));
  return rows.map(({ projectId, taskNumber: number, seq, mentioned: named, text, ...comment }) => ({
    ...{ projectId, taskNumber: number, seq },
    comment: {
      taskNumber: number === 0 ? null : number,
      ...comment,
      text: named.length > 0 ? spoken(text, named) : text,
    },
  }));
}

/** Mentions as a reader sees them: whoever reads the file does not know ids. */
function spoken(text: string, people: readonly Pick<Person, "id" | "name">[]): string {
  const nameOf = (id: string) => people.find((person) => person.id === id)?.name ?? MESSAGES.projects.unknownUser;
  return splitMentions(text)
    .map((part) => (part.type === "text" ? part.text : `@${nameOf(part.id)}`))
    .join("");
}

/** The status updates of projects, newest first. Who may see the projects, the caller knows. */
export async function listExportedStatusUpdates(
  db: Db,
  { projectIds }: { projectIds: readonly string[] },
): Promise<{ projectId: string; update: ExportedStatusUpdate }[]> {
  const { projectId, health, text, sentAt } = statusUpdates;
  const rows = await db
    .select({ projectId, health, text, author: shownName(users), sentAt: isoInstant(sentAt) })
    .from(statusUpdates)
    .innerJoin(users, eq(users.id, statusUpdates.authorId))
    .where(inArray(projectId, [...projectIds]))
    .orderBy(desc(sentAt), desc(statusUpdates.id));
  return rows.map(({ projectId: id, ...update }) => ({ projectId: id, update }));
}

/** The requests of projects with their threads, oldest first. Who may see the projects, the caller knows. */
export async function listExportedRequests(
  db: Db,
  { projectIds }: { projectIds: readonly string[] },
): Promise<{ projectId: string; request: ExportedRequest }[]> {
  const { projectId, title, text, urgency, status, createdAt, decidedAt, reason } = requests;
  const [deciders, writers] = [alias(users, "deciders"), alias(users, "writers")];
  const thread = db
    .select(
      aliased({
        author: shownName(writers),
        text: requestReplies.text,
        createdAt: isoInstant(requestReplies.createdAt),
      }),
    )
    .from(requestReplies)
    .innerJoin(writers, eq(writers.id, requestReplies.authorId))
    .where(eq(requestReplies.requestId, requests.id))
    .orderBy(asc(requestReplies.createdAt), asc(requestReplies.id));
  const rows = await db
    .select({
      ...{ projectId, title, text, urgency, status, reason, taskNumber: tasks.number },
      author: shownName(users),
      createdAt: isoInstant(createdAt),
      decidedBy: sql<string | null>`${shownName(deciders)}`,
      decidedAt: isoInstant(decidedAt),
      files: sql<string[]>`to_json(array(select ${files.name} from ${files}
        where ${eq(files.requestId, requests.id)} order by ${files.position}, ${files.id}))`,
      thread: jsonRows(thread),
    })
    .from(requests)
    .innerJoin(users, eq(users.id, requests.createdBy))
    .leftJoin(deciders, eq(deciders.id, requests.decidedBy))
    .leftJoin(tasks, eq(tasks.id, requests.taskId))
    .where(inArray(projectId, [...projectIds]))
    .orderBy(asc(createdAt), asc(requests.id));
  return rows.map(({ projectId: id, ...request }) => ({ projectId: id, request }));
}

/** The sign-offs of projects with their stored records, oldest first. Who may see the projects, the caller knows. */
export async function listExportedSignOffs(
  db: Db,
  { projectIds }: { projectIds: readonly string[] },
): Promise<{ projectId: string; signOff: ExportedSignOff }[]> {
  const { projectId, note, status, record, askedAt, decidedAt, reason } = signOffs;
  const [signers, deciders] = [alias(users, "signers"), alias(users, "deciders")];
  const rows = await db
    .select({
      ...{ projectId, note, status, reason, record },
      askedBy: shownName(users),
      signer: shownName(signers),
      askedAt: isoInstant(askedAt),
      decidedBy: sql<string | null>`${shownName(deciders)}`,
      decidedAt: isoInstant(decidedAt),
    })
    .from(signOffs)
    .innerJoin(users, eq(users.id, signOffs.askedBy))
    .innerJoin(signers, eq(signers.id, signOffs.signerId))
    .leftJoin(deciders, eq(deciders.id, signOffs.decidedBy))
    .where(inArray(projectId, [...projectIds]))
    .orderBy(asc(askedAt), asc(signOffs.id));
  return rows.map(({ projectId: id, ...signOff }) => ({
    projectId: id,
    signOff: { ...signOff, record: storedRecord(signOff) },
  }));
}
