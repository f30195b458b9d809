import { randomUUID } from "node:crypto";
import { isTrackedEnvelope } from "@trpc/server";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeConversation, makeFile, makeProject, makeUser, type UserRow } from "../../db/factories";
import { messages, messageTasks } from "../../db/schema";
import type { ConversationEvent, Message } from "../contract/views";
import { refusal, startTestProcess, type TestProcess } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
/** Two processes on one database. */
let here: TestProcess;
let there: TestProcess;
let asha: UserRow;
let vikram: UserRow;
let meera: UserRow;
let projectId: string;
let key: string;
let conversationId: string;
/** Meera's first message. */
let messageId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  [here, there] = await Promise.all([startTestProcess(database), startTestProcess(database)]);
  asha = await makeUser(database.db, { name: "Asha Kulkarni", accountType: "admin" });
  vikram = await makeUser(database.db, { name: "Vikram Menon", accountType: "admin" });
});
afterAll(async () => {
  await Promise.all([here, there].map(({ listener }) => listener.close()));
  await database.close();
});
beforeEach(async () => {
  meera = await makeUser(database.db, { name: "Meera Rao", accountType: "client" });
  ({ id: projectId, key } = await makeProject(database.db, { createdBy: asha.id, clientId: meera.id }));
  conversationId = (
    await makeConversation(database.db, {
      between: [asha.id, meera.id],
      messages: [
        { senderId: meera.id, text: "The tide table is wrong." },
        { senderId: asha.id, text: "Thank you." },
      ],
    })
  ).id;
  const [first] = await database.db
    .select({ id: messages.id })
    .from(messages)
    .where(eq(messages.conversationId, conversationId))
    .orderBy(messages.seq);
  messageId = first?.id ?? "";
});

const toTask = async (title = "Mend the tide table", by = asha) =>
  (await here.as(by)).chat.toTask({ messageId, projectId, title });
const messagesOf = async (user: UserRow): Promise<Message[]> =>
  (await (await here.as(user)).chat.messages({ conversationId })).items;

describe("a message that becomes a task", () => {
  test("gives the task its text, and carries its chip for both sides, with the task's present status", async () => {
    const task = await toTask();
    expect(task).toMatchObject({ projectId, title: "Mend the tide table", description: "The tide table is wrong." });
    const chip = { taskId: task.id, key: `${key}-1`, status: "todo" };
    for (const user of [asha, meera]) {
      expect((await messagesOf(user)).map((message) => message.chip)).toEqual([chip, null]);
    }
    await (await here.as(asha)).tasks.update({ taskId: task.id, patch: { status: "inProgress" } });
    expect((await messagesOf(meera))[0]?.chip).toEqual({ ...chip, status: "inProgress" });
  });

  test("shows no chip to whoever may not see the project", async () => {
    const internal = await makeProject(database.db, { createdBy: asha.id });
    await (await here.as(asha)).chat.toTask({ messageId, projectId: internal.id, title: "For us alone" });
    expect((await messagesOf(meera))[0]?.chip).toBeNull();
    expect((await messagesOf(asha))[0]?.chip).not.toBeNull();
  });

  test("becomes one task only, of two calls at once as well, and another one once that is gone", async () => {
    const [one, other] = await Promise.allSettled([toTask("One"), toTask("Other")]);
    expect([one.status, other.status].sort()).toEqual(["fulfilled", "rejected"]);
    expect(await refusal(toTask())).toMatchObject({ code: "CONFLICT", reason: "already-linked" });
    const { tasks } = await here.as(asha);
    const [task] = await tasks.list({ projectId });
    expect(await tasks.list({ projectId })).toHaveLength(1);
    await tasks.delete({ taskId: task?.id ?? "" });
    expect((await messagesOf(asha))[0]?.chip).toBeNull();
    expect((await messagesOf(asha))[0]?.chip).toEqual((await messagesOf(meera))[0]?.chip);
    await expect(toTask()).resolves.toMatchObject({ title: "Mend the tide table" });
  });

  test("is not there for whoever takes no part in the conversation, or does not see the project", async () => {
    expect((await refusal(toTask("Not mine", vikram))).code).toBe("NOT_FOUND");
    const rohan = await makeUser(database.db);
    const own = await makeConversation(database.db, {
      between: [asha.id, rohan.id],
      messages: [{ senderId: asha.id }],
    });
    const [written] = await database.db.select().from(messages).where(eq(messages.conversationId, own.id));
    const { chat } = await here.as(rohan);
    const call = chat.toTask({ messageId: written?.id ?? "", projectId, title: "Not my project" });
    expect((await refusal(call)).code).toBe("NOT_FOUND");
    const client = (await here.as(meera)).chat.toTask({ messageId, projectId, title: "Mine" });
    expect((await refusal(client)).code).toBe("FORBIDDEN");
  });

  test("its files can be read from there by whoever reads the message, and by nobody else", async () => {
    const file = await makeFile(database.db, { messageId, uploadedBy: meera.id });
    await toTask();
    const [message] = await messagesOf(asha);
    expect(message?.files.map(({ id }) => id)).toEqual([file.id]);
  });
});

describe("when the task is completed", () => {
  test("the client gets one line, that nobody has to read, however often it is reopened and completed", async () => {
    const { id: taskId } = await toTask();
    const { tasks, chat } = await here.as(asha);
    const client = (await here.as(meera)).chat;
    await chat.markRead({ conversationId, upToSeq: 2 });
    await client.markRead({ conversationId, upToSeq: 2 });
    for (const completed of [true, false, true]) await tasks.setCompleted({ taskId, completed });
    await tasks.update({ taskId, patch: { status: "todo" } });
    await tasks.update({ taskId, patch: { status: "completed" } });
    const [, , line, ...others] = await messagesOf(meera);
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      seq: 3,
      kind: "system",
      senderId: asha.id,
      text: `${key}-1 is completed: Mend the tide table`,
    });
    for (const one of [chat, client]) {
      expect((await one.conversations()).map(({ unreadCount, lastSeq }) => ({ unreadCount, lastSeq }))).toContainEqual({
        unreadCount: 0,
        lastSeq: 3,
      });
    }
  });

  test("of a project that the client does not see, nothing is said", async () => {
    const internal = await makeProject(database.db, { createdBy: asha.id });
    const { chat, tasks } = await here.as(asha);
    const task = await chat.toTask({ messageId, projectId: internal.id, title: "For us alone" });
    await tasks.setCompleted({ taskId: task.id, completed: true });
    expect(await messagesOf(meera)).toHaveLength(2);
  });

  test("two who complete it at once announce it once", async () => {
    const { id: taskId } = await toTask();
    const [one, other] = await Promise.all([here.as(asha), there.as(vikram)]);
    await Promise.all([one, other].map(({ tasks }) => tasks.setCompleted({ taskId, completed: true })));
    expect((await messagesOf(meera)).filter(({ kind }) => kind === "system")).toHaveLength(1);
  });
});

describe("the chip on a stream", () => {
  test("follows the status, who sees the project, and the task's end, in another process", async () => {
    const stream = await watch(there, meera, "2");
    const { id: taskId } = await toTask();
    const chip = { taskId, key: `${key}-1`, status: "todo" };
    expect(await stream.nextChip()).toEqual({ messageId, chip });
    const { tasks, projects } = await here.as(asha);
    await tasks.update({ taskId, patch: { status: "inProgress" } });
    expect(await stream.nextChip()).toEqual({ messageId, chip: { ...chip, status: "inProgress" } });
    const { version } = await projects.byId({ projectId });
    const without = await projects.update({ projectId, version, patch: { clientId: null } });
    expect(await stream.nextChip()).toEqual({ messageId, chip: null });
    await projects.update({ projectId, version: without.version, patch: { clientId: meera.id } });
    expect(await stream.nextChip()).toMatchObject({ chip: { status: "inProgress" } });
    await projects.delete({ projectId });
    expect(await stream.nextChip()).toEqual({ messageId, chip: null });
    await stream.close();
  });

  test("resumes after the last id: what changed while it was cut comes once, what was received does not come again", async () => {
    const { id: taskId } = await toTask();
    const first = await watch(there, meera, "2");
    expect(await first.nextChip()).toMatchObject({ chip: { status: "todo" } });
    const lastId = first.lastId();
    expect(lastId).toBe("2.1");
    await first.close();
    const { tasks, chat } = await here.as(asha);
    await tasks.update({ taskId, patch: { status: "inProgress" } });
    await chat.send({ conversationId, text: "We are at it.", clientMessageId: randomUUID() });
    await tasks.delete({ taskId });
    const second = await watch(there, meera, lastId);
    expect(await second.nextMessage()).toMatchObject({ seq: 3 });
    expect(await second.nextChip()).toEqual({ messageId, chip: null });
    const rest = second.lastId();
    await second.close();
    const third = await watch(there, meera, rest);
    await chat.send({ conversationId, text: "Done.", clientMessageId: randomUUID() });
    expect(await third.next()).toMatchObject({ type: "message", message: { seq: 4 } });
    await third.close();
  });

  test("a message and its chip come together where the reader had neither", async () => {
    await toTask();
    const stream = await watch(there, asha, "0");
    expect(await stream.next()).toMatchObject({ message: { seq: 1, chip: { key: `${key}-1` } } });
    expect(await stream.next()).toMatchObject({ message: { seq: 2, chip: null } });
    await stream.close();
  });
});

test("a message's link stays when its task is gone, so that a stream which was closed meanwhile learns of it", async () => {
  const { id: taskId } = await toTask();
  await (await here.as(asha)).tasks.delete({ taskId });
  const [link] = await database.db.select().from(messageTasks).where(eq(messageTasks.messageId, messageId));
  expect(link).toMatchObject({ taskId: null, lastChange: 2 });
});

async function watch(callers: TestProcess, user: UserRow, lastEventId: string) {
  const changes: AsyncIterable<unknown> = await (await callers.as(user)).chat.onMessage({
    conversationId,
    lastEventId,
  });
  const iterator = changes[Symbol.asyncIterator]();
  let lastId = "";
  async function next(): Promise<ConversationEvent> {
    const result = await iterator.next();
    if (!isTrackedEnvelope<ConversationEvent>(result.value)) throw new Error("the event is not tracked");
    const [id, event] = result.value;
    lastId = id;
    return event.type === "read" ? next() : event;
  }
  return {
    next,
    lastId: () => lastId,
    async nextChip() {
      const event = await next();
      if (event.type !== "chip") throw new Error(`a ${event.type} came`);
      const { type: _, ...change } = event;
      return change;
    },
    async nextMessage() {
      const event = await next();
      if (event.type !== "message") throw new Error(`a ${event.type} came`);
      return event.message;
    },
    close: async () => void (await iterator.return?.()),
  };
}
