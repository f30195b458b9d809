import { and, asc, eq, gt, isNotNull } from "drizzle-orm";
import type { Tx } from "../../../db/client";
import { isoInstant } from "../../../db/expressions";
import {
  conversationSettlements,
  conversations,
  files,
  messages,
  messageTasks,
  signOffs,
  tasks,
  userPhotos,
  users,
} from "../../../db/schema";
import { nameOf } from "../../files/store";
import { storedRecord } from "../../sign-offs/queries";
import { fileEntry } from "../backup/manifest";
import { GENERATOR } from "../import/document";
import { BEFORE_ALL, type Identified, INNER_PAGE, PAGE } from "./paging";
import { listComments, listProjects, listRequests, listStatusUpdates, listTasks } from "./project-rows";
import { listTemplates } from "./templates";

/**
 * `sangam.json` of an export (contract.md, "Import file"): people, projects with their tasks, comments, status updates and requests, templates,
 * conversations with their messages, sign-offs, which outlive their projects, and what the uploaded files are, by their ids. Of any size: it is
 * read and written in pieces. `between` is asked before each.
 */
export async function* documentOf(tx: Tx, between: () => Promise<unknown>): AsyncGenerator<string> {
  yield `{\n"generator": ${JSON.stringify(GENERATOR)},\n"users": {`;
  yield* listed(pagesOf(listUsers(tx), between), (user) => [user.id, JSON.stringify(user)]);
  yield '\n},\n"projects": {';
  yield* nested(pagesOf(listProjects(tx), between), {
    tasks: (project) => pagesOf(listTasks(tx, project.id), between),
    comments: (project) => pagesOf(listComments(tx, project.id), between),
    statusUpdates: (project) => pagesOf(listStatusUpdates(tx, project.id), between),
    requests: (project) => pagesOf(listRequests(tx, project.id), between),
  });
  yield '\n},\n"templates": {';
  yield* listed(pagesOf(listTemplates(tx), between), (template) => [template.id, JSON.stringify(template)]);
  yield '\n},\n"conversations": {';
  yield* nested(pagesOf(listConversations(tx), between), {
    messages: (conversation) => pagesOf(listMessages(tx, conversation), between),
  });
  yield '\n},\n"signOffs": {';
  yield* listed(pagesOf(listSignOffs(tx), between), (signOff) => [signOff.id, JSON.stringify(signOff)]);
  yield '\n},\n"files": {';
  yield* listed(pagesOf(listFiles(tx), between), (file) => [file.id, JSON.stringify(file)]);
  yield "\n}\n}\n";
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
  const { accountType, accountStatus, accessLevel, createdAt, erasedAt } = users;
  const columns = { id, name, displayName, username, email, mobile, age, address, profileImgLink, agreeToTerms };
  return (after: Identified | null) =>
    tx
      .select({
        ...{ ...columns, accountType, accountStatus, accessLevel },
        createdAt: isoInstant(createdAt),
        erasedAt: isoInstant(erasedAt),
      })
      .from(users)
      .where(gt(users.id, after?.id ?? BEFORE_ALL))
      .orderBy(asc(users.id))
      .limit(PAGE);
}

function listConversations(tx: Tx) {
  const { id, lowerUserId, higherUserId, lowerReadSeq, higherReadSeq, createdAt } = conversations;
  const { coveredUserId, coverUserId, coverUntil } = conversations;
  return async (after: Identified | null) => {
    const rows = await tx
      .select({
        ...{ id, lowerUserId, higherUserId, lowerReadSeq, higherReadSeq },
        ...{ coveredUserId, coverUserId, coverUntil: isoInstant(coverUntil) },
        createdAt: isoInstant(createdAt),
      })
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

/** `task`: the one that it became, by its project. `settled`: who said that nothing up to it needs a reply. */
function listMessages(tx: Tx, conversation: ExportedConversation) {
  const { id, seq, senderId, kind, text, createdAt } = messages;
  const [lower, higher] = conversation.participants;
  const isOfLower = (sender: string) => sender === lower || (sender !== higher && conversation.coveredUserId === lower);
  return async (after: { seq: number } | null) => {
    const rows = await tx
      .select({
        ...{ id, seq, senderId, kind, text },
        timestamp: isoInstant(createdAt),
        taskId: messageTasks.taskId,
        projectId: tasks.projectId,
        linkedBy: messageTasks.createdBy,
        linkedAt: isoInstant(messageTasks.createdAt),
        announcedAt: isoInstant(messageTasks.announcedAt),
        settledBy: conversationSettlements.settledBy,
        settledAt: isoInstant(conversationSettlements.settledAt),
      })
      .from(messages)
      .leftJoin(messageTasks, eq(messageTasks.messageId, id))
      .leftJoin(tasks, eq(tasks.id, messageTasks.taskId))
      .leftJoin(
        conversationSettlements,
        and(
          eq(conversationSettlements.conversationId, messages.conversationId),
          eq(conversationSettlements.upToSeq, seq),
        ),
      )
      .where(and(eq(messages.conversationId, conversation.id), gt(seq, after?.seq ?? 0)))
      .orderBy(asc(seq))
      .limit(INNER_PAGE);
    return rows.map(({ taskId, projectId, linkedBy, linkedAt, announcedAt, settledBy, settledAt, ...row }) => {
      const readSeq = isOfLower(row.senderId) ? conversation.higherReadSeq : conversation.lowerReadSeq;
      const task =
        taskId &&
        ({ projectId, taskId, createdBy: linkedBy, createdAt: linkedAt, announcedAt } satisfies Partial<
          Record<keyof typeof messageTasks.$inferSelect | "projectId", unknown>
        >);
      return {
        ...row,
        read: row.seq <= readSeq,
        ...(task && { task }),
        ...(settledBy && { settled: { settledBy, settledAt } }),
      };
    });
  };
}

/** With their records as they are stored, whose keys stand in the order of the schema. */
function listSignOffs(tx: Tx) {
  const { id, projectId, taskIds, signerId, note, status, record, askedBy, askedAt, decidedBy, decidedAt, reason } =
    signOffs;
  const { commitModeAtDeletion } = signOffs;
  return async (after: Identified | null) => {
    const rows = await tx
      .select({
        ...{ id, projectId, taskIds, signerId, note, status, askedBy, decidedBy, reason, record, commitModeAtDeletion },
        askedAt: isoInstant(askedAt),
        decidedAt: isoInstant(decidedAt),
      })
      .from(signOffs)
      .where(gt(id, after?.id ?? BEFORE_ALL))
      .orderBy(asc(id))
      .limit(INNER_PAGE);
    return rows.map((row) => ({ ...row, record: storedRecord(row) }));
  };
}

/** What hangs on something, or is the picture of a person; `path` is where the bytes are in the zip. */
function listFiles(tx: Tx) {
  const { id, hash, name, type, size, visibility, uploadedBy, createdAt, attachedAt, position } = files;
  const { projectId, taskId, commentId, requestId, messageId } = files;
  return async (after: Identified | null) => {
    const rows = await tx
      .select({
        ...{ id, hash, name, type, size, visibility, uploadedBy, position },
        ...{ projectId, taskId, commentId, requestId, messageId },
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
