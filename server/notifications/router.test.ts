import { randomUUID } from "node:crypto";
import { NOTIFICATION_KINDS } from "@db/event-kinds";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { comments, discussions, notifications, projectMembers, projects, tasks, users } from "../../db/schema";
import { NOTIFIED_OF } from "../contract/notified";
import {
  createTestCallers,
  refusal,
  startTestProcess,
  type TestCaller,
  type TestCallers,
  type TestProcess,
} from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { insertNotifications, type NewNotification, notifyOfComment } from "./mutations";

let database: TestDatabase;
let callers: TestCallers;
let streaming: TestProcess;
let asha: UserRow;
let rohan: UserRow;
let mitali: UserRow;
let meera: UserRow;
let projectId: string;
let taskId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  streaming = await startTestProcess(database);
});
afterAll(async () => {
  await streaming.listener.close();
  await database.close();
});
beforeEach(async () => {
  const { db } = database;
  asha = await makeUser(db, { accountType: "admin" });
  rohan = await makeUser(db, { name: "Rohan Desai" });
  mitali = await makeUser(db);
  meera = await makeUser(db, { accountType: "client" });
  const members = { createdBy: rohan.id, clientId: meera.id, assignedTo: [rohan.id, mitali.id] };
  ({ id: projectId } = await makeProject(db, { ...members, title: "Harbour" }));
  ({ id: taskId } = await makeTask(db, { projectId, createdBy: rohan.id, title: "Tides", assignedTo: [mitali.id] }));
});

const send = (given: Partial<NewNotification> & Pick<NewNotification, "recipients">) =>
  database.db.transaction((tx) =>
    insertNotifications(tx, { kind: "assigned", cause: randomUUID(), actorId: null, projectId, ...given }),
  );
const inboxOf = async (person: UserRow) => (await callers.as(person)).notifications.list({});
const kindsOf = async (person: UserRow) => (await inboxOf(person)).items.map(({ kind }) => kind);

async function comment(given: {
  author: UserRow;
  visibility?: "team" | "client";
  mentions?: UserRow[];
  onTask?: boolean;
}) {
  const { author, visibility = "client", mentions = [], onTask = true } = given;
  const about = { projectId, taskId: onTask ? taskId : null };
  return database.db.transaction(async (tx) => {
    const [discussion] = await tx.insert(discussions).values(about).returning();
    const clientSeq = visibility === "client" ? 1 : null;
    const numbers = {
      seq: 1,
      createdChange: 1,
      lastChange: 1,
      clientSeq,
      clientCreatedChange: clientSeq,
      clientLastChange: clientSeq,
    };
    const ids = mentions.map(({ id }) => id);
    const [made] = await tx
      .insert(comments)
      .values({
        discussionId: discussion?.id ?? "",
        ...numbers,
        authorId: author.id,
        clientCommentId: randomUUID(),
        visibility,
        text: "Words",
        mentions: ids,
      })
      .returning();
    const commentId = made?.id ?? "";
    await notifyOfComment(tx, { commentId, ...about, authorId: author.id, mentions: ids, visibility });
    return commentId;
  });
}

describe("notifications.list", () => {
  test("says what happened to what, by whom, newest first, and how many are unread", async () => {
    await send({ recipients: [mitali.id], actorId: rohan.id, taskId, details: "earlier" });
    await send({ recipients: [mitali.id], kind: "project-status", details: "completed" });
    expect(await inboxOf(mitali)).toEqual({
      items: [
        expect.objectContaining({
          kind: "project-status",
          subject: { projectId },
          title: "Harbour",
          actor: null,
          details: "completed",
        }),
        {
          id: expect.any(String),
          kind: "assigned",
          subject: { projectId, taskId },
          title: "Tides",
          taskNumber: 1,
          project: { id: projectId, key: expect.any(String), title: "Harbour" },
          actor: expect.objectContaining({ id: rohan.id, name: "Rohan Desai" }),
          details: "earlier",
          createdAt: expect.stringMatching(/Z$/),
          readAt: null,
        },
      ],
      nextCursor: null,
      unread: 2,
    });
  });

  test("pages through many of one instant without a gap or a double", async () => {
    const createdAt = new Date("2026-11-20T10:42:00Z");
    await database.db.insert(notifications).values(
      Array.from({ length: 120 }, (_, at) => ({
        userId: mitali.id,
        kind: "assigned" as const,
        cause: `${at}`,
        projectId,
        createdAt,
      })),
    );
    const caller = await callers.as(mitali);
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await caller.notifications.list({ cursor });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(new Set(seen).size).toBe(120);
    expect(seen).toHaveLength(120);
  });
});

describe("who is told", () => {
  test("nobody of what they did themselves, and nobody twice of one cause", async () => {
    await send({ recipients: [rohan.id, mitali.id], actorId: rohan.id, cause: "once" });
    await send({ recipients: [mitali.id], cause: "once", kind: "comment" });
    expect(await kindsOf(rohan)).toEqual([]);
    expect(await kindsOf(mitali)).toEqual(["assigned"]);
  });

  test("nobody who may not see the project, or is not active", async () => {
    const [outsider, left] = [await makeUser(database.db), await makeUser(database.db, { accountStatus: "inactive" })];
    await send({ recipients: [outsider.id, left.id, asha.id, meera.id] });
    const recipients = await database.db
      .select({ id: notifications.userId })
      .from(notifications)
      .where(eq(notifications.projectId, projectId));
    expect(new Set(recipients.map(({ id }) => id))).toEqual(new Set([asha.id, meera.id]));
  });

  test("nobody of what they may not see any more: not in the list, not in the count", async () => {
    await send({ recipients: [mitali.id, meera.id] });
    await (await callers.as(rohan)).projects.update({
      projectId,
      version: 1,
      patch: { assignedTo: [rohan.id], clientId: null },
    });
    for (const person of [mitali, meera]) expect(await inboxOf(person)).toMatchObject({ items: [], unread: 0 });
    const former = await makeUser(database.db, { accountType: "admin" });
    await send({ recipients: [former.id], kind: "inquiry", projectId: null });
    expect(await kindsOf(former)).toEqual(["inquiry"]);
    await database.db.update(users).set({ accountType: "user" }).where(eq(users.id, former.id));
    expect(await kindsOf(former)).toEqual([]);
  });

  test("of a comment: whom it mentions by that, then all who take part; once each, and not its author", async () => {
    await comment({ author: rohan, mentions: [asha] });
    expect(await kindsOf(asha)).toEqual(["mentioned"]);
    expect(await kindsOf(mitali)).toEqual(["comment"]);
    expect(await kindsOf(meera)).toEqual(["comment"]);
    expect(await kindsOf(rohan)).toEqual([]);
  });

  test("no client of one of the team's comments, whoever calls, and nobody of a deleted one", async () => {
    const commentId = await comment({ author: rohan, visibility: "team", mentions: [meera] });
    expect(await kindsOf(meera)).toEqual([]);
    await database.db
      .insert(notifications)
      .values({ userId: meera.id, kind: "comment", cause: "by mistake", projectId, taskId, commentId });
    expect(await inboxOf(meera)).toMatchObject({ items: [], unread: 0 });
    expect(await kindsOf(mitali)).toEqual(["comment"]);
    await database.db.update(comments).set({ text: "", deletedAt: new Date() }).where(eq(comments.id, commentId));
    expect(await kindsOf(mitali)).toEqual([]);
  });
});

describe("following", () => {
  const following = async (person: UserRow) =>
    (await (await callers.as(person)).notifications.following({ subject: { taskId } })).following;

  test("comes from taking part, and one's own choice goes before that", async () => {
    expect(await Promise.all([rohan, mitali, meera, asha].map(following))).toEqual([true, true, true, false]);
    await (await callers.as(mitali)).notifications.follow({ subject: { taskId }, following: false });
    await (await callers.as(asha)).notifications.follow({ subject: { taskId }, following: true });
    await (await callers.as(asha)).notifications.follow({ subject: { taskId }, following: true });
    expect(await Promise.all([mitali, asha].map(following))).toEqual([false, true]);
    await comment({ author: rohan });
    expect(await kindsOf(mitali)).toEqual([]);
    expect(await kindsOf(asha)).toEqual(["comment"]);
  });

  test("a mention reaches also those who follow no more", async () => {
    await (await callers.as(mitali)).notifications.follow({ subject: { taskId }, following: false });
    await comment({ author: rohan, mentions: [mitali] });
    expect(await kindsOf(mitali)).toEqual(["mentioned"]);
  });

  test("what is deleted meanwhile is not found", async () => {
    const { notifications: caller } = await callers.as(rohan);
    for (const [table, subject] of [
      [tasks, { taskId }],
      [projects, { projectId }],
    ] as const) {
      let followed: ReturnType<typeof refusal> | undefined;
      await database.db.transaction(async (tx) => {
        await tx.delete(table).where(eq(table.id, "taskId" in subject ? taskId : projectId));
        followed = refusal(caller.follow({ subject, following: true }));
        await database.untilWaiting();
      });
      expect(await followed).toMatchObject({ code: "NOT_FOUND" });
    }
  });

  test("of a project holds for its own discussion", async () => {
    await (await callers.as(mitali)).notifications.follow({ subject: { projectId }, following: false });
    await comment({ author: rohan, onTask: false });
    expect([await kindsOf(mitali), await kindsOf(meera)]).toEqual([[], ["comment"]]);
    expect(await following(mitali)).toBe(true);
  });
});

describe("notifications.markRead", () => {
  test("marks one's own, drops their mails, and passes over what is another's", async () => {
    await send({ recipients: [mitali.id, meera.id] });
    const [own] = (await inboxOf(mitali)).items;
    const [others] = (await inboxOf(meera)).items;
    const caller = await callers.as(mitali);
    expect(await caller.notifications.markRead({ ids: [own?.id ?? "", others?.id ?? ""] })).toEqual({ unread: 0 });
    expect((await inboxOf(meera)).unread).toBe(1);
    const [row] = await database.db
      .select()
      .from(notifications)
      .where(eq(notifications.id, own?.id ?? ""));
    expect(row).toMatchObject({ readAt: expect.any(Date), mailDueAt: null });
    expect(await caller.notifications.list({ unreadOnly: true })).toMatchObject({ items: [] });
  });

  test.each([
    ["are marked", (caller: TestCaller) => caller.notifications.markRead({ all: true })],
    ["go with a task", (caller: TestCaller) => caller.tasks.delete({ taskId })],
    ["go with a project", (caller: TestCaller) => caller.projects.delete({ projectId })],
  ])("several that %s are taken by id, so that no two calls wait for each other", async (_, act) => {
    const low = `00000000-0000-4000-8000-${randomUUID().slice(-12)}`;
    const high = `ffffffff-0000-4000-8000-${randomUUID().slice(-12)}`;
    const rows = [high, low].map((id) => ({ id, userId: asha.id, projectId, taskId, kind: "comment" as const }));
    await database.db.insert(notifications).values(rows.map((row) => ({ ...row, cause: row.id })));
    const hold = (id: string) =>
      database.db.select({ id: notifications.id }).from(notifications).where(eq(notifications.id, id));
    let done: Promise<unknown> | undefined;
    const caller = await callers.as(asha);
    await database.db.transaction(async (tx) => {
      await tx.execute(hold(low).for("update"));
      done = act(caller);
      await database.untilWaiting();
      await tx.execute(hold(high).for("update", { noWait: true }));
    });
    await done;
    expect(await caller.notifications.unread()).toEqual({ unread: 0 });
  });

  test("marks all", async () => {
    await send({ recipients: [mitali.id] });
    await send({ recipients: [mitali.id] });
    expect(await (await callers.as(mitali)).notifications.markRead({ all: true })).toEqual({ unread: 0 });
    expect((await inboxOf(mitali)).items.every(({ readAt }) => readAt !== null)).toBe(true);
  });
});

describe("notifications.preferences", () => {
  test("are at once for what somebody waits for and daily for the rest, until one chooses", async () => {
    const caller = await callers.as(mitali);
    const preferences = await caller.notifications.preferences();
    expect(Object.keys(preferences)).toEqual([...NOTIFICATION_KINDS]);
    expect(preferences).toMatchObject({
      assigned: { inApp: true, mail: "at-once" },
      comment: { inApp: true, mail: "daily" },
    });
    const changed = await caller.notifications.setPreferences({ comment: { inApp: false, mail: "off" } });
    expect(changed).toEqual({ ...preferences, comment: { inApp: false, mail: "off" } });
    expect(await caller.notifications.setPreferences({})).toEqual(changed);
  });

  test("are offered to everybody of every kind that requests and sign-offs notify them of", async () => {
    const { db } = database;
    await db.update(projects).set({ clientCollaboration: true }).where(eq(projects.id, projectId));
    await db.insert(projectMembers).values({ projectId, userId: rohan.id, role: "manager", position: 0 });
    const [client, manager] = [await callers.as(meera), await callers.as(rohan)];
    const asked = { projectId, title: "Ropes", text: "Both", urgency: "normal" } as const;
    const { id: requestId } = await client.requests.create(asked);
    await manager.requests.decline({ requestId, reason: "Not this year" });
    const { id: signOffId } = await manager.signOffs.ask({ projectId, all: true, note: "Please." });
    await client.signOffs.requestChanges({ signOffId, reason: "The tides are wrong." });
    const notified = await db
      .selectDistinct({ kind: notifications.kind, accountType: users.accountType })
      .from(notifications)
      .innerJoin(users, eq(users.id, notifications.userId))
      .where(eq(notifications.projectId, projectId));
    expect(new Set(notified.map(({ kind }) => kind))).toEqual(
      new Set(["request", "request-decided", "sign-off-asked", "sign-off-decided"]),
    );
    for (const { kind, accountType } of notified) expect(NOTIFIED_OF[kind], kind).toContain(accountType);
  });

  test("say what is written: nothing for a kind that is off, a mail alone for one that the inbox does not show", async () => {
    const caller = await callers.as(mitali);
    await caller.notifications.setPreferences({
      assigned: { inApp: false, mail: "off" },
      comment: { inApp: false, mail: "at-once" },
      overdue: { inApp: true, mail: "off" },
    });
    for (const kind of ["assigned", "comment", "overdue"] as const) await send({ recipients: [mitali.id], kind });
    const rows = await database.db.select().from(notifications).where(eq(notifications.userId, mitali.id));
    expect(rows.map(({ kind, inApp, mailDueAt }) => [kind, inApp, mailDueAt !== null]).toSorted()).toEqual([
      ["comment", false, true],
      ["overdue", true, false],
    ]);
    expect(await kindsOf(mitali)).toEqual(["overdue"]);
  });
});

test("a stream carries what comes in, and the count when another tab reads", async () => {
  const stream = (await (await streaming.as(mitali)).notifications.onChange())[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => (await stream.next()).value;
  const first = next();
  await send({ recipients: [mitali.id], taskId });
  expect(await first).toMatchObject({ notification: { kind: "assigned", subject: { taskId } }, unread: 1 });
  await (await callers.as(mitali)).notifications.markRead({ all: true });
  expect(await next()).toEqual({ notification: null, unread: 0 });
  await stream.return?.();
});

test("a stream says that what was read is gone: a deleted comment, a task, and a project that one leaves", async () => {
  const admin = await callers.as(asha);
  const person = await makeUser(database.db);
  const project = await admin.projects.byId({ projectId });
  const assignedTo = [...project.assignedTo, person.id];
  const { version } = await admin.projects.update({ projectId, version: project.version, patch: { assignedTo } });
  const task = await admin.tasks.create({
    projectId,
    title: "Moorings",
    description: "Chains",
    assignedTo: [person.id],
  });
  const subject = { projectId };
  const written = { subject, text: `@[](person:${person.id})`, visibility: "team" as const };
  const { id: commentId } = await admin.comments.create({ ...written, clientCommentId: randomUUID() });
  const own = await callers.as(person);
  await own.notifications.markRead({ all: true });
  const kinds = async () => (await own.notifications.list({})).items.map(({ kind }) => kind);
  expect(await kinds()).toEqual(["mentioned", "assigned", "assigned"]);

  const stream = (await (await streaming.as(person)).notifications.onChange())[Symbol.asyncIterator]();
  const follow = async (change: () => Promise<unknown>) => {
    const next = stream.next();
    await change();
    expect((await next).value).toEqual({ notification: null, unread: 0 });
    return kinds();
  };
  expect(await follow(() => admin.comments.delete({ commentId }))).toEqual(["assigned", "assigned"]);
  expect(await follow(() => admin.tasks.delete({ taskId: task.id }))).toEqual(["assigned"]);
  const patch = { assignedTo: project.assignedTo };
  expect(await follow(() => admin.projects.update({ projectId, version, patch }))).toEqual([]);
  await stream.return?.();
});

describe("a stream of what arrives together", () => {
  const arrive = (count: number) =>
    database.db.transaction(async (tx) => {
      for (let at = 0; at < count; at += 1)
        await insertNotifications(tx, {
          ...{ kind: "assigned", cause: `${at}`, actorId: null, recipients: [mitali.id], projectId, details: `${at}` },
        });
    });
  const open = async () => {
    const stream = (await (await streaming.as(mitali)).notifications.onChange())[Symbol.asyncIterator]();
    const first = stream.next();
    return {
      next: async (at: number) => (await (at === 0 ? first : stream.next())).value,
      close: () => stream.return?.(),
    };
  };

  test("in an empty inbox carries each", async () => {
    const { next, close } = await open();
    await arrive(2);
    for (const at of [0, 1])
      expect(await next(at)).toMatchObject({ notification: { details: expect.stringMatching(/^[01]$/) }, unread: 2 });
    await close();
  });

  test("carries the newest of a burst, and says then that there are others", async () => {
    const { next, close } = await open();
    await arrive(25);
    for (let at = 0; at < 20; at += 1)
      expect(await next(at)).toMatchObject({ notification: { kind: "assigned" }, unread: 25 });
    expect(await next(20)).toEqual({ notification: null, unread: 25 });
    await close();
  });
});
