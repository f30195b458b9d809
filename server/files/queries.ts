import { and, asc, eq, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { isoInstant, jsonObject } from "../../db/expressions";
import { files, projects, requests, tasks } from "../../db/schema";
import type { Subject } from "../contract/subjects";
import type { File } from "../contract/views";
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
  return sql`coalesce((select json_agg(${jsonObject(fileColumns)} order by ${files.position}, ${files.id}) from ${files} where ${where}), '[]')`;
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

/** What hangs on the subject itself, in the order in which it was attached. */
export async function listFiles(
  db: Db,
  {
    subject: { projectId, taskId },
    actor,
  }: { subject: Pick<FilesSubject, "projectId" | "taskId">; actor: Pick<Actor, "accountType"> },
): Promise<File[]> {
  return db
    .select(fileColumns)
    .from(files)
    .where(
      and(
        hangsOn({ projectId: sql`${projectId}::uuid`, taskId: taskId === null ? null : sql`${taskId}::uuid` }),
        shownTo(actor),
      ),
    )
    .orderBy(asc(files.attachedAt), asc(files.position), asc(files.id));
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
