import { randomUUID } from "node:crypto";
import type { AccountType } from "@db/enums";
import { and, asc, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Db, Tx } from "../../db/client";
import { makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import {
  auditEvents,
  comments,
  files,
  notifications,
  projectMembers,
  projects,
  tasks,
  users,
  webhookDeliveries,
  webhooks,
} from "../../db/schema";
import { writeMention } from "../contract/mentions";
import { MESSAGES } from "../contract/messages";
import { createTestCallers, refusal, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestCallers;
let asha: UserRow;
let rohan: UserRow;
let mitali: UserRow;
let meera: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  asha = await makeUser(database.db, { name: "Asha Kulkarni", accountType: "admin" });
  rohan = await makeUser(database.db, { name: "Rohan Shah" });
  mitali = await makeUser(database.db, { name: "Mitali Deo" });
  meera = await makeUser(database.db, { name: "Meera Rao", accountType: "client" });
});
afterAll(() => database.close());

const newProject = (changes: object = {}) =>
  makeProject(database.db, { createdBy: rohan.id, clientId: meera.id, clientCollaboration: true, ...changes });
const newSubject = async () => ({ projectId: (await newProject()).id });
type Subject = { projectId: string } | { taskId: string };
const create = async (by: UserRow, subject: Subject, changes: object = {}) =>
  (await callers.as(by)).comments.create({
    subject,
    text: "Is it done?",
    visibility: "team",
    clientCommentId: randomUUID(),
    ...changes,
  });
const list = async (by: UserRow, subject: Subject, changes: object = {}) =>
  (await callers.as(by)).comments.list({ subject, ...changes });
const update = async (by: UserRow, commentId: string, text: string) =>
  (await callers.as(by)).comments.update({ commentId, text });
const remove = async (by: UserRow, commentId: string) => (await callers.as(by)).comments.delete({ commentId });
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("a comment", () => {
  test("stands with its author on a task, where the team sees it; the project's own discussion is another one", async () => {
    const project = await newProject();
    const task = await makeTask(database.db, { projectId: project.id, createdBy: rohan.id });
    const clientCommentId = randomUUID();
    const made = await create(rohan, { taskId: task.id }, { text: "  Is it done?\r\n", clientCommentId });
    expect(made).toEqual({
      id: expect.any(String),
      projectId: project.id,
      taskId: task.id,
      seq: 1,
      authorId: rohan.id,
      author: { id: rohan.id, name: "Rohan Shah", accountType: "user", profileImgLink: null },
      clientCommentId,
      text: "Is it done?",
      visibility: "team",
      mentions: [],
      files: [],
      createdAt: expect.stringMatching(INSTANT),
      editedAt: null,
      deletedAt: null,
    });
    expect((await list(asha, { taskId: task.id })).items).toEqual([{ ...made, clientCommentId: null }]);
    expect((await list(asha, { projectId: project.id })).items).toEqual([]);
  });

  test("changes nothing about its task and its project: no version, no time", async () => {
    const project = await newProject();
    await create(rohan, { projectId: project.id });
    const [after] = await database.db.select().from(projects).where(eq(projects.id, project.id));
    expect(after).toEqual(project);
  });

  test("of a client is always one that the client can see", async () => {
    const subject = await newSubject();
    expect(await create(meera, subject, { visibility: "team" })).toMatchObject({ seq: 1, visibility: "client" });
  });

  test("is written by a client only where client collaboration is on; reading needs none", async () => {
    const project = await newProject({ clientCollaboration: false });
    await create(rohan, { projectId: project.id }, { visibility: "client" });
    const refused = { code: "FORBIDDEN", message: MESSAGES.comments.collaborationOff };
    await expect(create(meera, { projectId: project.id })).rejects.toMatchObject(refused);
    expect((await list(meera, { projectId: project.id })).items).toHaveLength(1);
  });

  test("is sent once, however often: another text, place or visibility under its key is a conflict", async () => {
    const subject = await newSubject();
    const again = { clientCommentId: randomUUID() };
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => create(rohan, subject, again)));
    expect(others).toEqual([first, first]);
    const taken = { code: "CONFLICT", message: MESSAGES.comments.keyTaken };
    await expect(create(rohan, subject, { ...again, text: "Another" })).rejects.toMatchObject(taken);
    await expect(create(rohan, subject, { ...again, visibility: "client" })).rejects.toMatchObject(taken);
    await expect(create(rohan, await newSubject(), again)).rejects.toMatchObject(taken);
    expect(await create(mitali, { projectId: (await newProject({ createdBy: mitali.id })).id }, again)).toBeTruthy();
    expect((await list(rohan, subject)).items).toHaveLength(1);
  });

  test("that was edited or deleted since its first try is returned as it is now", async () => {
    const subject = await newSubject();
    const again = { clientCommentId: randomUUID() };
    const { id } = await create(rohan, subject, again);
    await update(rohan, id, "It is done.");
    expect(await create(rohan, subject, again)).toMatchObject({ id, text: "It is done." });
    await remove(rohan, id);
    expect(await create(rohan, subject, again)).toMatchObject({ id, text: "", deletedAt: expect.any(String) });
  });
});

describe("what a client reads", () => {
  test("has numbers, ids and pages of its own, which no comment of the team moves", async () => {
    const subject = await newSubject();
    const made: string[] = [];
    for (const visibility of ["team", "client", "team", "client", "team"])
      made.push((await create(rohan, subject, { visibility })).id);
    const page = await list(meera, subject);
    expect(page.items.map(({ id, seq }) => [id, seq])).toEqual([
      [made[1], 1],
      [made[3], 2],
    ]);
    expect(page).toMatchObject({ nextCursor: null, readUpToSeq: 0, lastEventId: "client-2" });
    expect((await list(rohan, subject)).items.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(await list(asha, subject, { asClientId: meera.id })).toEqual(page);
  });

  test("refuses a comment of the team like one that does not exist", async () => {
    const { id } = await create(rohan, await newSubject());
    const caller = await callers.as(meera);
    const missing = await refusal(caller.comments.delete({ commentId: randomUUID() }));
    expect(missing.code).toBe("NOT_FOUND");
    expect(await refusal(caller.comments.delete({ commentId: id }))).toEqual(missing);
    expect(await refusal(caller.comments.update({ commentId: id, text: "Mine" }))).toEqual(missing);
  });
});

describe("pages", () => {
  test("say whether the reader has shown the client something in that project, wherever, and whatever became of it", async () => {
    const project = await newProject({ clientCollaboration: true });
    const task = await makeTask(database.db, { projectId: project.id, createdBy: rohan.id });
    const answers = () =>
      Promise.all(
        [rohan, asha].flatMap((person) =>
          [{ projectId: project.id }, { taskId: task.id }].map(
            async (subject) => (await list(person, subject)).hasShownClient,
          ),
        ),
      );
    await create(rohan, { taskId: task.id });
    expect(await answers()).toEqual([false, false, false, false]);
    const { id } = await create(rohan, { taskId: task.id }, { visibility: "client" });
    await remove(rohan, id);
    expect(await answers()).toEqual([true, true, false, false]);
    expect((await list(rohan, await newSubject())).hasShownClient).toBe(false);
  });

  test("go back from the newest, each ascending, and end with a null cursor", async () => {
    const subject = await newSubject();
    for (let at = 1; at <= 5; at += 1) await create(rohan, subject, { text: `No. ${at}` });
    const newest = await list(rohan, subject, { limit: 2 });
    expect([newest.items.map(({ seq }) => seq), newest.nextCursor]).toEqual([[4, 5], 4]);
    const oldest = await list(rohan, subject, { limit: 3, before: 4 });
    expect([oldest.items.map(({ seq }) => seq), oldest.nextCursor]).toEqual([[1, 2, 3], null]);
  });

  test("say how far the reader has read; the mark moves forward only, and not past the newest", async () => {
    const subject = await newSubject();
    const caller = await callers.as(rohan);
    expect(await caller.comments.markRead({ subject, upToSeq: 4 })).toEqual({ upToSeq: 0 });
    for (let at = 1; at <= 3; at += 1) await create(asha, subject);
    expect(await caller.comments.markRead({ subject, upToSeq: 2 })).toEqual({ upToSeq: 2 });
    expect(await caller.comments.markRead({ subject, upToSeq: 1 })).toEqual({ upToSeq: 2 });
    expect(await caller.comments.markRead({ subject, upToSeq: 9 })).toEqual({ upToSeq: 3 });
    expect((await list(rohan, subject)).readUpToSeq).toBe(3);
    expect((await list(asha, subject)).readUpToSeq).toBe(0);
  });
});

test("a read mark of one side does not count for the other after a change of account type", async () => {
  const person = await makeUser(database.db);
  const { id: projectId } = await newProject({ managers: [person.id] });
  await database.db.insert(projectMembers).values({ projectId, userId: person.id, role: "client", position: 0 });
  const subject = { projectId };
  for (let at = 1; at <= 3; at += 1) await create(rohan, subject);
  await create(rohan, subject, { visibility: "client" });
  await (await callers.as(person)).comments.markRead({ subject, upToSeq: 4 });
  const setType = async (accountType: AccountType) => {
    await (await callers.as(asha)).users.setType({ userId: person.id, accountType });
    return { ...person, accountType };
  };
  const colleague = await setType("admin");
  expect((await list(colleague, subject)).readUpToSeq).toBe(4);
  const client = await setType("client");
  const { id } = await create(rohan, subject, { text: `See ${writeMention(client)}`, visibility: "client" });
  expect(await list(client, subject)).toMatchObject({ readUpToSeq: 0, items: [{ seq: 1 }, { id, seq: 2 }] });
  const caller = await callers.as(client);
  expect(await caller.notifications.unread()).toEqual({ unread: 1 });
  expect(await caller.comments.markRead({ subject, upToSeq: 2 })).toEqual({ upToSeq: 2 });
  expect(await caller.notifications.unread()).toEqual({ unread: 0 });
  expect((await list(await setType("user"), subject)).readUpToSeq).toBe(0);
});

describe("files", () => {
  const upload = async (by: UserRow) => {
    const file = { hash: "0".repeat(64), name: "plan.pdf", size: 3, type: "application/pdf", uploadedBy: by.id };
    const [made] = await database.db.insert(files).values(file).returning({ id: files.id });
    return made?.id ?? "";
  };

  test("come with their comment, in their order and with its visibility; under its key others are a conflict", async () => {
    const subject = await newSubject();
    const again = { clientCommentId: randomUUID(), fileIds: [await upload(meera), await upload(meera)].toReversed() };
    const made = await create(meera, subject, again);
    expect(made.files.map(({ id, visibility }) => [id, visibility])).toEqual(again.fileIds.map((id) => [id, "client"]));
    expect((await create(meera, subject, again)).id).toBe(made.id);
    const others = { ...again, fileIds: again.fileIds.toReversed() };
    await expect(create(meera, subject, others)).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await list(rohan, subject)).items[0]?.files).toEqual(made.files);
    await remove(meera, made.id);
    expect((await list(rohan, subject)).items[0]?.files).toEqual([]);
    expect(await database.db.$count(files, inArray(files.id, again.fileIds))).toBe(0);
  });

  test("of somebody else, or on another comment, leave no comment behind", async () => {
    const subject = await newSubject();
    const fileIds = [await upload(meera)];
    await expect(create(rohan, subject, { fileIds })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await create(meera, subject, { fileIds });
    await expect(create(meera, subject, { fileIds })).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await list(rohan, subject)).items).toHaveLength(1);
  });
});

describe("notifications", () => {
  const kindsOf = async (person: UserRow, commentId: string) => {
    const rows = await database.db.select().from(notifications).where(eq(notifications.commentId, commentId));
    return rows.filter(({ userId }) => userId === person.id).map(({ kind }) => kind);
  };

  test("tell whom a comment mentions, then who takes part; an edit only those it mentions anew", async () => {
    const subject = { projectId: (await newProject({ managers: [mitali.id] })).id };
    const text = (...people: UserRow[]) => `See ${people.map((person) => writeMention(person)).join(" ")}`;
    const { id } = await create(rohan, subject, { text: text(asha) });
    expect(await kindsOf(asha, id)).toEqual(["mentioned"]);
    expect(await kindsOf(mitali, id)).toEqual(["comment"]);
    expect(await kindsOf(rohan, id)).toEqual([]);
    expect(await kindsOf(meera, id)).toEqual([]);
    const vikram = await makeUser(database.db, { name: "Vikram Menon", accountType: "admin" });
    await (await callers.as(mitali)).notifications.markRead({ all: true });
    await update(rohan, id, text(asha, mitali, vikram));
    expect(await kindsOf(vikram, id)).toEqual(["mentioned"]);
    // In place of what told her that there is a comment: it is new to her, and mailed as a mention is.
    expect(await kindsOf(mitali, id)).toEqual(["mentioned"]);
    const [again] = (await (await callers.as(mitali)).notifications.list({ unreadOnly: true })).items;
    expect(again).toMatchObject({ kind: "mentioned", subject: { commentId: id }, readAt: null });
    await (await callers.as(mitali)).notifications.markRead({ all: true });
    await update(rohan, id, text(asha));
    await update(rohan, id, text(asha, mitali));
    expect(await (await callers.as(mitali)).notifications.unread()).toEqual({ unread: 0 });
  });

  test("that told of comments are read with these, and no mail goes out; those of later ones stay", async () => {
    const { id: projectId } = await newProject({ managers: [mitali.id] });
    const task = await makeTask(database.db, { projectId, createdBy: rohan.id });
    const subject = { taskId: task.id };
    const isOpen = async (person: UserRow) => {
      const rows = await database.db
        .select({ readAt: notifications.readAt, mailDueAt: notifications.mailDueAt })
        .from(notifications)
        .where(and(eq(notifications.userId, person.id), eq(notifications.taskId, task.id)))
        .orderBy(asc(notifications.createdAt));
      return rows.map(({ readAt, mailDueAt }) => readAt === null && mailDueAt !== null);
    };
    await create(rohan, subject, { text: `Team first, ${writeMention(mitali)}` });
    await create(rohan, subject, { text: `See ${writeMention(meera)} ${writeMention(mitali)}`, visibility: "client" });
    await create(rohan, subject, { text: `And ${writeMention(meera)} ${writeMention(mitali)}`, visibility: "client" });
    expect(await isOpen(mitali)).toEqual([true, true, true]);
    await (await callers.as(mitali)).comments.markRead({ subject, upToSeq: 2 });
    expect(await isOpen(mitali)).toEqual([false, false, true]);
    expect(await (await callers.as(mitali)).notifications.unread()).toEqual({ unread: 1 });
    // By the numbers that the reader sees.
    expect(await isOpen(meera)).toEqual([true, true]);
    await (await callers.as(meera)).comments.markRead({ subject, upToSeq: 1 });
    expect(await isOpen(meera)).toEqual([false, true]);
  });

  test("of an edit are read with its comment, also where the comment was read before", async () => {
    const { id: projectId } = await newProject({ managers: [mitali.id] });
    const subject = { projectId };
    const [, second] = [await create(rohan, subject), await create(rohan, subject), await create(rohan, subject)];
    const caller = await callers.as(mitali);
    await caller.comments.markRead({ subject, upToSeq: 3 });
    await update(rohan, second?.id ?? "", `See ${writeMention(mitali)}`);
    const { readAt, mailDueAt } = notifications;
    const notified = () =>
      database.db
        .select({ readAt, mailDueAt })
        .from(notifications)
        .where(and(eq(notifications.userId, mitali.id), eq(notifications.commentId, second?.id ?? "")));
    expect(await notified()).toEqual([{ readAt: null, mailDueAt: expect.any(Date) }]);
    expect(await caller.comments.markRead({ subject, upToSeq: 3 })).toEqual({ upToSeq: 3 });
    expect(await notified()).toEqual([{ readAt: expect.any(Date), mailDueAt: null }]);
  });

  test("go to webhooks with everybody whom a comment or an edit mentions", async () => {
    const kinds = ["mentioned" as const];
    const sealed = { sealedSecret: "", keyId: "" };
    const [hook] = await database.db
      .insert(webhooks)
      .values({ url: "https://hooks.example/", kinds, createdBy: asha.id, ...sealed })
      .returning();
    const subject = { projectId: (await newProject({ managers: [mitali.id] })).id };
    const { id } = await create(rohan, subject, { text: `See ${writeMention(asha)}` });
    await update(rohan, id, `See ${writeMention(asha)} ${writeMention(mitali)}`);
    const sent = await database.db
      .select({ body: webhookDeliveries.body })
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.webhookId, hook?.id ?? ""))
      .orderBy(asc(webhookDeliveries.createdAt));
    expect(sent.map(({ body }) => JSON.parse(body).data.personIds)).toEqual([[asha.id], [mitali.id]]);
    await database.db.delete(webhooks);
  });
});

describe("who may write", () => {
  test("is asked in the moment of writing: nothing comes of what waited while that was taken away", async () => {
    const { db } = database;
    const project = await newProject();
    const { id: taskId } = await makeTask(db, { projectId: project.id, createdBy: rohan.id });
    const { id: commentId } = await create(meera, { taskId });
    const during = async (act: () => Promise<unknown>, change: (tx: Tx) => Promise<unknown>) => {
      let done: ReturnType<typeof refusal> | undefined;
      await db.transaction(async (tx) => {
        await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, project.id)).for("update");
        await change(tx);
        done = refusal(act());
        await database.untilWaiting();
      });
      return (await done)?.code;
    };
    const collaborate = (isOn: boolean) => (tx: Tx | Db) =>
      tx.update(projects).set({ clientCollaboration: isOn }).where(eq(projects.id, project.id));
    for (const act of [
      () => create(meera, { taskId }),
      () => update(meera, commentId, "Changed"),
      () => remove(meera, commentId),
    ]) {
      expect(await during(act, collaborate(false))).toBe("FORBIDDEN");
      await collaborate(true)(db);
    }
    const removed = (tx: Tx) => tx.update(projects).set({ clientId: null }).where(eq(projects.id, project.id));
    expect(await during(() => create(meera, { taskId }), removed)).toBe("NOT_FOUND");
    const markRead = async () => (await callers.as(rohan)).comments.markRead({ subject: { taskId }, upToSeq: 1 });
    const deleted = (tx: Tx) => tx.delete(tasks).where(eq(tasks.id, taskId));
    let late: ReturnType<typeof refusal>[] = [];
    await db.transaction(async (tx) => {
      await deleted(tx);
      late = [refusal(create(rohan, { taskId })), refusal(markRead())];
      await database.untilWaiting(2);
    });
    expect((await Promise.all(late)).map(({ code }) => code)).toEqual(["NOT_FOUND", "NOT_FOUND"]);
  });
});

describe("an edit", () => {
  test("is the author's alone, and shows; the same text is none", async () => {
    const subject = await newSubject();
    const { id } = await create(rohan, subject);
    await expect(update(asha, id, "Not mine")).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await update(rohan, id, "Is it done?")).toMatchObject({ editedAt: null });
    expect(await update(rohan, id, "It is.")).toMatchObject({ text: "It is.", seq: 1, editedAt: expect.any(String) });
  });

  test("of what was edited since is a conflict that carries the comment as it is; the same text again is none", async () => {
    const { id } = await create(rohan, await newSubject());
    const caller = await callers.as(rohan);
    const edit = (text: string, seenEditedAt: string | null) =>
      caller.comments.update({ commentId: id, text, seenEditedAt });
    const first = await edit("In one tab", null);
    const stale = { code: "CONFLICT", reason: "stale-version", current: first };
    await expect(edit("In another tab", null)).rejects.toMatchObject({ cause: stale });
    expect(await edit("In one tab", null)).toEqual(first);
    const second = await edit("In another tab", first.editedAt);
    expect(second.text).toBe("In another tab");
    const both = await Promise.allSettled(["Left", "Right"].map((text) => edit(text, second.editedAt)));
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    // Programs that do not say what they saw: the last edit stands.
    expect(await update(rohan, id, "Whatever")).toMatchObject({ text: "Whatever" });
  });

  test("of a deleted comment is a conflict", async () => {
    const { id } = await create(rohan, await newSubject());
    await remove(rohan, id);
    const gone = { code: "CONFLICT", message: MESSAGES.comments.deleted };
    await expect(update(rohan, id, "Once more")).rejects.toMatchObject(gone);
  });
});

describe("a deletion", () => {
  test("leaves the place without the text, and happens once", async () => {
    const subject = await newSubject();
    const { id } = await create(rohan, subject, { text: `Ask ${writeMention({ id: asha.id, name: "Asha" })}` });
    expect(await remove(rohan, id)).toEqual({ id });
    const [deleted] = (await list(rohan, subject)).items;
    expect(deleted).toMatchObject({ id, seq: 1, text: "", mentions: [], deletedAt: expect.stringMatching(INSTANT) });
    expect(await remove(rohan, id)).toEqual({ id });
    expect((await list(rohan, subject)).items).toEqual([deleted]);
  });

  test("of another's is for admins, and audited; one's own is not", async () => {
    const project = await newProject({ key: "AUD" });
    const task = await makeTask(database.db, { projectId: project.id, createdBy: rohan.id });
    const { id } = await create(rohan, { taskId: task.id });
    const own = await create(asha, { taskId: task.id });
    await remove(asha, id);
    await remove(asha, id);
    await remove(asha, own.id);
    const rows = await database.db.select().from(auditEvents).where(eq(auditEvents.kind, "comment.deleted"));
    expect(rows).toMatchObject([{ actorId: asha.id, subjectId: rohan.id, details: { subject: "AUD-1" } }]);
  });
});

describe("a mention", () => {
  test("is stored by id alone, and read with the present name", async () => {
    const subject = await newSubject();
    const person = await makeUser(database.db, { name: "Nikhil ]\\ Jain", accountType: "admin" });
    const text = `Ask ${writeMention({ id: person.id, name: "whoever" })}, not @[Nobody](person:x).`;
    const made = await create(rohan, subject, { text });
    expect(made.mentions).toEqual([person.id]);
    expect(made.text).toBe(`Ask @[Nikhil \\]\\\\ Jain](person:${person.id}), not @[Nobody](person:x).`);
    const [stored] = await database.db.select().from(comments).where(eq(comments.id, made.id));
    expect(stored?.text).toBe(`Ask @[](person:${person.id}), not @[Nobody](person:x).`);
    await database.db.update(users).set({ displayName: "Nik" }).where(eq(users.id, person.id));
    expect((await list(asha, subject)).items[0]?.text).toContain(`Ask @[Nik](person:${person.id}),`);
    // What was read can be sent back: who is mentioned already may have lost sight of it.
    await database.db.update(users).set({ accountStatus: "inactive" }).where(eq(users.id, person.id));
    const again = `${(await list(rohan, subject)).items[0]?.text} Thanks.`;
    expect(await update(rohan, made.id, again)).toMatchObject({ text: again, mentions: [person.id] });
  });

  test("is only of who can see it: for the team's comments no client, and nobody unknown, outside or inactive", async () => {
    const subject = await newSubject();
    const inactive = await makeUser(database.db, { accountType: "admin", accountStatus: "inactive" });
    const refused = { code: "BAD_REQUEST" };
    const mentioning = ({ id }: { id: string }, changes: object = {}) =>
      create(rohan, subject, { text: `Ask ${writeMention({ id, name: "Them" })}`, ...changes });
    for (const person of [mitali, inactive, { id: randomUUID() }])
      await expect(mentioning(person, { visibility: "client" })).rejects.toMatchObject(refused);
    await expect(mentioning(meera)).rejects.toMatchObject(refused);
    const { id } = await mentioning(asha);
    for (const person of [mitali, inactive, meera, { id: randomUUID() }])
      await expect(update(rohan, id, `Ask ${writeMention({ id: person.id, name: "Asha" })}`)).rejects.toMatchObject(
        refused,
      );
    expect((await list(rohan, subject)).items).toMatchObject([{ mentions: [asha.id], editedAt: null }]);
    expect(await mentioning(meera, { visibility: "client" })).toMatchObject({ mentions: [meera.id] });
    const ids = (await (await callers.as(meera)).comments.mentionable({ subject })).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([asha.id, rohan.id, meera.id]));
    expect(ids).not.toContain(mitali.id);
    expect(ids).not.toContain(inactive.id);
  });
});
