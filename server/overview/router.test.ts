import { randomUUID } from "node:crypto";
import { and, eq, gt, ne } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeConversation, makeProject, makeUser, type UserRow } from "../../db/factories";
import { makeRepository } from "../../db/repository-factory";
import {
  commits,
  conversationSettlements,
  messages,
  organisation,
  projects,
  requests,
  tasks,
  users,
} from "../../db/schema";
import { MAX_WAITING } from "../contract/messages/overview";
import { storeHistory } from "../github/mutations";
import { createTestCallers, refusal, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestCallers;
let asha: UserRow;
let rohan: UserRow;
let meera: UserRow;
let stranger: UserRow;
let projectId: string;
let repositoryId: string;
let conversationId: string;

const HOUR = 3_600_000;
const EVERY_MINUTE = { days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "23:59" };

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  asha = await makeUser(database.db, { name: "Asha Kulkarni", accountType: "admin" });
  rohan = await makeUser(database.db, { name: "Rohan Shah" });
  meera = await makeUser(database.db, { name: "Meera Rao", accountType: "client" });
  stranger = await makeUser(database.db, { accountType: "client" });
  await database.db.insert(organisation).values({ timeZone: "UTC", businessHours: EVERY_MINUTE });
  ({ id: repositoryId } = await makeRepository(database.db, {
    fullName: "sangam-software/harbour",
    commits: [{ sha: sha(0), message: "Before", authorName: "Rohan", authoredAt: new Date(Date.now() - 90 * HOUR) }],
  }));
  const { id } = await makeProject(database.db, {
    title: "Harbour booking portal",
    createdBy: rohan.id,
    clientId: meera.id,
    managers: [rohan.id],
    clientCollaboration: true,
    dueDate: "2026-12-01",
  });
  projectId = id;
  await database.db.update(projects).set({ repositoryId }).where(eq(projects.id, id));
  ({ id: conversationId } = await makeConversation(database.db, { between: [asha.id, meera.id], messages: [] }));
});
afterAll(() => database.close());

const sha = (number: number) => String(number).padStart(40, "0");
const since = async (by: UserRow) => (await callers.as(by)).overview.sinceLastVisit();
const seen = async (by: UserRow, upTo?: string) =>
  (await callers.as(by)).overview.markSeen({ upTo: upTo ?? (await since(by)).upTo });
const changes = async (by: UserRow, from: string, kind: "tasksDone" | "datesMoved" | "commits" | "messages") =>
  (await callers.as(by)).overview.changes({ since: from, kind });
const write = async (by: UserRow, text = "Hello") =>
  (await callers.as(by)).chat.send({ conversationId, text, clientMessageId: randomUUID() });
const addTask = async (changed: object = {}) =>
  (await callers.as(rohan)).tasks.create({
    projectId,
    title: "Berth calendar",
    description: "What to do.",
    ...changed,
  });
const push = (...numbers: number[]) =>
  database.db.transaction((tx) =>
    storeHistory(tx, {
      repositoryId,
      page: {
        isWhole: false,
        commits: numbers.toReversed().map((number) => ({
          sha: sha(number),
          message: `Change ${number}\n\nWhy`,
          htmlUrl: `https://github.example/${number}`,
          authorName: "Rohan",
          // Written before anybody looked, pushed after it.
          authoredAt: new Date(Date.now() - 2 * HOUR + number * 1_000),
          authorLogin: null,
          authorAvatarUrl: null,
        })),
      },
      isOpenNow: false,
    }),
  );

describe("since you were here", () => {
  test("a first visit begins now, with nothing to see", async () => {
    const first = await since(meera);
    expect(first).toMatchObject({ tasksDone: { count: 0 }, commits: { count: 0, ids: [] }, messages: { ids: [] } });
    expect((await since(meera)).since).toBe(first.since);
    for (const person of [asha, rohan]) await since(person);
  });

  test("every number equals a recount from the rows, and leads to exactly these", async () => {
    const [done, moved, undone, own] = [
      await addTask(),
      await addTask({ dueDate: "2026-12-10" }),
      await addTask({ status: "completed" }),
      await addTask(),
    ];
    const [asRohan, asAsha] = [await callers.as(rohan), await callers.as(asha)];
    await asRohan.tasks.setCompleted({ taskId: done.id, completed: true });
    await asRohan.tasks.update({ taskId: moved.id, patch: { dueDate: "2026-12-12" } });
    // A first date is no move, one that came back neither, and what was opened again is not done.
    await asRohan.tasks.update({ taskId: own.id, patch: { dueDate: "2026-12-12" } });
    await asRohan.tasks.setCompleted({ taskId: undone.id, completed: false });
    await asAsha.tasks.setCompleted({ taskId: own.id, completed: true });
    await push(0, 1, 2);
    await write(asha);
    await write(meera);
    const news = await since(meera);
    const from = new Date(news.since);
    const completed = await database.db.select({ id: tasks.id }).from(tasks).where(gt(tasks.completedAt, from));
    const pushed = await database.db.select({ id: commits.sha }).from(commits).where(gt(commits.arrivedAt, from));
    const written = await database.db
      .select({ id: messages.id })
      .from(messages)
      .where(and(gt(messages.createdAt, from), ne(messages.senderId, meera.id)));
    expect(completed.map(({ id }) => id).sort()).toEqual([done.id, own.id].sort());
    expect(news.tasksDone).toEqual(countOf(completed));
    expect(news.commits).toEqual(countOf(pushed));
    expect(news.messages).toEqual(countOf(written));
    expect(news.datesMoved).toEqual({ count: 1, ids: [moved.id] });
    expect(pushed.map(({ id }) => id).sort()).toEqual([sha(1), sha(2)]);
    for (const kind of ["tasksDone", "datesMoved", "commits", "messages"] as const) {
      const { items } = await changes(meera, news.since, kind);
      expect(items.map(({ id }) => id)).toEqual(news[kind]?.ids);
    }
    const [shown] = (await changes(meera, news.since, "datesMoved")).items;
    expect(shown).toMatchObject({ title: "Berth calendar", from: "2026-12-10", to: "2026-12-12", taskNumber: 2 });
  });

  test("what one did oneself is no news, and users get no commits", async () => {
    const [ofRohan, ofAsha] = [await since(rohan), await since(asha)];
    expect(ofRohan).toMatchObject({ tasksDone: { count: 1 }, datesMoved: { count: 0 }, commits: null });
    expect(ofAsha).toMatchObject({ tasksDone: { count: 1 }, datesMoved: { count: 1 }, messages: { count: 1 } });
    expect((await changes(rohan, ofRohan.since, "commits")).items).toEqual([]);
  });

  test("a project's new date is a move of its own", async () => {
    const asRohan = await callers.as(rohan);
    const { version } = await asRohan.projects.byId({ projectId });
    await asRohan.projects.update({ projectId, version, patch: { dueDate: "2027-01-15" } });
    expect((await since(meera)).datesMoved).toMatchObject({ count: 2, ids: [projectId, expect.any(String)] });
  });

  test("a client gets of commits what the project shows: hashes, a number, or nothing", async () => {
    const show = (commitMode: "titles" | "counts" | "hidden") =>
      database.db.update(projects).set({ commitMode }).where(eq(projects.id, projectId));
    const { since: from } = await since(meera);
    await show("counts");
    expect((await since(meera)).commits).toEqual({ count: 2, ids: [] });
    expect(await changes(meera, from, "commits")).toEqual({
      items: [],
      counts: [{ project: expect.objectContaining({ id: projectId }), count: 2 }],
      count: 2,
    });
    await show("hidden");
    expect((await since(meera)).commits).toEqual({ count: 0, ids: [] });
    expect(await changes(meera, from, "commits")).toEqual({ items: [], counts: [], count: 0 });
    expect((await since(asha)).commits?.count).toBe(2);
    await show("titles");
  });

  test("nobody hears of projects and conversations that they do not see", async () => {
    const from = new Date(Date.now() - HOUR).toISOString();
    for (const kind of ["tasksDone", "datesMoved", "commits", "messages"] as const) {
      expect(await changes(stranger, from, kind)).toEqual({ items: [], counts: [], count: 0 });
    }
  });

  test("of more than a list holds, all are counted and the newest 500 listed", async () => {
    const client = await makeUser(database.db, { accountType: "client" });
    const { id } = await makeConversation(database.db, { between: [asha.id, client.id], messages: [] });
    const from = await since(client);
    await database.sql`insert into messages (conversation_id, seq, sender_id, text, client_message_id, created_at)
      select ${id}, at, ${asha.id}, 'Message ' || at, gen_random_uuid(), now() + at * interval '1 millisecond'
      from generate_series(1, 501) as at`;
    const { messages: counted } = await since(client);
    const listed = await changes(client, from.since, "messages");
    expect([counted.count, counted.ids.length]).toEqual([501, 500]);
    expect(listed).toMatchObject({ count: 501, counts: [], items: { length: 500 } });
    expect(listed.items.map((one) => one.id)).toEqual(counted.ids);
    expect(listed.items[0]?.title).toBe("Message 501");
  });

  test("once seen it is gone, on every device, and never comes back", async () => {
    const { since: before } = await since(meera);
    const { since: marked } = await seen(meera);
    expect(await since(meera)).toMatchObject({
      since: marked,
      tasksDone: { count: 0 },
      datesMoved: { count: 0 },
      commits: { count: 0 },
      messages: { count: 0 },
    });
    expect(await seen(meera, before)).toEqual({ since: marked });
    // A clock that is ahead marks nothing that is still to come.
    await seen(meera, new Date(Date.now() + HOUR).toISOString());
    const { id } = await write(asha);
    expect((await since(meera)).messages).toEqual({ count: 1, ids: [id] });
  });

  test("what was under way when one marked everything as seen is still told", async () => {
    const task = await addTask();
    await seen(meera);
    const asRohan = await callers.as(rohan);
    const writing: Promise<unknown>[] = [];
    await database.sql.begin(async (held) => {
      await held`select id from projects where id = ${projectId} for update`;
      writing.push(asRohan.tasks.setCompleted({ taskId: task.id, completed: true }));
      await database.untilWaiting();
      await seen(meera);
      // Of whoever is ahead, too.
      await seen(meera, new Date(Date.now() + HOUR).toISOString());
    });
    await Promise.all(writing);
    expect((await since(meera)).tasksDone).toEqual({ count: 1, ids: [task.id] });
    await seen(meera);
    expect((await since(meera)).tasksDone).toEqual({ count: 0, ids: [] });
  });

  test("an instant that is none is refused at its field", async () => {
    expect((await refusal(seen(meera, "0000-01-01T00:00:00Z"))).fieldErrors).toHaveProperty("upTo");
  });
});

describe("what waits for the firm", () => {
  test("unanswered conversations and new requests, the oldest first, for those who may answer", async () => {
    const other = await makeUser(database.db, { accountType: "client", name: "Kabir Nair" });
    const { id: older } = await makeConversation(database.db, {
      between: [asha.id, other.id],
      messages: [
        { senderId: other.id, text: "A fourth ledger!", createdAt: new Date(Date.now() - 3 * HOUR) },
        { senderId: other.id, text: "Does it change the plan?", createdAt: new Date(Date.now() - 2 * HOUR) },
      ],
    });
    const question = await write(meera, "May we move the review?");
    const [request] = await database.db
      .insert(requests)
      .values({ projectId, title: "A night view", text: "For the gate.", createdBy: meera.id })
      .returning();
    const waiting = async (by: UserRow) => (await callers.as(by)).overview.waiting();
    const ofRequest = { subject: { requestId: request?.id }, title: "A night view", project: { id: projectId } };
    expect(await waiting(asha)).toMatchObject([
      { subject: { conversationId: older }, title: "A fourth ledger!", client: { id: other.id }, project: null },
      { subject: { conversationId }, title: "May we move the review?", since: question.timestamp },
      ofRequest,
    ]);
    const [first] = await waiting(asha);
    expect(first?.businessMinutes).toBeGreaterThanOrEqual(179);
    // The manager decides about requests; clients see their own.
    expect(await waiting(rohan)).toMatchObject([ofRequest]);
    expect(await waiting(meera)).toMatchObject([{ subject: { conversationId }, client: { id: meera.id } }, ofRequest]);
    expect(await waiting(stranger)).toEqual([]);
    await write(asha, "On Thursday.");
    await database.db.update(requests).set({ status: "asked" });
    expect(await waiting(meera)).toEqual([]);
    await database.sql`insert into requests (project_id, title, text, created_by, turn_since)
      select ${projectId}, at::text, 'One of many', ${meera.id}, now() - at * interval '1 hour'
      from generate_series(${MAX_WAITING + 2}, 1, -1) as at`;
    const oldest = await waiting(rohan);
    expect(oldest).toHaveLength(MAX_WAITING);
    expect([oldest[0]?.title, oldest.at(-1)?.title]).toEqual([`${MAX_WAITING + 2}`, "3"]);
  });
});

describe("reply times", () => {
  test("the median of a month is that of its first answers, counted again from the rows", async () => {
    const client = await makeUser(database.db, { accountType: "client" });
    const kabir = await makeUser(database.db, { accountType: "admin" });
    const month = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 2, 10, 8));
    const at = (minutes: number) => new Date(month.getTime() + minutes * 60_000);
    const { id } = await makeConversation(database.db, {
      between: [asha.id, client.id],
      messages: [
        { senderId: client.id, createdAt: at(0) },
        { senderId: client.id, createdAt: at(10) },
        { senderId: asha.id, createdAt: at(30) }, // 30 minutes
        { senderId: asha.id, createdAt: at(31) },
        { senderId: client.id, createdAt: at(100) }, // no reply needed
        { senderId: asha.id, createdAt: at(300) }, // no answer
        { senderId: client.id, createdAt: at(400) }, // no reply needed
        { senderId: client.id, createdAt: at(410) },
        { senderId: asha.id, createdAt: at(420) }, // 10 minutes
        { senderId: client.id, createdAt: at(500) },
        { senderId: asha.id, createdAt: at(590) }, // 90 minutes
      ],
    });
    await database.db.insert(conversationSettlements).values([
      { conversationId: id, upToSeq: 5, settledBy: asha.id },
      { conversationId: id, upToSeq: 7, settledBy: asha.id },
    ]);
    const ofMonth = async () => {
      const times = await (await callers.as(kabir)).overview.replyTimes();
      return times.find((one) => one.month === month.toISOString().slice(0, 7));
    };
    const counted = { month: month.toISOString().slice(0, 7), answers: 3, medianMinutes: 30, medianDays: 0 };
    expect(await ofMonth()).toEqual(counted);
    // Whoever answered was of the firm, whatever they are now.
    await database.db.update(users).set({ accountType: "user" }).where(eq(users.id, asha.id));
    expect(await ofMonth()).toEqual(counted);
    await database.db.update(users).set({ accountType: "admin" }).where(eq(users.id, asha.id));
  });
});

function countOf(rows: readonly { id: string }[]) {
  const ids: unknown = expect.arrayContaining(rows.map(({ id }) => id));
  return { count: rows.length, ids };
}
