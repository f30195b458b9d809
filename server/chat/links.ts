import { ACCOUNT_TYPES } from "@db/enums";
import { and, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Tx } from "../../db/client";
import { jsonObject, quoted } from "../../db/expressions";
import { conversations, messages, messageTasks, projects, tasks, users } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { MESSAGES } from "../contract/messages";
import type { MessageChip } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { type Involvement, involvingPerson, isVisibleTo } from "../projects/policy";
import { involvementColumns } from "../projects/queries";
import { conversationNotification } from "../realtime/notify";

/*
 * Messages that became tasks. Each link has the number of its newest change in its conversation, which streams compare: taken under the
 * conversation's row lock, so that numbers commit in their order. Whoever holds a project's row takes conversations after it.
 */

/** The task that a message became, with what decides who sees it. */
export interface MessageLink {
  taskId: string;
  number: number;
  projectKey: string;
  status: MessageChip["status"];
  involvement: Involvement;
}

/** A change of a link; null once the task is gone. */
export interface LinkChange {
  messageId: string;
  seq: number;
  lastChange: number;
  link: MessageLink | null;
}

/** Null for whoever may not see the project. */
export function showChip(
  { taskId, number, projectKey, status, involvement }: MessageLink,
  viewer: Actor,
): MessageChip | null {
  return isVisibleTo(viewer, involvement) ? { taskId, key: `${projectKey}-${number}`, status } : null;
}

const storedLink: SQL<MessageLink> = jsonObject({
  taskId: tasks.id,
  number: tasks.number,
  projectKey: projects.key,
  status: tasks.status,
  involvement: jsonObject(involvementColumns),
});

/** The link of a row of `message_tasks`, or null. */
export function linkJson(where: SQL): SQL<MessageLink | null> {
  return sql<MessageLink | null>`(select ${storedLink} from ${messageTasks} join ${tasks} on ${eq(tasks.id, messageTasks.taskId)}
    join ${projects} on ${eq(projects.id, tasks.projectId)} where ${where})`;
}

/** The columns of a `LinkChange`, of a query over `message_tasks`. */
export const linkChangeColumns = {
  messageId: messageTasks.messageId,
  seq: sql<number>`(select ${messages.seq} from ${messages} where ${eq(messages.id, messageTasks.messageId)})`,
  lastChange: messageTasks.lastChange,
  link: sql<MessageLink | null>`(select ${storedLink} from ${tasks} join ${projects} on ${eq(projects.id, tasks.projectId)}
    where ${eq(tasks.id, messageTasks.taskId)})`,
};

interface Link {
  messageId: string;
  taskId: string;
  by: Pick<Actor, "id">;
}

/**
 * Says that a message became a task, in the transaction that makes the task. A message becomes one task, and another one only once
 * that is gone: returns whether it did. NOT_FOUND for an unknown message.
 */
export async function linkMessage(tx: Tx, { messageId, taskId, by }: Link): Promise<boolean> {
  const conversationOf = sql`(select ${messages.conversationId} from ${messages} where ${eq(messages.id, messageId)})`;
  const [counted] = await tx
    .update(conversations)
    .set({ lastLinkChange: sql`${conversations.lastLinkChange} + 1` })
    .where(sql`${conversations.id} = ${conversationOf}`)
    .returning({ conversationId: conversations.id, lastChange: conversations.lastLinkChange });
  if (!counted) throw new DomainError("NOT_FOUND", MESSAGES.chat.messageNotFound);
  const { conversationId, lastChange } = counted;
  const [linked] = await tx
    .insert(messageTasks)
    .values({ messageId, conversationId, taskId, createdBy: by.id, lastChange })
    .onConflictDoUpdate({
      target: messageTasks.messageId,
      set: { taskId, createdBy: by.id, createdAt: sql`now()`, lastChange },
      setWhere: isNull(messageTasks.taskId),
    })
    .returning({ messageId: messageTasks.messageId });
  if (!linked) return false;
  await tx
    .select({ notified: conversationNotification(tx, conversations) })
    .from(conversations)
    .where(eq(conversations.id, conversationId));
  return true;
}

/**
 * Tells the conversations whose messages became a task, or a task of a project, that it has changed or is about to be deleted, or that
 * others see it. Returns whether there are any: mostly there are none, and then it has cost one look into an index.
 */
export async function touchLinks(tx: Tx, of: { taskId: string } | { projectId: string }): Promise<boolean> {
  const ofProject = (projectId: string) =>
    inArray(messageTasks.taskId, tx.select({ id: tasks.id }).from(tasks).where(eq(tasks.projectId, projectId)));
  const touched = "taskId" in of ? eq(messageTasks.taskId, of.taskId) : ofProject(of.projectId);
  // In the order of their ids, so that two of these never wait for each other.
  const locked = tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(inArray(conversations.id, tx.select({ id: messageTasks.conversationId }).from(messageTasks).where(touched)))
    .orderBy(conversations.id)
    .for("no key update");
  const columns = {
    id: conversations.id,
    lowerUserId: conversations.lowerUserId,
    higherUserId: conversations.higherUserId,
    coverUserId: conversations.coverUserId,
    lastChange: conversations.lastLinkChange,
  };
  const counted = tx.$with("counted", columns).as(
    tx
      .update(conversations)
      .set({ lastLinkChange: sql`${conversations.lastLinkChange} + 1` })
      .where(inArray(conversations.id, locked))
      .returning(columns)
      .getSQL(),
  );
  const changed = tx.$with("changed", {}).as(
    tx
      .update(messageTasks)
      .set(columnsOf(messageTasks, { lastChange: sql`${counted.lastChange}` }))
      .from(counted)
      .where(and(eq(messageTasks.conversationId, counted.id), touched))
      .getSQL(),
  );
  const rows = await tx
    .with(counted, changed)
    .select({ notified: conversationNotification(tx, counted) })
    .from(counted);
  return rows.length > 0;
}

/**
 * Tells the client in the conversation that the task of a message is completed: once for each message, where the client sees the project.
 * A line of the conversation, as from its admin, that waits for nobody to read it.
 */
export async function announceCompletion(tx: Tx, { taskId }: { taskId: string }): Promise<void> {
  const client = alias(users, "client");
  const due = await tx
    .select({
      messageId: messageTasks.messageId,
      conversationId: messageTasks.conversationId,
      senderId: sql<string>`case when ${conversations.lowerUserId} = ${client.id} then ${conversations.higherUserId} else ${conversations.lowerUserId} end`,
      key: projects.key,
      number: tasks.number,
      title: tasks.title,
    })
    .from(messageTasks)
    .innerJoin(tasks, eq(tasks.id, messageTasks.taskId))
    .innerJoin(projects, eq(projects.id, tasks.projectId))
    .innerJoin(conversations, eq(conversations.id, messageTasks.conversationId))
    .innerJoin(
      client,
      and(
        or(eq(client.id, conversations.lowerUserId), eq(client.id, conversations.higherUserId)),
        eq(client.accountType, quoted(ACCOUNT_TYPES, "client")),
      ),
    )
    .where(and(eq(messageTasks.taskId, taskId), isNull(messageTasks.announcedAt), involvingPerson(client)))
    .orderBy(messageTasks.conversationId, messageTasks.messageId);
  for (const { messageId, conversationId, senderId, key, number, title } of due) {
    await tx.update(messageTasks).set({ announcedAt: sql`now()` }).where(eq(messageTasks.messageId, messageId));
    const text = MESSAGES.chat.taskCompleted(`${key}-${number}`, title);
    await insertSystemLine(tx, { conversationId, senderId, text });
  }
}

async function insertSystemLine(
  tx: Tx,
  { conversationId, senderId, text }: { conversationId: string; senderId: string; text: string },
): Promise<void> {
  const [counted] = await tx
    .update(conversations)
    .set({
      lastSeq: sql`${conversations.lastSeq} + 1`,
      updatedAt: sql`greatest(clock_timestamp(), ${conversations.updatedAt})`,
    })
    .where(eq(conversations.id, conversationId))
    .returning({ seq: conversations.lastSeq, createdAt: conversations.updatedAt });
  if (!counted) return;
  const { seq, createdAt } = counted;
  const clientMessageId = crypto.randomUUID();
  await tx.insert(messages).values({ conversationId, seq, senderId, clientMessageId, kind: "system", text, createdAt });
  await tx
    .select({ notified: conversationNotification(tx, conversations) })
    .from(conversations)
    .where(eq(conversations.id, conversationId));
}
