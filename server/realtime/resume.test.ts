import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeConversation, makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { createLogger } from "../core/logger";
import {
  createTestCallers,
  startTestProcess,
  type TestCaller,
  type TestCallers,
  type TestProcess,
} from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { startListener } from "./listener";
import { notifyInquiry } from "./notify";
import { KEPT_NOTIFICATIONS } from "./recent";

/* What changes between the moment a page reads and the moment its stream begins reaches the page, and nothing is read twice. */

const logger = createLogger({ level: "silent" });
const RESUMED = { type: "resumed" };
const RESYNC = { type: "resync" };

let database: TestDatabase;
/** Two processes on one database: one writes, the other streams. */
let writing: TestCallers;
let streaming: TestProcess;
let rohan: UserRow;
let mitali: UserRow;
let meera: UserRow;
let asha: UserRow;
let outsider: UserRow;
/** Rohan's and Mitali's, for Meera. */
let projectId: string;
let conversationId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  writing = createTestCallers(db);
  streaming = await startTestProcess(database);
  rohan = await makeUser(db);
  mitali = await makeUser(db);
  outsider = await makeUser(db);
  meera = await makeUser(db, { accountType: "client" });
  asha = await makeUser(db, { accountType: "admin" });
  ({ id: conversationId } = await makeConversation(db, { between: [asha.id, meera.id], messages: [] }));
});
beforeEach(async () => {
  const people = { createdBy: rohan.id, assignedTo: [rohan.id, mitali.id], clientId: meera.id };
  ({ id: projectId } = await makeProject(database.db, people));
});
afterAll(async () => {
  await streaming.listener.close();
  await database.close();
});

type Open = (caller: TestCaller, lastEventId: string) => Promise<AsyncIterable<unknown>>;

const ofProjects: Open = (caller, lastEventId) => caller.projects.onChange({ lastEventId });
const ofProject: Open = (caller, lastEventId) => caller.projects.onChange({ projectId, lastEventId });
const ofUsers: Open = (caller, lastEventId) => caller.users.onChange({ lastEventId });
const ofInquiries: Open = (caller, lastEventId) => caller.inquiries.onChange({ lastEventId });
const ofAudit: Open = (caller, lastEventId) => caller.audit.onChange({ lastEventId });
const ofActivity: Open = (caller, lastEventId) => caller.github.onChange({ lastEventId });
const ofInbox: Open = (caller, lastEventId) => caller.chat.onInbox({ lastEventId });
const ALL = { ofProjects, ofProject, ofUsers, ofInquiries, ofAudit, ofActivity, ofInbox };

const rename = async (title = "Renamed") =>
  (await writing.as(rohan)).projects.update({ projectId, version: 1, patch: { title } });
const tick = async () => {
  const { id: taskId } = await makeTask(database.db, { projectId, createdBy: rohan.id });
  await (await writing.as(rohan)).tasks.setCompleted({ taskId, completed: true });
};
const link = async () => {
  const patch = { githubRepo: "https://github.com/konkan/ledger" };
  return (await writing.as(asha)).projects.update({ projectId, version: 1, patch });
};
const deactivate = async () => {
  const { id: userId } = await makeUser(database.db);
  return (await writing.as(asha)).users.deactivate({ userId });
};
const write = async (text: string) =>
  (await writing.as(meera)).chat.send({ conversationId, text, clientMessageId: randomUUID() });

test.each(Object.entries(ALL))(
  "%s: when nothing has changed since the read, nothing is read again",
  async (_name, open) => {
    const cursor = await cursorOf(streaming);
    expect(await firstEvents(open, { cursor, as: asha, count: 1 })).toEqual([RESUMED]);
  },
);

describe("a change between the read and the beginning of its stream", () => {
  test.each([
    ["a project", rename, { change: "project", kind: "project-changed", project: { title: "Renamed" } }],
    ["a task", tick, { change: "tasks", kind: "task-completed", project: { taskCounts: { total: 1, completed: 1 } } }],
  ])("of %s arrives as its event, in every view of it", async (_name, change, expected) => {
    const cursor = streaming.hub.cursor();
    await change();
    for (const as of [mitali, meera, asha]) {
      for (const open of [ofProjects, ofProject]) {
        const [resume, event] = await firstEvents(open, { cursor, as, count: 2 });
        expect(resume).toEqual(RESUMED);
        expect(event).toMatchObject({ projectId, ...expected });
      }
    }
  });

  test("of a project that one joins arrives as its event", async () => {
    const cursor = streaming.hub.cursor();
    const patch = { assignedTo: [rohan.id, mitali.id, outsider.id] };
    await (await writing.as(rohan)).projects.update({ projectId, version: 1, patch });
    const [resume, event] = await firstEvents(ofProjects, { cursor, as: outsider, count: 2 });
    expect([resume, event]).toMatchObject([RESUMED, { projectId, project: { id: projectId } }]);
  });

  test("that takes a project from somebody's sight makes them read again, without naming it", async () => {
    const cursor = streaming.hub.cursor();
    await (await writing.as(rohan)).projects.update({ projectId, version: 1, patch: { assignedTo: [rohan.id] } });
    expect(await firstEvents(ofProjects, { cursor, as: mitali, count: 1 })).toEqual([RESYNC]);
    const later = streaming.hub.cursor();
    await (await writing.as(asha)).projects.delete({ projectId });
    for (const as of [rohan, meera, asha])
      expect(await firstEvents(ofProjects, { cursor: later, as, count: 1 })).toEqual([RESYNC]);
  });

  test("of a project that one cannot see is nobody's concern", async () => {
    const cursor = streaming.hub.cursor();
    await rename();
    await tick();
    await (await writing.as(rohan)).projects.create({
      ...{ title: "Another", description: "x", status: "todo", startDate: "2026-11-20", clientId: null },
      ...{ assignedTo: [], managers: [] },
    });
    expect(await firstEvents(ofProjects, { cursor, as: outsider, count: 1 })).toEqual([RESUMED]);
  });

  test("of a conversation or of its partner arrives as its event", async () => {
    const cursor = streaming.hub.cursor();
    await write("Good morning");
    await (await writing.as(meera)).chat.markRead({ conversationId, upToSeq: 1 });
    const events = await firstEvents(ofInbox, { cursor, as: asha, count: 2 });
    expect(events).toMatchObject([RESUMED, { conversation: { lastMessage: { text: "Good morning" } } }]);
    const later = streaming.hub.cursor();
    await (await writing.as(meera)).users.updateProfile({ name: "Meera Iyer" });
    const ofPartner = await firstEvents(ofInbox, { cursor: later, as: asha, count: 2 });
    expect(ofPartner).toMatchObject([RESUMED, { conversation: { otherUser: { id: meera.id } } }]);
  });

  test.each<[string, Open, () => Promise<unknown>]>([
    ["accounts", ofUsers, deactivate],
    ["the audit", ofAudit, deactivate],
    ["inquiries", ofInquiries, () => notifyInquiry(database.db, { inquiryId: randomUUID() })],
    ["commits", ofActivity, link],
  ])("of %s makes the list be read again", async (_name, open, change) => {
    const cursor = streaming.hub.cursor();
    await change();
    expect(await firstEvents(open, { cursor, as: asha, count: 1 })).toEqual([RESYNC]);
  });

  test("that takes commits from somebody's sight makes the feed be read again", async () => {
    await link();
    const cursor = await cursorOf(streaming);
    const admin = await writing.as(asha);
    await admin.projects.update({ projectId, version: 2, patch: { githubRepo: null } });
    expect(await firstEvents(ofActivity, { cursor, as: meera, count: 1 })).toEqual([RESYNC]);
    const { id } = await makeProject(database.db, { createdBy: rohan.id, clientId: meera.id });
    const later = await cursorOf(streaming);
    await admin.projects.update({ projectId: id, version: 1, patch: { clientId: null } });
    expect(await firstEvents(ofActivity, { cursor: later, as: meera, count: 1 })).toEqual([RESYNC]);
  });

  test("of a task leaves the commits alone", async () => {
    const cursor = await cursorOf(streaming);
    await tick();
    expect(await firstEvents(ofActivity, { cursor, as: meera, count: 1 })).toEqual([RESUMED]);
  });

  test("of one's own account makes everything be read again", async () => {
    const cursor = streaming.hub.cursor();
    await (await writing.as(mitali)).users.updateProfile({ name: "Mitali" });
    for (const open of [ofProjects, ofInbox])
      expect(await firstEvents(open, { cursor, as: mitali, count: 1 })).toEqual([RESYNC]);
  });

  test("is not missed when its notification arrives late", async () => {
    const late = createTestCallers(database.db);
    late.hub.startDelivery(async () => {
      late.hub.deliver({ subject: `project:${projectId}`, topics: ["projects"], step: { kind: "project-changed" } });
      return true;
    });
    const cursor = await cursorOf(late);
    await rename();
    const events = await firstEvents(ofProjects, { cursor, as: mitali, count: 2, callers: late });
    expect(events).toMatchObject([RESUMED, { project: { title: "Renamed" } }]);
  });
});

describe("everything is read again when it is not certain what has changed", () => {
  test.each([
    ["a cursor of another process", () => writing.hub.cursor()],
    ["a cursor that nobody has made", () => "seven"],
    ["a cursor of a time to come", () => streaming.hub.cursor().replace(/\d+$/, "999999999999")],
  ])("%s", async (_name, cursor) => {
    for (const open of Object.values(ALL))
      expect(await firstEvents(open, { cursor: cursor(), as: asha, count: 1 })).toEqual([RESYNC]);
  });

  test("a cursor from before more notifications than are kept", async () => {
    const callers = createTestCallers(database.db);
    callers.hub.startDelivery(async () => true);
    const cursor = await cursorOf(callers);
    for (let at = 0; at < KEPT_NOTIFICATIONS; at += 1) callers.hub.deliver({ subject: "mail", topics: [] });
    expect(await firstEvents(ofProjects, { cursor, as: asha, count: 1, callers })).toEqual([RESUMED]);
    callers.hub.deliver({ subject: "mail", topics: [] });
    expect(await firstEvents(ofProjects, { cursor, as: asha, count: 1, callers })).toEqual([RESYNC]);
  });

  test("presence and typing, however much of it, push no change out", async () => {
    const callers = createTestCallers(database.db);
    callers.hub.startDelivery(async () => true);
    const cursor = await cursorOf(callers);
    for (let at = 0; at <= KEPT_NOTIFICATIONS; at += 1)
      callers.hub.deliver({ subject: `presence:${asha.id}`, topics: [] });
    expect(await firstEvents(ofProjects, { cursor, as: asha, count: 1, callers })).toEqual([RESUMED]);
  });

  test("listening was interrupted since the read", async () => {
    const cursor = await cursorOf(streaming);
    await streaming.listener.close();
    expect(await firstEvents(ofProjects, { cursor, as: asha, count: 1 })).toEqual([RESYNC]);
    await rename();
    streaming.listener = await startListener({ connection: database.connection, hub: streaming.hub, logger });
    expect(await firstEvents(ofProjects, { cursor, as: mitali, count: 1 })).toEqual([RESYNC]);
    const later = await cursorOf(streaming);
    expect(await firstEvents(ofProjects, { cursor: later, as: mitali, count: 1 })).toEqual([RESUMED]);
  });
});

test("a stream that is opened without a cursor begins as ever", async () => {
  const stream = (await (await streaming.as(mitali)).projects.onChange())[Symbol.asyncIterator]();
  const next = stream.next();
  await rename();
  expect((await next).value).toMatchObject({ projectId, kind: "project-changed" });
  await stream.return?.();
});

async function firstEvents(
  open: Open,
  { cursor, as, count, callers = streaming }: { cursor: string; as: UserRow; count: number; callers?: TestCallers },
): Promise<unknown[]> {
  const events: unknown[] = [];
  const stream = await open(await callers.as(as), cursor);
  for await (const event of stream) if (events.push(event) === count) break;
  return events;
}

/** Behind all that has been notified so far: a cursor is a moment in milliseconds. */
async function cursorOf({ hub }: TestCallers): Promise<string> {
  await hub.missedSince(hub.cursor());
  await new Promise((resolve) => setTimeout(resolve, 2));
  return hub.cursor();
}
