import type { Visibility } from "@db/enums";
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../db/client";
import { aliased, isoInstant, jsonRows } from "../../db/expressions";
import { commentReads, comments, discussions, files, projects, tasks, users } from "../../db/schema";
import { renameMentions } from "../contract/mentions";
import { MESSAGES } from "../contract/messages";
import type { Comment, CommentPage, Person } from "../contract/views";
import type { Actor } from "../core/context";
import { filesJson } from "../files/queries";
import type { Involvement } from "../projects/policy";
import { involvementColumns } from "../projects/queries";
import { personColumns, personColumnsOf, personJson } from "../users/queries";
import { audienceOf, NUMBERS, numberOf, shownTo, visibleCommentsTo } from "./policy";
import type { Discussed, Place } from "./subjects";

const PAGE_SIZE = 50;

/** A comment as one side sees it, before it is shown to one of them; `text` is as it is stored. */
export interface CommentRow extends Comment {
  discussionId: string;
  clientCollaboration: boolean;
  clientCommentId: string;
  mentioned: Person[];
  createdChange: number;
  lastChange: number;
}

/** The view of a comment for one reader: names are the present ones, and only its author gets its key. */
export function showComment(row: CommentRow, { viewerId }: { viewerId: string }): Comment {
  const { mentioned, discussionId: _, clientCollaboration: __, createdChange: ___, lastChange: ____, ...comment } = row;
  const nameOf = (id: string) => mentioned.find((person) => person.id === id)?.name ?? MESSAGES.projects.unknownUser;
  return {
    ...comment,
    text: row.mentions.length > 0 ? renameMentions(row.text, nameOf) : row.text,
    clientCommentId: row.authorId === viewerId ? row.clientCommentId : null,
  };
}

/** A page of a discussion as the actor sees it, with where its stream goes on. */
export async function readComments(
  db: Db,
  {
    discussed: { projectId, discussionId, lastChange },
    before,
    limit = PAGE_SIZE,
    actor,
  }: { discussed: Discussed; before?: number | undefined; limit?: number | undefined; actor: Actor },
): Promise<CommentPage> {
  const audience = audienceOf(actor);
  // Of before the comments are read: what changes in between is an event of the stream again.
  const lastEventId = formatEventId({ audience, change: lastChange });
  const [rows, readUpToSeq, hasShownClient] = await Promise.all([
    discussionId === null ? [] : listComments(db, { discussionId, audience, before, limit }),
    discussionId === null ? 0 : findReadUpTo(db, { discussionId, userId: actor.id }),
    findHasShownClient(db, { projectId, authorId: actor.id }),
  ]);
  const items = rows.slice(-limit);
  return {
    items: items.map((row) => showComment(row, { viewerId: actor.id })),
    nextCursor: rows.length > limit ? (items[0]?.seq ?? null) : null,
    readUpToSeq,
    hasShownClient,
    lastEventId,
  };
}

/** Whether somebody has written in a project, on whatever it is about, what its client can see; deleted counts too. */
async function findHasShownClient(
  db: Db,
  { projectId, authorId }: { projectId: string; authorId: string },
): Promise<boolean> {
  const [shown] = await db
    .select({ id: comments.id })
    .from(comments)
    .innerJoin(discussions, eq(discussions.id, comments.discussionId))
    .where(and(eq(discussions.projectId, projectId), eq(comments.authorId, authorId), isNotNull(comments.clientSeq)))
    .limit(1);
  return shown !== undefined;
}

/** The comments before a number, or the newest: ascending, as many as asked for and one more if there are older ones. */
async function listComments(
  db: Db,
  {
    discussionId,
    audience,
    before,
    limit,
  }: { discussionId: string; audience: Visibility; before?: number | undefined; limit: number },
): Promise<CommentRow[]> {
  const { seq } = NUMBERS[audience];
  const rows = await selectComments(db, audience)
    .where(
      and(
        eq(comments.discussionId, discussionId),
        shownTo(audience),
        before === undefined ? undefined : lt(seq, before),
      ),
    )
    .orderBy(desc(seq))
    .limit(limit + 1);
  return rows.reverse();
}

/** What has changed since a stream's last event, and who may see it now. */
export interface Changes {
  involvement: Involvement;
  /** By their last change. */
  rows: CommentRow[];
}

/**
 * The comments of a place whose last change comes after a number, and whose own number after another one, for whoever asks: null once
 * the project or the task is gone.
 */
export async function findChanges(
  db: Db,
  {
    place: { projectId, taskId },
    audience,
    afterChange,
    afterSeq,
    limit,
  }: { place: Place; audience: Visibility; afterChange: number; afterSeq: number; limit: number },
): Promise<Changes | null> {
  const { seq, lastChange } = NUMBERS[audience];
  const rows = await selectComments(db, audience)
    .where(and(isAbout({ projectId, taskId }), gt(lastChange, afterChange), gt(seq, afterSeq)))
    .orderBy(asc(lastChange))
    .limit(limit);
  // After the rows: who may no longer see them is sent none.
  const [involvement] = await db
    .select(involvementColumns)
    .from(projects)
    .where(and(eq(projects.id, projectId), taskId ? inArray(projects.id, projectOf(db, taskId)) : undefined));
  return involvement ? { involvement, rows } : null;
}

function projectOf(db: Db, taskId: string) {
  return db.select({ id: tasks.projectId }).from(tasks).where(eq(tasks.id, taskId));
}

/** A comment that the actor may see, or null: not theirs and not there are the same. */
export async function findComment(
  db: Db | Tx,
  { id, actor }: { id: string; actor: Actor },
): Promise<CommentRow | null> {
  const [row] = await selectComments(db, audienceOf(actor)).where(and(eq(comments.id, id), visibleCommentsTo(actor)));
  return row ?? null;
}

/** A comment by its author's key; null for another author's, and for one that they cannot see any more. */
export async function findCommentByKey(
  db: Db,
  { clientCommentId, author }: { clientCommentId: string; author: Actor },
): Promise<CommentRow | null> {
  const [row] = await selectComments(db, audienceOf(author)).where(
    and(eq(comments.authorId, author.id), eq(comments.clientCommentId, clientCommentId), visibleCommentsTo(author)),
  );
  return row ?? null;
}

/** Up to which comment a person has read; 0 for none. */
export async function findReadUpTo(
  db: Db,
  { discussionId, userId }: { discussionId: string; userId: string },
): Promise<number> {
  const [row] = await db
    .select({ upToSeq: commentReads.upToSeq })
    .from(commentReads)
    .where(and(eq(commentReads.discussionId, discussionId), eq(commentReads.userId, userId)));
  return row?.upToSeq ?? 0;
}

/** Whom a discussion names, as one side sees it: authors, and people whom comments mention. By id. */
export async function listNamedPeople(
  db: Db,
  { place, audience }: { place: Place; audience: Visibility },
): Promise<Person[]> {
  const named = db
    .select({ id: sql`unnest(${comments.mentions} || ${comments.authorId})` })
    .from(comments)
    .innerJoin(discussions, eq(discussions.id, comments.discussionId))
    .where(and(isAbout(place), shownTo(audience)));
  return db.select(personColumns).from(users).where(inArray(users.id, named)).orderBy(asc(users.id));
}

/** The id of a change: whose numbers it counts, and the number. What another side was given is no id of this one's. */
export function formatEventId({ audience, change }: { audience: Visibility; change: number }): string {
  return `${audience}-${change}`;
}

/** Of a query over `discussions`. */
function isAbout({ projectId, taskId }: Place): SQL | undefined {
  if (taskId !== null) return eq(discussions.taskId, taskId);
  return and(eq(discussions.projectId, projectId), isNull(discussions.taskId));
}

/** Comments with their authors and what they are about, as one side counts them. */
function selectComments(db: Db | Tx, audience: Visibility) {
  const { seq, createdChange, lastChange } = NUMBERS[audience];
  const mentioned = alias(users, "mentioned");
  const people = db
    .select(aliased(personColumnsOf(mentioned)))
    .from(mentioned)
    .where(sql`${mentioned.id} = any(${comments.mentions})`);
  return db
    .select({
      id: comments.id,
      discussionId: comments.discussionId,
      projectId: discussions.projectId,
      taskId: discussions.taskId,
      clientCollaboration: projects.clientCollaboration,
      seq: numberOf(seq),
      createdChange: numberOf(createdChange),
      lastChange: numberOf(lastChange),
      authorId: comments.authorId,
      author: personJson(users),
      clientCommentId: comments.clientCommentId,
      visibility: comments.visibility,
      text: comments.text,
      mentions: comments.mentions,
      mentioned: jsonRows(people),
      files: filesJson(eq(files.commentId, comments.id)),
      createdAt: isoInstant(comments.createdAt),
      editedAt: isoInstant(comments.editedAt),
      deletedAt: isoInstant(comments.deletedAt),
    })
    .from(comments)
    .innerJoin(discussions, eq(discussions.id, comments.discussionId))
    .innerJoin(projects, eq(projects.id, discussions.projectId))
    .innerJoin(users, eq(users.id, comments.authorId));
}
