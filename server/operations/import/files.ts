import type { Visibility } from "@db/enums";
import { and, asc, eq, gt, sql } from "drizzle-orm";
import { alias, boolean, integer, pgTable, uuid } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../../db/client";
import { comments, discussions, files, messages, projects, requests, tasks, userPhotos } from "../../../db/schema";
import type { Take } from "./fields";
import type { FileTarget, MissingFile } from "./file-target";
import { changed, type Subject, unmatched } from "./notes";
import {
  knownPeople,
  pages,
  stagedComments,
  stagedFiles,
  stagedMessages,
  stagedProjects,
  stagedRequests,
  stagedTasks,
} from "./staging";

/** The staged files that are not there yet, with what they hang on; null for what is not there. */
const missingFiles = pgTable("import_missing_files", {
  place: integer("place").notNull(),
  uploaderId: uuid("uploaderId"),
  projectId: uuid("projectId"),
  /** Of the file itself, or of its comment. */
  taskId: uuid("taskId"),
  commentId: uuid("commentId"),
  requestId: uuid("requestId"),
  messageId: uuid("messageId"),
  photoOf: uuid("photoOf"),
  hasPhoto: boolean("hasPhoto").notNull(),
});

interface Importing {
  /** Who stands for an uploader that nobody knows. */
  firstAdminId: string;
  take: Take;
  /** Null where the source has no bytes. */
  target: FileTarget | null;
  onProgress: (count: number, total: number) => void;
}

/**
 * Brings the staged files in that are not there yet, one after the other. What cannot be brought is noted: that it hangs on nothing
 * that is there, or that its bytes are missing, damaged, too large or too many. Returns how many were brought.
 */
export async function importFiles(db: Db | Tx, { firstAdminId, take, target, onProgress }: Importing): Promise<number> {
  await findMissing(db);
  const total = await db.$count(missingFiles);
  let seen = 0;
  let count = 0;
  const photographed = new Set<string>();
  for await (const page of pages((after, limit) => listMissing(db, { after, limit }))) {
    for (const row of page) {
      seen += 1;
      onProgress(seen, total);
      const subject: Subject = { kind: "file", id: row.fileId };
      const complaint = complaintOf(row, photographed);
      if (complaint) {
        take(unmatched<string>(subject, ...complaint));
        continue;
      }
      const why = target ? await target.bring(fileOf(row, firstAdminId)) : "its bytes are in the zip of an export only";
      if (why !== null) {
        take(unmatched(subject, "path", row.path, why));
        continue;
      }
      if (row.uploaderId === null)
        take(changed(subject, "uploadedBy", { from: row.uploader, to: firstAdminId, why: "nobody has that id" }));
      if (row.photoOf !== null) photographed.add(row.photoOf);
      count += 1;
    }
  }
  return count;
}

/** In one statement: what belongs together is found once, however many there are. */
async function findMissing(db: Db | Tx): Promise<void> {
  const person = alias(knownPeople, "person");
  const { place, projectFileId, taskFileId, commentFileId, requestFileId, conversationFileId, messageFileId } =
    stagedFiles;
  await db.execute(sql`
    create temporary table ${missingFiles} as
    select ${place}, ${knownPeople.userId} as "uploaderId", ${projects.id} as "projectId",
      coalesce(${discussions.taskId}, ${tasks.id}) as "taskId", ${comments.id} as "commentId", ${requests.id} as "requestId",
      ${messages.id} as "messageId",
      ${person.userId} as "photoOf", ${userPhotos.userId} is not null as "hasPhoto"
    from ${stagedFiles}
    left join ${knownPeople} on ${eq(knownPeople.fileId, stagedFiles.uploader)}
    left join ${stagedProjects} on ${eq(stagedProjects.fileId, projectFileId)}
    left join ${projects} on ${eq(projects.id, stagedProjects.id)}
    left join ${stagedTasks} on ${and(eq(stagedTasks.projectFileId, projectFileId), eq(stagedTasks.fileId, taskFileId))}
    left join ${tasks} on ${and(eq(tasks.id, stagedTasks.id), eq(tasks.projectId, projects.id))}
    left join ${stagedComments}
      on ${and(eq(stagedComments.projectFileId, projectFileId), eq(stagedComments.fileId, commentFileId))}
    left join (${comments} join ${discussions} on ${eq(discussions.id, comments.discussionId)})
      on ${and(eq(comments.id, stagedComments.id), eq(discussions.projectId, projects.id))} and ${comments.deletedAt} is null
    left join ${stagedRequests}
      on ${and(eq(stagedRequests.projectFileId, projectFileId), eq(stagedRequests.fileId, requestFileId))}
    left join ${requests} on ${and(eq(requests.id, stagedRequests.id), eq(requests.projectId, projects.id))}
    left join ${stagedMessages}
      on ${and(eq(stagedMessages.conversationFileId, conversationFileId), eq(stagedMessages.fileId, messageFileId))}
    left join ${messages} on ${eq(messages.id, stagedMessages.id)}
    left join ${knownPeople} ${sql.identifier("person")} on ${eq(person.fileId, stagedFiles.photoOfFileId)}
    left join ${userPhotos} on ${eq(userPhotos.userId, person.userId)}
    where not exists (select from ${files} where ${eq(files.id, stagedFiles.id)})`);
}

type Missing = Awaited<ReturnType<typeof listMissing>>[number];

function listMissing(db: Db | Tx, { after, limit }: { after: number; limit: number }) {
  return db
    .select({
      place: missingFiles.place,
      uploaderId: missingFiles.uploaderId,
      projectId: missingFiles.projectId,
      taskId: missingFiles.taskId,
      commentId: missingFiles.commentId,
      requestId: missingFiles.requestId,
      messageId: missingFiles.messageId,
      photoOf: missingFiles.photoOf,
      hasPhoto: missingFiles.hasPhoto,
      /** Of the comment: what hangs on it is for those who see it. */
      commentVisibility: comments.visibility,
      file: stagedFiles,
    })
    .from(missingFiles)
    .innerJoin(stagedFiles, eq(stagedFiles.place, missingFiles.place))
    .leftJoin(comments, eq(comments.id, missingFiles.commentId))
    .where(gt(missingFiles.place, after))
    .orderBy(asc(missingFiles.place))
    .limit(limit)
    .then((rows) => rows.map(({ file, ...row }) => ({ ...file, ...row })));
}

/** Why it can hang nowhere. */
function complaintOf(
  row: Missing,
  photographed: ReadonlySet<string>,
): [field: keyof Missing | "", value: unknown, why: string] | null {
  const { projectId, taskId, commentId, requestId, messageId, photoOf, hasPhoto } = row;
  const { projectFileId, taskFileId, commentFileId, requestFileId, messageFileId, photoOfFileId } = row;
  if (projectFileId !== null && projectId === null) return ["projectId", projectFileId, "that project is not there"];
  if (commentFileId !== null && commentId === null) return ["commentId", commentFileId, "that comment is not there"];
  if (requestFileId !== null && requestId === null) return ["requestId", requestFileId, "that request is not there"];
  if (taskFileId !== null && taskId === null) return ["taskId", taskFileId, "that task is not there"];
  if (messageFileId !== null && messageId === null) return ["messageId", messageFileId, "that message is not there"];
  if (photoOfFileId !== null && photoOf === null) return ["photoOf", photoOfFileId, "nobody has that id"];
  // What is wrong with the file itself comes first: it depends on no other file, and so not on their order.
  const places = [projectId, messageId, photoOf].filter((place) => place !== null);
  if (places.length !== 1) return ["", null, "it has to hang on one thing"];
  if (hasPhoto || (photoOf !== null && photographed.has(photoOf)))
    return ["photoOf", photoOfFileId, "that person has a picture already"];
  return null;
}

function fileOf(row: Missing, firstAdminId: string): MissingFile {
  const { id, path, name, position, uploaderId, projectId, taskId, commentId, requestId, messageId, photoOf } = row;
  const visibility: Visibility | null = projectId === null ? null : (row.commentVisibility ?? row.visibility);
  return {
    ...{ id, path, name, position, projectId, taskId, commentId, requestId, messageId, photoOf, visibility },
    uploaderId: uploaderId ?? firstAdminId,
    createdAt: new Date(row.createdAt),
    attachedAt: new Date(row.attachedAt),
  };
}
