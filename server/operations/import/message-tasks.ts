import { and, asc, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/client";
import { conversations, messages, messageTasks, projects, tasks } from "../../../db/schema";
import { rowsOf } from "../../../db/writes";
import type { Take } from "./fields";
import { unmatched } from "./notes";
import type { People } from "./people";
import { pages, stagedMessages, stagedProjects, stagedTasks } from "./staging";

/** Says of imported messages which tasks they became; a task that is not there is noted. Those that are some task's already stay so. */
export async function importMessageTasks(
  db: Db | Tx,
  { people, firstAdminId, take }: { people: People; firstAdminId: string; take: Take },
): Promise<void> {
  for await (const page of pages((after, limit) => linkedMessages(db, { after, limit }))) {
    const rows = page.flatMap(({ messageId, conversationId, taskId, ...staged }) => {
      if (messageId === null || conversationId === null) return [];
      if (taskId === null) {
        const subject = { kind: "message", id: `${staged.conversation}/${staged.fileId}` } as const;
        take(unmatched(subject, "task", staged.taskFileId, "that task is not there"));
        return [];
      }
      const createdBy = (staged.linkedBy && people.byFileId.get(staged.linkedBy)?.userId) || firstAdminId;
      const createdAt = staged.linkedAt === null ? new Date() : new Date(staged.linkedAt);
      const announcedAt = staged.announcedAt === null ? null : new Date(staged.announcedAt);
      return [{ messageId, conversationId, taskId, createdBy, createdAt, announcedAt }];
    });
    await db.transaction(async (tx) => {
      for (const row of rows) await link(tx, row);
    });
  }
}

function linkedMessages(db: Db | Tx, { after, limit }: { after: number; limit: number }) {
  const { place, fileId, taskFileId, projectFileId, linkedBy, linkedAt, announcedAt } = stagedMessages;
  return db
    .select({
      ...{ place, fileId, taskFileId, linkedBy, linkedAt, announcedAt },
      conversation: stagedMessages.conversationFileId,
      messageId: messages.id,
      conversationId: messages.conversationId,
      taskId: tasks.id,
    })
    .from(stagedMessages)
    .leftJoin(messages, eq(messages.id, stagedMessages.id))
    .leftJoin(stagedProjects, eq(stagedProjects.fileId, projectFileId))
    .leftJoin(projects, eq(projects.id, stagedProjects.id))
    .leftJoin(stagedTasks, and(eq(stagedTasks.projectFileId, projectFileId), eq(stagedTasks.fileId, taskFileId)))
    .leftJoin(tasks, and(eq(tasks.id, stagedTasks.id), eq(tasks.projectId, projects.id)))
    .where(and(isNotNull(taskFileId), gt(place, after)))
    .orderBy(asc(place))
    .limit(limit);
}

type Link = Omit<typeof messageTasks.$inferInsert, "lastChange"> & { conversationId: string };

/** Counted as every change of a link is: streams compare the number. */
async function link(tx: Tx, row: Link): Promise<void> {
  const [known] = await tx.select().from(messageTasks).where(eq(messageTasks.messageId, row.messageId));
  if (known) return;
  const [counted] = await tx
    .update(conversations)
    .set({ lastLinkChange: sql`${conversations.lastLinkChange} + 1` })
    .where(eq(conversations.id, row.conversationId))
    .returning({ lastChange: conversations.lastLinkChange });
  if (!counted) return;
  await tx.insert(messageTasks).values(rowsOf(messageTasks, [{ ...row, ...counted }]));
}
