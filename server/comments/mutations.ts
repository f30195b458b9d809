import type { Visibility } from "@db/enums";
import { and, eq, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../db/client";
import { isoInstant } from "../../db/expressions";
import { commentReads, comments, discussions } from "../../db/schema";
import { columnsOf, makeOnce, unlessGone } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import type { CreateComment, UpdateComment } from "../contract/comments";
import { mentionedIds, renameMentions } from "../contract/mentions";
import { MESSAGES } from "../contract/messages";
import type { Comment } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import { attachFiles, deleteFilesOfComment } from "../files/mutations";
import { notifyMentioned, notifyOfComment } from "../notifications/mutations";
import { releaseNotificationsOf, settleComments } from "../notifications/settle";
import { subjectNotFound } from "../projects/procedures";
import { findSubjectKey, holdPlace } from "../projects/queries";
import { notifyDiscussion } from "../realtime/notify";
import { audienceOf, NUMBERS } from "./policy";
import { commentNotFound, requireWritable } from "./procedures";
import { type CommentRow, findComment, findCommentByKey, findReadUpTo, showComment } from "./queries";
import { type Discussed, listReaders, type Place } from "./subjects";

/** A key of an author is used once. */
const CLIENT_KEY = "comments_client_key_unique";
/** What a read mark refers to. */
const READ_OF = "comment_reads_discussion_id_discussions_id_fk";

/**
 * Adds a comment where the actor may write. Idempotent by key: the same key and content return the first comment as it is now,
 * the key with another content or place is a CONFLICT. A client's is always for clients too. Mentions of who cannot see it:
 * BAD_REQUEST.
 */
export async function createComment(
  db: Db,
  { discussed, by, ...input }: Omit<CreateComment, "subject"> & { discussed: Discussed; by: Actor },
): Promise<Comment> {
  const visibility = audienceOf(by) === "client" ? "client" : input.visibility;
  const content = { visibility, ...contentOf(input.text) };
  const { clientCommentId, fileIds = [] } = input;
  const { row, isNew } = await makeOnce(CLIENT_KEY, {
    find: () => findCommentByKey(db, { clientCommentId, author: by }),
    async make() {
      await requireMentionable(db, { projectId: discussed.projectId, visibility, ids: content.mentions });
      return db.transaction((tx) => insertComment(tx, { discussed, clientCommentId, content, fileIds, by }));
    },
  });
  if (row && (isNew || (isOf(row, discussed) && hasContent(row, content, fileIds))))
    return showComment(row, { viewerId: by.id });
  throw new DomainError("CONFLICT", MESSAGES.comments.keyTaken, { reason: "key-taken" });
}

/**
 * Gives one's own comment another text; the same one changes nothing. Only those it mentions anew have to see it. CONFLICT when it
 * was deleted, or edited since what the author saw: that one carries it as it is now.
 */
export async function updateComment(
  db: Db,
  { comment, text, seenEditedAt, by }: Omit<UpdateComment, "commentId"> & { comment: CommentRow; by: Actor },
): Promise<Comment> {
  const content = contentOf(text);
  if (comment.text === content.text) return showComment(comment, { viewerId: by.id });
  const ids = content.mentions.filter((id) => !comment.mentions.includes(id));
  await requireMentionable(db, { projectId: comment.projectId, visibility: comment.visibility, ids });
  const changed = await db.transaction(async (tx) => {
    await holdWritable(tx, { place: comment, by, gone: commentNotFound });
    const set = { ...content, editedAt: sql`clock_timestamp()` };
    const after = await changeComment(tx, { comment, set, seenEditedAt, by });
    if (!after) throw await refusalOfEdit(tx, { comment, by });
    const { id: commentId, projectId, taskId, authorId, visibility } = comment;
    const { lastChange: change } = after;
    await notifyMentioned(tx, { commentId, projectId, taskId, authorId, visibility, mentions: ids, change });
    return after;
  });
  return showComment(changed, { viewerId: by.id });
}

/** Why a comment could not be edited: it was deleted or edited meanwhile. */
async function refusalOfEdit(tx: Tx, { comment, by }: { comment: CommentRow; by: Actor }): Promise<DomainError> {
  const present = await findComment(tx, { id: comment.id, actor: by });
  if (!present || present.deletedAt !== null) return new DomainError("CONFLICT", MESSAGES.comments.deleted);
  const current = showComment(present, { viewerId: by.id });
  return new DomainError("CONFLICT", MESSAGES.comments.stale, { reason: "stale-version", current });
}

/** Takes text and files away for good; its place stays. Idempotent. An admin who deletes another's is audited. */
export async function deleteComment(
  db: Db,
  { comment, by }: { comment: CommentRow; by: Actor },
): Promise<{ id: string }> {
  await db.transaction(async (tx) => {
    await holdWritable(tx, { place: comment, by, gone: commentNotFound });
    const set = { text: "", mentions: [], deletedAt: sql`clock_timestamp()` };
    await deleteFilesOfComment(tx, { commentId: comment.id });
    const changed = await changeComment(tx, { comment, set, by });
    if (!changed) return;
    await releaseNotificationsOf(tx, { commentId: comment.id });
    if (by.id === comment.authorId) return;
    const details = { subject: await findSubjectKey(tx, comment) };
    await insertAudit(tx, { kind: "comment.deleted", actorId: by.id, subjectId: comment.authorId, details });
  });
  return { id: comment.id };
}

/**
 * Moves the actor's read mark forward, at most to the newest comment, and reads what notified them of those. Returns where the mark
 * is now.
 */
export async function markCommentsRead(
  db: Db,
  { discussed, upToSeq, by }: { discussed: Discussed; upToSeq: number; by: Actor },
): Promise<{ upToSeq: number }> {
  const { discussionId, lastSeq } = discussed;
  const target = Math.min(upToSeq, lastSeq);
  if (discussionId === null || target === 0) return { upToSeq: 0 };
  const moved = await unlessGone(READ_OF, () =>
    db
      .insert(commentReads)
      .values({ userId: by.id, discussionId, upToSeq: target })
      .onConflictDoUpdate({
        target: [commentReads.userId, commentReads.discussionId],
        set: { upToSeq: target },
        setWhere: lt(commentReads.upToSeq, target),
      })
      .returning({ upToSeq: commentReads.upToSeq }),
  );
  if (!moved) throw subjectNotFound(discussed.taskId);
  // An edit of what was read before may have notified them anew.
  await settleCommentsRead(db, { discussionId, upToSeq: target, by });
  return moved[0] ?? { upToSeq: await findReadUpTo(db, { discussionId, userId: by.id }) };
}

/** What has been read where it stands need not be read in the inbox, nor be mailed. */
async function settleCommentsRead(
  db: Db,
  { discussionId, upToSeq, by }: { discussionId: string; upToSeq: number; by: Actor },
): Promise<void> {
  const { seq } = NUMBERS[audienceOf(by)];
  const isRead = and(eq(comments.discussionId, discussionId), lte(seq, upToSeq));
  await db.transaction((tx) =>
    settleComments(tx, { userId: by.id, commentIds: tx.select({ id: comments.id }).from(comments).where(isRead) }),
  );
}

interface Content {
  visibility: Visibility;
  text: string;
  mentions: string[];
}

/** A text as it is stored: whom it mentions stands in it by id alone. */
function contentOf(text: string): Omit<Content, "visibility"> {
  return { text: renameMentions(text, () => ""), mentions: mentionedIds(text) };
}

async function requireMentionable(
  db: Db,
  { projectId, visibility, ids }: { projectId: string; visibility: Visibility; ids: string[] },
): Promise<void> {
  if (ids.length === 0) return;
  const readers = await listReaders(db, { projectId, audience: visibility, ids });
  if (readers.length < ids.length)
    throw new ValidationError<CreateComment>({ text: [MESSAGES.comments.notMentionable] });
}

/**
 * Adds a comment where the actor may still write: that is asked while the project is locked. Takes the next numbers under the
 * discussion's row lock, which holds until the commit, so that whoever reads a comment can read all before it. The clock is read
 * behind that lock: times follow the numbers.
 */
async function insertComment(
  tx: Tx,
  {
    discussed: { projectId, taskId },
    clientCommentId,
    content,
    fileIds,
    by,
  }: { discussed: Discussed; clientCommentId: string; content: Content; fileIds: readonly string[]; by: Actor },
): Promise<CommentRow | null> {
  await holdWritable(tx, { place: { projectId, taskId }, by, gone: () => subjectNotFound(taskId) });
  const forClients = content.visibility === "client" ? 1 : 0;
  const first = { lastSeq: 1, lastChange: 1, lastClientSeq: forClients, lastClientChange: forClients };
  const [counted] = await tx
    .insert(discussions)
    .values(columnsOf(discussions, { projectId, taskId, ...first }))
    .onConflictDoUpdate({
      target: [discussions.projectId, discussions.taskId],
      set: {
        lastSeq: sql`${discussions.lastSeq} + 1`,
        lastClientSeq: sql`${discussions.lastClientSeq} + ${forClients}`,
        ...nextChange(content.visibility),
      },
    })
    .returning();
  if (!counted) return null;
  const ofClients = forClients === 1;
  const [added] = await tx
    .insert(comments)
    .values(
      columnsOf(comments, {
        discussionId: counted.id,
        seq: counted.lastSeq,
        clientSeq: ofClients ? counted.lastClientSeq : null,
        createdChange: counted.lastChange,
        lastChange: counted.lastChange,
        clientCreatedChange: ofClients ? counted.lastClientChange : null,
        clientLastChange: ofClients ? counted.lastClientChange : null,
        authorId: by.id,
        clientCommentId,
        ...content,
        createdAt: sql`clock_timestamp()`,
      }),
    )
    .returning({ id: comments.id });
  if (!added) return null;
  const place = { projectId, taskId, visibility: content.visibility };
  await attachFiles(tx, { fileIds, place: { ...place, commentId: added.id }, by });
  const made = await findComment(tx, { id: added.id, actor: by });
  await notifyDiscussion(tx, place);
  await notifyOfComment(tx, { ...place, commentId: added.id, authorId: by.id, mentions: content.mentions });
  return made;
}

/** Keeps the project as it is until the commit, where the actor may write in it then. */
async function holdWritable(
  tx: Tx,
  { place, by, gone }: { place: Place; by: Actor; gone: () => DomainError },
): Promise<void> {
  const { projectId, taskId } = place;
  const project = await holdPlace(tx, { projectId, taskId, actor: by });
  if (!project) throw gone();
  requireWritable({ actor: by }, project);
}

type CommentChange = Pick<PgUpdateSetSource<typeof comments>, "text" | "mentions" | "editedAt" | "deletedAt">;

/** Changes a comment under its discussion's row lock. Null if it was deleted meanwhile, or edited at another time than was seen. */
async function changeComment(
  tx: Tx,
  {
    comment: { id, discussionId, projectId, taskId, visibility },
    set,
    seenEditedAt,
    by,
  }: { comment: CommentRow; set: CommentChange; seenEditedAt?: string | null | undefined; by: Actor },
): Promise<CommentRow | null> {
  const [counted] = await tx
    .update(discussions)
    .set(columnsOf(discussions, nextChange(visibility)))
    .where(eq(discussions.id, discussionId))
    .returning({ lastChange: discussions.lastChange, lastClientChange: discussions.lastClientChange });
  if (!counted) return null;
  const [changed] = await tx
    .update(comments)
    .set(
      columnsOf(comments, {
        ...set,
        lastChange: counted.lastChange,
        ...(visibility === "client" && { clientLastChange: counted.lastClientChange }),
      }),
    )
    .where(and(eq(comments.id, id), isNull(comments.deletedAt), isEditedAt(seenEditedAt)))
    .returning({ id: comments.id });
  if (!changed) return null;
  await notifyDiscussion(tx, { projectId, taskId, visibility });
  return findComment(tx, { id, actor: by });
}

/** Whether a comment was last edited then, as its view says it; null for never, undefined for whenever. */
function isEditedAt(seenEditedAt: string | null | undefined): SQL | undefined {
  if (seenEditedAt === undefined) return undefined;
  return sql`${isoInstant(comments.editedAt)} is not distinct from ${seenEditedAt}`;
}

/** The numbers of a change that clients see, or that they must not notice. */
function nextChange(visibility: Visibility) {
  return {
    lastChange: sql`${discussions.lastChange} + 1`,
    ...(visibility === "client" && { lastClientChange: sql`${discussions.lastClientChange} + 1` }),
  };
}

function isOf(comment: CommentRow, { projectId, taskId }: Discussed): boolean {
  return comment.projectId === projectId && comment.taskId === taskId;
}

/** Whether a comment was sent with this content: what was edited or deleted since cannot tell any more. */
function hasContent(comment: CommentRow, { visibility, text }: Content, fileIds: readonly string[]): boolean {
  if (comment.visibility !== visibility || comment.deletedAt !== null) return comment.visibility === visibility;
  const hasFiles = comment.files.map(({ id }) => id).join() === fileIds.join();
  return hasFiles && (comment.editedAt !== null || comment.text === text);
}
