import { createClient } from "sangam/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeConversation, makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { followNotifications, handIn } from "../../docs/examples/hand-in";
import { startBot } from "../../docs/examples/keyword-bot";
import { reportOverdue } from "../../docs/examples/overdue-report";
import { createTestCallers, type TestCaller, type TestCallers } from "./caller";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, startLiveServer } from "./live-server";

/* The examples of the documentation, as a reader would run them. */

let database: TestDatabase;
let server: LiveServer;
let callers: TestCallers;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  server = await startLiveServer(database);
});
afterAll(async () => {
  await server.close();
  await database.close();
});

async function connect(
  user: UserRow,
  { scope, transport }: { scope: "read" | "write"; transport?: "sse" | "websocket" },
) {
  const own = await callers.as(user);
  const { key: apiKey } = await own.auth.createApiKey({ name: "An example", scope });
  return createClient({ url: server.base, apiKey, ...(transport && { transport }) });
}

test("a file is handed in with a comment, once however often it is tried, and an answer arrives as a notification", async () => {
  const robot = await makeUser(database.db, { name: "Robot" });
  const rohan = await makeUser(database.db, { name: "Rohan" });
  const assignedTo = [robot.id, rohan.id];
  const project = await makeProject(database.db, { createdBy: rohan.id, assignedTo, key: "EXA" });
  const { id: taskId } = await makeTask(database.db, { projectId: project.id, createdBy: rohan.id });
  const { key: apiKey } = await (await callers.as(robot)).auth.createApiKey({ name: "An example", scope: "write" });
  const place = { url: server.base, apiKey };
  const client = createClient(place);
  const notified: string[] = [];
  const troubles: unknown[] = [];
  const following = followNotifications(client, {
    onNotification: ({ kind, actor }) => notified.push(`${kind} ${actor?.name}`),
    onTrouble: (error) => troubles.push(error),
  });
  const given = { place, taskKey: "EXA-1", name: "report.txt", bytes: Buffer.from("All is well"), day: "2026-11-20" };
  const comment = await handIn(client, given);
  expect(comment).toMatchObject({ text: "report.txt of 2026-11-20", files: [{ name: "report.txt", size: 11 }] });
  expect(await handIn(client, given)).toMatchObject({ id: comment.id });
  const own = await callers.as(rohan);
  const reply = { subject: { taskId }, text: "Thank you.", visibility: "team" } as const;
  await own.comments.create({ ...reply, clientCommentId: crypto.randomUUID() });
  await expect.poll(() => notified).toEqual(["comment Rohan"]);
  await expect.poll(async () => (await client.notifications.unread.query()).unread).toBe(0);
  expect((await own.comments.list({ subject: { taskId } })).items).toHaveLength(2);
  following.stop();
  expect(troubles).toEqual([]);
});

describe("the nightly report", () => {
  test("names what is overdue and who does it, of the projects that the key's owner sees, and nothing that is done", async () => {
    const [rohan, mitali, admin] = [
      await makeUser(database.db, { name: "Rohan" }),
      await makeUser(database.db, { name: "Mitali" }),
      await makeUser(database.db, { accountType: "admin" }),
    ];
    const project = await makeProject(database.db, { createdBy: rohan.id, title: "Harbour", key: "HBP" });
    const task = { projectId: project.id, createdBy: rohan.id };
    await makeTask(database.db, { ...task, title: "Late", dueDate: "2026-11-02", assignedTo: [rohan.id] });
    await makeTask(database.db, { ...task, title: "Later", dueDate: "2026-11-01" });
    await makeTask(database.db, { ...task, title: "Today", dueDate: "2026-11-20" });
    await makeTask(database.db, { ...task, title: "Done", dueDate: "2026-11-01", status: "completed" });
    await makeTask(database.db, { ...task, title: "Some day" });
    const expected = "Harbour\n  HBP-2 Later (due 2026-11-01; nobody)\n  HBP-1 Late (due 2026-11-02; Rohan)";
    expect(await reportOverdue(await connect(rohan, { scope: "read" }), "2026-11-20")).toBe(expected);
    expect(await reportOverdue(await connect(admin, { scope: "read" }), "2026-11-20")).toBe(expected);
    expect(await reportOverdue(await connect(mitali, { scope: "read" }), "2026-11-20")).toBe(
      "Nothing is overdue on 2026-11-20.",
    );
  });
});

describe.each(["sse", "websocket"] as const)("the keyword bot over %s", (transport) => {
  test("answers each question once, whether it or the server was away meanwhile, also in new conversations", async () => {
    const robot = await makeUser(database.db, { accountType: "admin", name: "Robot" });
    const asker = await makeUser(database.db);
    const own = await callers.as(asker);
    const { id: conversationId } = await makeConversation(database.db, {
      between: [robot.id, asker.id],
      messages: [{ senderId: asker.id, text: "What are your OFFICE hours?" }],
    });
    const troubles: unknown[] = [];
    const client = await connect(robot, { scope: "write", transport });
    const start = () =>
      startBot({
        client,
        keyword: "office hours",
        answer: ({ seq }) => `Answer to ${seq}`,
        onTrouble: (error) => troubles.push(error),
      });

    let bot = await start();
    await answers(own, { conversationId, expected: ["Answer to 1"] });
    await say(own, { conversationId, text: "Thank you." });
    await say(own, { conversationId, text: "And your office hours in May?" });
    await answers(own, { conversationId, expected: ["Answer to 1", "Answer to 4"] });
    bot.stop();
    await say(own, { conversationId, text: "Office hours in June?" });
    bot = await start();
    await answers(own, { conversationId, expected: ["Answer to 1", "Answer to 4", "Answer to 6"] });

    await server.close();
    await say(own, { conversationId, text: "Office hours in July?" });
    server = await startLiveServer({ ...database, port: server.port });
    await answers(own, { conversationId, expected: ["Answer to 1", "Answer to 4", "Answer to 6", "Answer to 8"] });

    const stranger = await callers.as(await makeUser(database.db));
    const begun = await stranger.chat.start({
      recipientId: robot.id,
      text: "office hours?",
      clientMessageId: crypto.randomUUID(),
    });
    await answers(stranger, { conversationId: begun.conversation.id, expected: ["Answer to 1"] });
    bot.stop();
    expect(troubles).toEqual([]);
  });

  test("that was stopped between its answer and its read mark does not answer again", async () => {
    const robot = await makeUser(database.db, { accountType: "admin" });
    const asker = await makeUser(database.db);
    const own = await callers.as(asker);
    const { id: conversationId } = await makeConversation(database.db, {
      between: [robot.id, asker.id],
      messages: [{ senderId: asker.id, text: "office hours" }],
    });
    const client = await connect(robot, { scope: "write", transport });
    const options = { client, keyword: "office hours", answer: () => "Nine to six.", onTrouble: () => {} };
    const first = await startBot(options);
    await answers(own, { conversationId, expected: ["Nine to six."] });
    await expect.poll(() => readUpTo(client, conversationId)).toBeGreaterThan(0);
    first.stop();
    // As if it had been stopped before that.
    await database.sql`update conversations set lower_read_seq = 0, higher_read_seq = 0 where id = ${conversationId}`;
    const second = await startBot(options);
    await expect.poll(() => readUpTo(client, conversationId)).toBeGreaterThan(0);
    second.stop();
    await answers(own, { conversationId, expected: ["Nine to six."] });
  });
});

async function readUpTo(client: ReturnType<typeof createClient>, conversationId: string): Promise<number> {
  const conversations = await client.chat.conversations.query();
  return conversations.find(({ id }) => id === conversationId)?.ownReadSeq ?? 0;
}

function say(caller: TestCaller, { conversationId, text }: { conversationId: string; text: string }) {
  return caller.chat.send({ conversationId, text, clientMessageId: crypto.randomUUID() });
}

/** Waits until the other one has written exactly these. */
async function answers(
  caller: TestCaller,
  { conversationId, expected }: { conversationId: string; expected: string[] },
) {
  const read = async () => {
    const me = await caller.auth.me();
    const { items } = await caller.chat.messages({ conversationId });
    return items.filter(({ senderId }) => senderId !== me?.id).map(({ text }) => text);
  };
  await expect.poll(read).toEqual(expected);
}
