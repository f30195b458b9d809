import { and, eq } from "drizzle-orm";
import type { Db } from "../../db/client";
import { conversations, files, messages } from "../../db/schema";
import type { ToTask } from "../contract/chat";
import { MESSAGES } from "../contract/messages";
import type { Task } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { filesJson } from "../files/queries";
import { createTaskIn } from "../tasks/mutations";
import { linkMessage } from "./links";
import { participating } from "./policy";

/**
 * Makes a message of somebody's conversation a task of a project that they may see: its text becomes the description, and both are
 * linked. Not theirs, either of them: NOT_FOUND. A line of the server, or a message that is a task already: CONFLICT.
 */
export async function makeTaskOfMessage(
  db: Db,
  { messageId, projectId, title, by }: ToTask & { by: Actor },
): Promise<Task> {
  return db.transaction(async (tx) => {
    const [message] = await tx
      .select({
        text: messages.text,
        kind: messages.kind,
        files: filesJson(eq(files.messageId, messages.id)),
      })
      .from(messages)
      .innerJoin(conversations, eq(conversations.id, messages.conversationId))
      .where(and(eq(messages.id, messageId), participating(by)));
    if (!message) throw new DomainError("NOT_FOUND", MESSAGES.chat.messageNotFound);
    if (message.kind !== "text") throw new DomainError("CONFLICT", MESSAGES.chat.notAnyonesMessage);
    const task = await createTaskIn(tx, { projectId, title, description: message.text, by });
    const isLinked = await linkMessage(tx, { messageId, taskId: task.id, by });
    if (!isLinked) throw new DomainError("CONFLICT", MESSAGES.chat.alreadyTask, { reason: "already-linked" });
    return task;
  });
}
