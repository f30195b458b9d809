import { and, desc, eq, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { isoInstant, jsonObject, microsecondsOf } from "../../db/expressions";
import { files, projects, requests, tasks } from "../../db/schema";
import { MAX_LISTED_FILES } from "../contract/files";
import type { Subject } from "../contract/subjects";
import type { File, ListedFile } from "../contract/views";
import type { Actor } from "../core/context";
import { visibleTo } from "../projects/policy";
import { readableBy, shownTo } from "./policy";

/** The columns of the view. */
export const fileColumns = {
  id: files.id,
  name: files.name,
  size: files.size,
  type: files.type,
  width: files.width,
  height: files.height,
  visibility: files.visibility,
  createdAt: isoInstant(files.createdAt),
  createdBy: files.uploadedBy,
};

/** The files of a comment or a message of the surrounding query, in their order: `filesJson(eq(files.commentId, comments.id))`. */
export function filesJson(where: SQL): SQL<File[]> {
  const file: SQL<File> = jsonObject(fileColumns);
  return sql`coalesce((select json_agg(${file} order by ${files.position}, ${files.id}) from ${files} where ${where}), '[]')`;
}

/** What files hang on: a project, or a task of it. */
export interface FilesSubject {
  projectId: string;
  taskId: string | null;
  clientCollaboration: boolean;
}

/** A subject that the actor may see, or null: not theirs and not there are the same. */
export async function findSubject(
  db: Db | Tx,
  { subject, actor }: { subject: Subject; actor: Actor },
): Promise<FilesSubject | null> {
  const { id: projectId, clientCollaboration } = projects;
  const [row] =
    "taskId" in subject
      ? await db
          .select({ projectId, clientCollaboration, taskId: tasks.id })
          .from(tasks)
          .innerJoin(projects, eq(projects.id, tasks.projectId))
          .where(and(eq(tasks.id, subject.taskId), visibleTo(actor)))
      : await db
          .select({ projectId, clientCollaboration, taskId: sql<null>`null` })
          .from(projects)
          .where(and(eq(projects.id, subject.projectId), visibleTo(actor)));
  return row ?? null;
}

/**
 * Of `files`: they hang on that project itself, or on that task: not on a comment, and not on a request, but for the one that became
 * the task.
 */
export function hangsOn({ projectId, taskId }: { projectId: SQLWrapper; taskId: SQLWrapper | null }): SQL | undefined {
  if (taskId === null)
    return and(sql`${files.projectId} = ${projectId}`, ...[files.taskId, files.commentId, files.requestId].map(isNull));
  const ofRequest = sql`(select ${requests.id} from ${requests} where ${requests.taskId} = ${taskId})`;
  return and(
    sql`${files.projectId} = ${projectId}`,
    isNull(files.commentId),
    sql`(${files.taskId} = ${taskId} or ${files.requestId} in ${ofRequest})`,
  );
}

/** Where the files of a subject are read: of those that the actor is shown. */
interface FilesSight {
  subject: Pick<FilesSubject, "projectId" | "taskId">;
  actor: Pick<Actor, "accountType">;
}

/** Where a file stands among those of its subject. */
export interface FilePosition {
  microseconds: number;
  position: number;
  id: string;
}

/** What hangs on the subject itself, in the order in which it was attached: the newest 500, or those before that one. */
export async function listFiles(
  db: Db,
  { before, ...sight }: FilesSight & { before?: FilePosition | null | undefined },
): Promise<ListedFile[]> {
  const { attachedAt, position, id } = files;
  const instant = sql`(timestamptz 'epoch' + ${before?.microseconds}::bigint * interval '1 microsecond')`;
  const isEarlier = sql`(${attachedAt}, ${position}, ${id}) < (${instant}, ${before?.position}::int, ${before?.id}::uuid)`;
  const newestFirst = await db
    .select({ ...fileColumns, isOfRequest: sql<boolean>`${files.requestId} is not null` })
    .from(files)
    .where(and(isIn(sight), before ? isEarlier : undefined))
    .orderBy(desc(attachedAt), desc(position), desc(id))
    .limit(MAX_LISTED_FILES);
  return newestFirst.reverse();
}

/** The place of a file that a list of the subject holds for the actor, or null. */
export async function findFilePosition(
  db: Db,
  { fileId, ...sight }: FilesSight & { fileId: string },
): Promise<FilePosition | null> {
  const [row] = await db
    .select({ microseconds: microsecondsOf(files.attachedAt), position: files.position, id: files.id })
    .from(files)
    .where(and(isIn(sight), eq(files.id, fileId)));
  return row ?? null;
}

function isIn({ subject: { projectId, taskId }, actor }: FilesSight): SQL | undefined {
  const hangs = hangsOn({ projectId: sql`${projectId}::uuid`, taskId: taskId === null ? null : sql`${taskId}::uuid` });
  return and(hangs, shownTo(actor));
}

/** A file with where its bytes are, and what it hangs on. */
export interface StoredFile extends File {
  hash: string;
  thumbnailHash: string | null;
  /** Belongs to a comment, a request, a message or a person's picture, and goes with that. */
  isPart: boolean;
  /** Of the project that it hangs on; null without one. */
  clientCollaboration: boolean | null;
}

/** A file that the actor may read, or null: not theirs and not there are the same. */
export async function findFile(db: Db | Tx, { id, actor }: { id: string; actor: Actor }): Promise<StoredFile | null> {
  const [row] = await db
    .select({
      ...fileColumns,
      hash: files.hash,
      thumbnailHash: files.thumbnailHash,
      isPart: sql<boolean>`(${files.attachedAt} is not null and (${files.projectId} is null or ${files.commentId} is not null or ${files.requestId} is not null))`,
      clientCollaboration: projects.clientCollaboration,
    })
    .from(files)
    .leftJoin(projects, eq(projects.id, files.projectId))
    .where(and(eq(files.id, id), readableBy(actor)));
  return row ?? null;
}
