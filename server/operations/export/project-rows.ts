import { and, asc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../../db/client";
import { isoInstant, jsonObject } from "../../../db/expressions";
import {
  comments,
  discussions,
  labels,
  messages,
  projectMembers,
  projects,
  requestReplies,
  requests,
  statusUpdates,
  taskAssignees,
  taskLabels,
  tasks,
} from "../../../db/schema";
import type { CreateLabel } from "../../contract/task-labels";
import type { RequestReply } from "../../contract/views";
import { BEFORE_ALL, type Identified, INNER_PAGE, PAGE } from "./paging";

/** Each with the ids of the people on it, by role. */
export function listProjects(tx: Tx) {
  const { id, key, title, description, status, startDate, dueDate, githubRepo, liveLink, projectType } = projects;
  const columns = { id, key, title, description, status, startDate, dueDate, githubRepo, liveLink, projectType };
  const { commitMode, maskedWords, lastTaskNumber } = projects;
  const { clientCollaboration, statusReminder, clientId, createdBy, createdAt, updatedAt } = projects;
  return async (after: Identified | null) => {
    const rows = await tx
      .select({
        ...columns,
        clientCollaboration,
        statusReminder,
        lastTaskNumber,
        commitView: { mode: commitMode, maskedWords },
        clientId,
        createdBy,
        createdAt: isoInstant(createdAt),
        updatedAt: isoInstant(updatedAt),
      })
      .from(projects)
      .where(gt(projects.id, after?.id ?? BEFORE_ALL))
      .orderBy(asc(projects.id))
      .limit(PAGE);
    const ids = rows.map((row) => row.id);
    const members = await tx
      .select()
      .from(projectMembers)
      .where(inArray(projectMembers.projectId, ids))
      .orderBy(asc(projectMembers.position));
    return rows.map((row) => {
      const ofRole = (role: (typeof members)[number]["role"]) =>
        members.filter((one) => one.projectId === row.id && one.role === role).map(({ userId }) => userId);
      return {
        ...row,
        clientPeople: ofRole("client"),
        assignedTo: ofRole("assigned"),
        managers: ofRole("manager"),
      };
    });
  };
}

/** By number, each with its labels and assignees, and its turn in the order that people have put them into, from 1. */
export function listTasks(tx: Tx, projectId: string) {
  const turns = tx
    .select({ id: tasks.id, order: sql<number>`(row_number() over (order by ${tasks.rank}))::int`.as("order") })
    .from(tasks)
    .where(eq(tasks.projectId, projectId))
    .as("turns");
  const { id, number, title, description, status, statusBefore, dueDate, priority, checklist, createdBy } = tasks;
  const { createdAt, completedAt, updatedAt } = tasks;
  const label: SQL<CreateLabel> = jsonObject({ name: labels.name, colour: labels.colour });
  return (after: { number: number } | null) =>
    tx
      .select({
        ...{ id, number, order: turns.order, title, description, status, statusBefore, dueDate, priority, checklist },
        createdBy,
        labels: sql<
          CreateLabel[]
        >`to_json(array(select ${label} from ${labels} join ${taskLabels} on ${eq(taskLabels.labelId, labels.id)}
          where ${eq(taskLabels.taskId, id)} order by lower(${labels.name})))`,
        assignedTo: sql<string[]>`to_json(array(
        select ${taskAssignees.userId} from ${taskAssignees} where ${eq(taskAssignees.taskId, id)} order by 1))`,
        createdAt: isoInstant(createdAt),
        completedAt: isoInstant(completedAt),
        updatedAt: isoInstant(updatedAt),
      })
      .from(tasks)
      .innerJoin(turns, eq(turns.id, id))
      .where(and(eq(tasks.projectId, projectId), gt(number, after?.number ?? 0)))
      .orderBy(asc(number))
      .limit(INNER_PAGE);
}

/** Those of the project itself and of its tasks, by discussion and number. */
export function listComments(tx: Tx, projectId: string) {
  const { id, discussionId, seq, authorId, visibility, text, createdAt, editedAt, deletedAt } = comments;
  return (after: { discussionId: string; seq: number } | null) =>
    tx
      .select({
        ...{ id, discussionId, seq, taskId: discussions.taskId, authorId, visibility, text },
        createdAt: isoInstant(createdAt),
        editedAt: isoInstant(editedAt),
        deletedAt: isoInstant(deletedAt),
      })
      .from(comments)
      .innerJoin(discussions, eq(discussions.id, discussionId))
      .where(
        and(
          eq(discussions.projectId, projectId),
          sql`(${discussionId}, ${seq}) > (${after?.discussionId ?? BEFORE_ALL}::uuid, ${after?.seq ?? 0}::bigint)`,
        ),
      )
      .orderBy(asc(discussionId), asc(seq))
      .limit(INNER_PAGE);
}

/** What was sent, by id. */
export function listStatusUpdates(tx: Tx, projectId: string) {
  const { id, health, text, authorId, sentAt, upTo } = statusUpdates;
  return (after: Identified | null) =>
    tx
      .select({ id, health, text, authorId, sentAt: isoInstant(sentAt), upTo: isoInstant(upTo) })
      .from(statusUpdates)
      .where(and(eq(statusUpdates.projectId, projectId), gt(id, after?.id ?? BEFORE_ALL)))
      .orderBy(asc(id))
      .limit(INNER_PAGE);
}

/** With their threads. `conversationId` is the message's, which has its id below it. */
export function listRequests(tx: Tx, projectId: string) {
  const { id, title, text, urgency, status, createdBy, createdAt, turnSince, decidedBy, decidedAt, reason } = requests;
  const { taskId, duplicateOf, messageId } = requests;
  const reply: SQL<RequestReply & { id: string }> = jsonObject({
    id: requestReplies.id,
    authorId: requestReplies.authorId,
    text: requestReplies.text,
    createdAt: isoInstant(requestReplies.createdAt),
  });
  return (after: Identified | null) =>
    tx
      .select({
        ...{ id, title, text, urgency, status, createdBy, decidedBy, reason, taskId, duplicateOf, messageId },
        conversationId: messages.conversationId,
        createdAt: isoInstant(createdAt),
        turnSince: isoInstant(turnSince),
        decidedAt: isoInstant(decidedAt),
        thread: sql<
          unknown[]
        >`coalesce((select json_agg(${reply} order by ${requestReplies.createdAt}, ${requestReplies.id})
          from ${requestReplies} where ${eq(requestReplies.requestId, id)}), '[]')`,
      })
      .from(requests)
      .leftJoin(messages, eq(messages.id, messageId))
      .where(and(eq(requests.projectId, projectId), gt(id, after?.id ?? BEFORE_ALL)))
      .orderBy(asc(id))
      .limit(INNER_PAGE);
}
