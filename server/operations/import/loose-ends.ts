import { and, asc, eq, gt, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/client";
import { conversations } from "../../../db/schema";
import type { Take } from "./fields";
import { mayHaveWritten } from "./messages";
import { changed, type ImportKind, unmatched } from "./notes";
import {
  knownConversations,
  knownPeople,
  pages,
  stagedComments,
  stagedConversations,
  stagedFiles,
  stagedMessages,
  stagedPeople,
  stagedProjects,
  stagedRequests,
  stagedSignOffs,
  stagedStatusUpdates,
  stagedTasks,
  stagedTemplates,
} from "./staging";

/** Leaves one staged row of each id: the first. */
export async function dropDoubles(db: Db, take: Take): Promise<void> {
  const tables = [
    ["user", stagedPeople, stagedPeople.fileId],
    ["project", stagedProjects, stagedProjects.fileId],
    ["task", stagedTasks, sql<string>`${stagedTasks.projectFileId} || '/' || ${stagedTasks.fileId}`],
    ["comment", stagedComments, sql<string>`${stagedComments.projectFileId} || '/' || ${stagedComments.fileId}`],
    ["template", stagedTemplates, stagedTemplates.fileId],
    [
      "status update",
      stagedStatusUpdates,
      sql<string>`${stagedStatusUpdates.projectFileId} || '/' || ${stagedStatusUpdates.fileId}`,
    ],
    ["request", stagedRequests, sql<string>`${stagedRequests.projectFileId} || '/' || ${stagedRequests.fileId}`],
    ["sign-off", stagedSignOffs, stagedSignOffs.fileId],
    ["conversation", stagedConversations, stagedConversations.fileId],
    ["message", stagedMessages, sql<string>`${stagedMessages.conversationFileId} || '/' || ${stagedMessages.fileId}`],
    ["file", stagedFiles, stagedFiles.fileId],
  ] as const satisfies [ImportKind, unknown, unknown][];
  for (const [kind, table, subjectId] of tables) {
    const places = sql`select place from (
      select ${table.place}, row_number() over (partition by ${table.id} order by ${table.place}) as turn from ${table}
    ) as numbered where turn > 1`;
    const dropped = await db
      .delete(table)
      .where(sql`${table.place} in (${places})`)
      .returning({ subjectId: sql<string>`${subjectId}` });
    for (const { subjectId: id } of dropped)
      take(unmatched({ kind, id }, "id", id, "another one in the file has that id"));
  }
}

/** Notes whom and what tasks name that is not there. */
export async function noteLooseTasks(
  db: Db | Tx,
  { firstAdminId, take }: { firstAdminId: string; take: Take },
): Promise<void> {
  const strangers = db
    .select({ place: stagedTasks.place, ids: sql<string[]>`json_agg(assigned.file_id)`.as("ids") })
    .from(stagedTasks)
    .crossJoin(sql`jsonb_array_elements_text(${stagedTasks.assignedTo}) as assigned(file_id)`)
    .leftJoin(knownPeople, sql`${knownPeople.fileId} = assigned.file_id`)
    .where(isNull(knownPeople.fileId))
    .groupBy(stagedTasks.place)
    .as("strangers");
  const row = {
    place: stagedTasks.place,
    project: stagedTasks.projectFileId,
    fileId: stagedTasks.fileId,
    createdBy: stagedTasks.createdBy,
    isOrphan: sql<boolean>`${stagedProjects.fileId} is null`,
    hasCreator: sql<boolean>`${knownPeople.userId} is not null`,
    strangers: sql<string[]>`coalesce(${strangers.ids}, '[]')`,
  };
  const isLoose = or(isNull(stagedProjects.fileId), isNull(knownPeople.userId), isNotNull(strangers.place));
  const read = (after: number, limit: number) =>
    db
      .select(row)
      .from(stagedTasks)
      .leftJoin(stagedProjects, eq(stagedProjects.fileId, stagedTasks.projectFileId))
      .leftJoin(knownPeople, eq(knownPeople.fileId, stagedTasks.createdBy))
      .leftJoin(strangers, eq(strangers.place, stagedTasks.place))
      .where(and(isLoose, gt(stagedTasks.place, after)))
      .orderBy(asc(stagedTasks.place))
      .limit(limit);
  for await (const page of pages(read)) {
    for (const task of page) {
      const subject = { kind: "task", id: `${task.project}/${task.fileId}` } as const;
      if (task.isOrphan) {
        take(unmatched(subject, "project", task.project, "that project is not there"));
        continue;
      }
      const why = "nobody has that id";
      if (!task.hasCreator)
        take(
          changed(subject, "createdBy" satisfies keyof typeof task, { from: task.createdBy, to: firstAdminId, why }),
        );
      for (const id of task.strangers) take(unmatched(subject, "assignedTo", id, why));
    }
  }
}

/** Notes the messages that belong to nobody of their conversation, and those that begin it without a time. */
export async function noteLooseMessages(
  db: Db | Tx,
  { isOwnExport, take }: { isOwnExport: boolean; take: Take },
): Promise<void> {
  const hasWritten = mayHaveWritten({ isOwnExport });
  const isLoose = or(isNull(stagedMessages.at), isNull(knownPeople.userId), sql`not ${hasWritten}`);
  const read = (after: number, limit: number) =>
    db
      .select({
        place: stagedMessages.place,
        conversation: stagedMessages.conversationFileId,
        fileId: stagedMessages.fileId,
        sender: stagedMessages.sender,
        at: stagedMessages.at,
        begunAt: knownConversations.begunAt,
        isOfPair: sql<boolean>`coalesce(${hasWritten}, false)`,
      })
      .from(stagedMessages)
      .innerJoin(knownConversations, eq(knownConversations.fileId, stagedMessages.conversationFileId))
      .innerJoin(conversations, eq(conversations.id, knownConversations.conversationId))
      .leftJoin(knownPeople, eq(knownPeople.fileId, stagedMessages.sender))
      .where(and(isLoose, gt(stagedMessages.place, after)))
      .orderBy(asc(stagedMessages.place))
      .limit(limit);
  for await (const page of pages(read)) {
    for (const { conversation, fileId, sender, at, begunAt, isOfPair } of page) {
      const subject = { kind: "message", id: `${conversation}/${fileId}` } as const;
      if (!isOfPair) take(unmatched(subject, "senderId", sender, "that is none of the two who write there"));
      else if (at === null) {
        const to = new Date(begunAt).toISOString();
        take(changed(subject, "timestamp", { from: null, to, why: "it had none and begins its conversation" }));
      }
    }
  }
  await noteOrphans(db, take);
}

async function noteOrphans(db: Db | Tx, take: Take): Promise<void> {
  const rows = await db
    .select({ conversation: stagedMessages.conversationFileId, count: sql<number>`count(*)::int` })
    .from(stagedMessages)
    .where(
      sql`not exists (select from ${stagedConversations} where ${eq(stagedConversations.fileId, stagedMessages.conversationFileId)})`,
    )
    .groupBy(stagedMessages.conversationFileId)
    .orderBy(stagedMessages.conversationFileId);
  for (const { conversation, count } of rows) {
    const note = unmatched(
      { kind: "conversation", id: conversation },
      "messages",
      count,
      "the conversation is not there",
    );
    take({ ...note, messages: count });
  }
}
