import { and, asc, eq, gt, inArray, isNotNull, sql } from "drizzle-orm";
import type { Tx } from "../../../db/client";
import { isoInstant } from "../../../db/expressions";
import {
  comments,
  conversations,
  discussions,
  files,
  labels,
  messages,
  projectMembers,
  projects,
  projectTemplates,
  statusUpdates,
  taskAssignees,
  taskLabels,
  tasks,
  userPhotos,
  users,
} from "../../../db/schema";
import type { CreateLabel } from "../../contract/task-labels";
import { templateContentSchema } from "../../contract/templates";
import { nameOf } from "../../files/store";
import { fileEntry } from "../backup/manifest";

const PAGE = 200;
const INNER_PAGE = 1_000;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/**
 * `sangam.json` of an export (contract.md, "Import file"): people, projects with their tasks, comments and status updates, templates, conversations with their messages, and
 * what the uploaded files are, by their ids. Of any size: it is read and written in pieces. `between` is asked before each.
 */
export async function* documentOf(tx: Tx, between: () => Promise<unknown>): AsyncGenerator<string> {
  yield '{\n"users": {';
  yield* listed(pagesOf(listUsers(tx), between), (user) => [user.id, JSON.stringify(user)]);
  yield '\n},\n"projects": {';
  yield* nested(pagesOf(listProjects(tx), between), {
    tasks: (project) => pagesOf(listTasks(tx, project.id), between),
    comments: (project) => pagesOf(listComments(tx, project.id), between),
    statusUpdates: (project) => pagesOf(listStatusUpdates(tx, project.id), between),
  });
  yield '\n},\n"templates": {';
  yield* listed(pagesOf(listTemplates(tx), between), (template) => [template.id, JSON.stringify(template)]);
  yield '\n},\n"conversations": {';
  yield* nested(pagesOf(listConversations(tx), between), {
    messages: (conversation) => pagesOf(listMessages(tx, conversation), between),
  });
  yield '\n},\n"files": {';
  yield* listed(pagesOf(listFiles(tx), between), (file) => [file.id, JSON.stringify(file)]);
  yield "\n}\n}\n";
}

interface Identified {
  id: string;
}

/** Page after page, each after the last row of the one before. */
async function* pagesOf<Row extends Identified>(
  read: (after: Row | null) => PromiseLike<Row[]>,
  between: () => Promise<unknown>,
): AsyncGenerator<Row[]> {
  for (let last: Row | null = null; ; ) {
    await between();
    const page: Row[] = await read(last);
    last = page.at(-1) ?? null;
    if (last === null) return;
    yield page;
  }
}

async function* listed<Row>(
  pages: AsyncIterable<Row[]>,
  entryOf: (row: Row) => [id: string, json: string],
): AsyncGenerator<string> {
  let separator = "\n";
  for await (const page of pages) {
    yield page
      .map((row) => {
        const [id, json] = entryOf(row);
        const text = `${separator}${JSON.stringify(id)}: ${json}`;
        separator = ",\n";
        return text;
      })
      .join("");
  }
}

/** Rows with rows of their own, below each name of `below`. */
async function* nested<Row extends Identified>(
  pages: AsyncIterable<Row[]>,
  below: Record<string, (row: Row) => AsyncIterable<Identified[]>>,
): AsyncGenerator<string> {
  let separator = "\n";
  for await (const page of pages) {
    for (const row of page) {
      // Open at its end: what belongs to it follows.
      yield `${separator}${JSON.stringify(row.id)}: ${JSON.stringify(row).slice(0, -1)}`;
      for (const [name, innerPages] of Object.entries(below)) {
        yield `,"${name}":{`;
        yield* listed(innerPages(row), (inner) => [inner.id, JSON.stringify(inner)]);
        yield "}";
      }
      yield "}";
      separator = ",\n";
    }
  }
}

function listUsers(tx: Tx) {
  const { id, name, displayName, username, email, mobile, age, address, profileImgLink, agreeToTerms } = users;
  const { accountType, accountStatus, accessLevel, createdAt } = users;
  const columns = { id, name, displayName, username, email, mobile, age, address, profileImgLink, agreeToTerms };
  return (after: Identified | null) =>
    tx
      .select({ ...columns, accountType, accountStatus, accessLevel, createdAt: isoInstant(createdAt) })
      .from(users)
      .where(gt(users.id, after?.id ?? BEFORE_ALL))
      .orderBy(asc(users.id))
      .limit(PAGE);
}

function listProjects(tx: Tx) {
  const { id, key, title, description, status, startDate, dueDate, githubRepo, liveLink, projectType } = projects;
  const columns = { id, key, title, description, status, startDate, dueDate, githubRepo, liveLink, projectType };
  const { clientCollaboration, statusReminder, clientId, createdBy, createdAt, updatedAt } = projects;
  return async (after: Identified | null) => {
    const rows = await tx
      .select({
        ...columns,
        clientCollaboration,
        statusReminder,
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

function listTasks(tx: Tx, projectId: string) {
  const { id, number, title, description, status, dueDate, priority, checklist, createdBy, createdAt, completedAt } =
    tasks;
  const label = sql`json_build_object('name', ${labels.name}, 'colour', ${labels.colour})`;
  return (after: { number: number } | null) =>
    tx
      .select({
        ...{ id, number, title, description, status, dueDate, priority, checklist, createdBy },
        labels: sql<
          CreateLabel[]
        >`to_json(array(select ${label} from ${labels} join ${taskLabels} on ${eq(taskLabels.labelId, labels.id)}
          where ${eq(taskLabels.taskId, id)} order by lower(${labels.name})))`,
        assignedTo: sql<string[]>`to_json(array(
        select ${taskAssignees.userId} from ${taskAssignees} where ${eq(taskAssignees.taskId, id)} order by 1))`,
        createdAt: isoInstant(createdAt),
        completedAt: isoInstant(completedAt),
      })
      .from(tasks)
      .where(and(eq(tasks.projectId, projectId), gt(number, after?.number ?? 0)))
      .orderBy(asc(number))
      .limit(INNER_PAGE);
}

/** Those of the project itself and of its tasks, by discussion and number. */
function listComments(tx: Tx, projectId: string) {
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

function listStatusUpdates(tx: Tx, projectId: string) {
  const { id, health, text, authorId, sentAt } = statusUpdates;
  return (after: Identified | null) =>
    tx
      .select({ id, health, text, authorId, sentAt: isoInstant(sentAt) })
      .from(statusUpdates)
      .where(and(eq(statusUpdates.projectId, projectId), gt(id, after?.id ?? BEFORE_ALL)))
      .orderBy(asc(id))
      .limit(INNER_PAGE);
}

/** Labels by name, as those of tasks are; one that is gone is on none. */
function listTemplates(tx: Tx) {
  const { id, title, content, createdBy, createdAt } = projectTemplates;
  return async (after: Identified | null) => {
    const rows = await tx
      .select({ id, title, content, createdBy, createdAt: isoInstant(createdAt) })
      .from(projectTemplates)
      .where(gt(id, after?.id ?? BEFORE_ALL))
      .orderBy(asc(id))
      .limit(PAGE);
    const { name, colour } = labels;
    const known = await tx.select({ id: labels.id, label: { name, colour } }).from(labels);
    const labelOf = new Map(known.map((row) => [row.id, row.label]));
    return rows.map(({ content: stored, ...row }) => {
      const { tasks: held, ...rest } = templateContentSchema.parse(stored);
      const named = held.map(({ labelIds, ...task }) => ({
        ...task,
        labels: labelIds.flatMap((labelId) => labelOf.get(labelId) ?? []),
      }));
      return { ...row, ...rest, tasks: named };
    });
  };
}

function listConversations(tx: Tx) {
  const { id, lowerUserId, higherUserId, lowerReadSeq, higherReadSeq, createdAt } = conversations;
  return async (after: Identified | null) => {
    const rows = await tx
      .select({ id, lowerUserId, higherUserId, lowerReadSeq, higherReadSeq, createdAt: isoInstant(createdAt) })
      .from(conversations)
      .where(gt(id, after?.id ?? BEFORE_ALL))
      .orderBy(asc(id))
      .limit(PAGE);
    return rows.map(({ lowerUserId: lower, higherUserId: higher, ...row }) => ({
      ...row,
      participants: [lower, higher],
    }));
  };
}

type ExportedConversation = Awaited<ReturnType<ReturnType<typeof listConversations>>>[number];

function listMessages(tx: Tx, conversation: ExportedConversation) {
  const { id, seq, senderId, text, createdAt } = messages;
  const [lower] = conversation.participants;
  return async (after: { seq: number } | null) => {
    const rows = await tx
      .select({ id, seq, senderId, text, timestamp: isoInstant(createdAt) })
      .from(messages)
      .where(and(eq(messages.conversationId, conversation.id), gt(seq, after?.seq ?? 0)))
      .orderBy(asc(seq))
      .limit(INNER_PAGE);
    return rows.map((row) => {
      const readSeq = row.senderId === lower ? conversation.higherReadSeq : conversation.lowerReadSeq;
      return { ...row, read: row.seq <= readSeq };
    });
  };
}

/** What hangs on something, or is the picture of a person; `path` is where the bytes are in the zip. */
function listFiles(tx: Tx) {
  const { id, hash, name, type, size, visibility, uploadedBy, createdAt, attachedAt, position } = files;
  const { projectId, taskId, commentId, messageId } = files;
  return async (after: Identified | null) => {
    const rows = await tx
      .select({
        ...{ id, hash, name, type, size, visibility, uploadedBy, position, projectId, taskId, commentId, messageId },
        conversationId: messages.conversationId,
        photoOf: userPhotos.userId,
        createdAt: isoInstant(createdAt),
        attachedAt: isoInstant(attachedAt),
      })
      .from(files)
      .leftJoin(messages, eq(messages.id, messageId))
      .leftJoin(userPhotos, eq(userPhotos.fileId, id))
      .where(and(gt(id, after?.id ?? BEFORE_ALL), isNotNull(attachedAt)))
      .orderBy(asc(id))
      .limit(INNER_PAGE);
    return rows.map(({ hash: named, ...row }) => ({ ...row, path: fileEntry(nameOf(named)) }));
  };
}
