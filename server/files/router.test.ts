import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Tx } from "../../db/client";
import { makeConversation, makeFile, makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { auditEvents, files, messages, projects, tasks } from "../../db/schema";
import { MAX_LISTED_FILES } from "../contract/files";
import { MESSAGES } from "../contract/messages";
import { createTestCallers, refusal, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestCallers;
let [asha, rohan, meera]: UserRow[] = [];
let [admin, user, client]: TestCaller[] = [];
let projectId: string;
let taskId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  const { db } = database;
  [asha, rohan, meera] = [
    await makeUser(db, { accountType: "admin" }),
    await makeUser(db),
    await makeUser(db, { accountType: "client" }),
  ];
  [admin, user, client] = [await callers.as(asha), await callers.as(rohan), await callers.as(meera)];
  projectId = (await makeProject(db, { createdBy: rohan.id, clientId: meera.id })).id;
  taskId = (await makeTask(db, { projectId, createdBy: rohan.id })).id;
});
afterAll(() => database.close());

const upload = async (by: UserRow | undefined, name = "plan.txt") =>
  (await makeFile(database.db, { uploadedBy: by?.id ?? "", name })).id;
const collaborate = (clientCollaboration: boolean) =>
  database.db.update(projects).set({ clientCollaboration }).where(eq(projects.id, projectId));

test("files are attached in their order; a repeated call answers the same, one for another subject is a conflict", async () => {
  const fileIds = [await upload(rohan, "b.txt"), await upload(rohan, "a.txt")];
  const asked = { subject: { taskId }, fileIds, visibility: "team" as const };
  const attached = await user?.files.attach(asked);
  expect(attached?.map(({ name }) => name)).toEqual(["b.txt", "a.txt"]);
  expect(await user?.files.attach(asked)).toEqual(attached);
  expect(await user?.files.list({ subject: { taskId } })).toEqual(attached);
  expect(await user?.files.list({ subject: { projectId } })).toEqual([]);
  const elsewhere = user?.files.attach({ ...asked, subject: { projectId } });
  expect(await refusal(elsewhere ?? Promise.reject())).toMatchObject({ code: "CONFLICT", reason: "already-attached" });
});

test("at most 10 files go with a comment, an attachment or a message; with one more nothing is attached", async () => {
  const subject = { taskId };
  const between: [string, string] = [(await makeUser(database.db, { accountType: "admin" })).id, rohan?.id ?? ""];
  const { id: conversationId } = await makeConversation(database.db, { between, messages: [] });
  const fileIds = await Promise.all(Array.from({ length: 11 }, () => upload(rohan)));
  const calls = (ids: string[]) => [
    () =>
      user?.comments.create({ subject, text: "See", visibility: "team", clientCommentId: randomUUID(), fileIds: ids }),
    () => user?.files.attach({ subject, fileIds: ids, visibility: "team" }),
    () => user?.chat.send({ conversationId, text: "See", clientMessageId: randomUUID(), fileIds: ids }),
  ];
  for (const call of calls(fileIds)) {
    expect(await refusal(call() ?? Promise.resolve())).toMatchObject({
      code: "BAD_REQUEST",
      fieldErrors: { fileIds: [MESSAGES.files.tooMany] },
    });
  }
  expect(await database.db.$count(files, and(inArray(files.id, fileIds), isNotNull(files.attachedAt)))).toBe(0);
  for (const at of [0, 1, 2]) {
    const ten = await Promise.all(Array.from({ length: 10 }, () => upload(rohan)));
    await calls(ten)[at]?.();
    expect(await database.db.$count(files, and(inArray(files.id, ten), isNotNull(files.attachedAt)))).toBe(10);
  }
});

test("an admin who removes another's file is audited; whoever removes their own is not", async () => {
  const subject = { taskId };
  const fileIds = [await upload(rohan), await upload(rohan)];
  await user?.files.attach({ subject, fileIds, visibility: "team" });
  const [own = "", others = ""] = fileIds;
  await user?.files.remove({ fileId: own });
  await admin?.files.remove({ fileId: others });
  const rows = await database.db.select().from(auditEvents).where(eq(auditEvents.kind, "file.removed"));
  const details = { subject: expect.stringMatching(/-1$/) };
  expect(rows).toMatchObject([{ actorId: asha?.id, subjectId: rohan?.id, details }]);
});

test("of more than 500 files the newest are listed, and each of the earlier ones on one page before them", async () => {
  const subject = {
    projectId: (await makeProject(database.db, { createdBy: asha?.id ?? "", clientId: meera?.id ?? null })).id,
  };
  const template = await upload(asha);
  // Ten at a time, as they are attached; every third is the team's alone.
  await database.sql`insert into files (name, size, type, hash, uploaded_by, project_id, visibility, attached_at, position)
    select 'file ' || at, size, type, hash, uploaded_by, ${subject.projectId}, case when at % 3 = 0 then 'team' else 'client' end::visibility,
      now() - (at / 10) * interval '1 second', 9 - at % 10
    from files, generate_series(1, ${2 * MAX_LISTED_FILES + 200}) as at where files.id = ${template}`;
  const newestFirst = async (caller: TestCaller | undefined) => {
    const names: string[] = [];
    for (let cursor: string | undefined, isFull = true; isFull; ) {
      const page: { id: string; name: string }[] = (await caller?.files.list({ subject, cursor })) ?? [];
      names.push(...page.map(({ name }) => name).reverse());
      cursor = page[0]?.id;
      isFull = page.length === MAX_LISTED_FILES;
    }
    return names;
  };
  const all = Array.from({ length: 2 * MAX_LISTED_FILES + 200 }, (_, at) => at + 1);
  expect(await newestFirst(admin)).toEqual(all.map((at) => `file ${at}`));
  expect(await newestFirst(client)).toEqual(all.filter((at) => at % 3 !== 0).map((at) => `file ${at}`));
  const hidden = (await admin?.files.list({ subject }))?.find(({ visibility }) => visibility === "team");
  expect(await refusal(client?.files.list({ subject, cursor: hidden?.id }) ?? Promise.reject())).toMatchObject({
    code: "NOT_FOUND",
  });
});

test("what a file is attached to is asked for in the moment of it: what is deleted, or read only by then, takes none", async () => {
  const { db } = database;
  const project = await makeProject(db, {
    createdBy: asha?.id ?? "",
    clientId: meera?.id ?? null,
    clientCollaboration: true,
  });
  const task = await makeTask(db, { projectId: project.id, createdBy: asha?.id ?? "" });
  const during = async (by: TestCaller | undefined, file: string, change: (tx: Tx) => Promise<unknown>) => {
    let attached: ReturnType<typeof refusal> | undefined;
    await db.transaction(async (tx) => {
      await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, project.id)).for("update");
      await change(tx);
      const asked = { subject: { taskId: task.id }, fileIds: [file], visibility: "client" as const };
      attached = refusal(by?.files.attach(asked) ?? Promise.reject());
      await database.untilWaiting();
    });
    return attached;
  };
  const own = await upload(meera);
  const off = (tx: Tx) => tx.update(projects).set({ clientCollaboration: false }).where(eq(projects.id, project.id));
  expect(await during(client, own, off)).toMatchObject({ code: "FORBIDDEN" });
  const gone = (tx: Tx) => tx.delete(tasks).where(eq(tasks.id, task.id));
  expect(await during(admin, await upload(asha), gone)).toMatchObject({ code: "NOT_FOUND" });
});

test("a file that is sent with a message meanwhile is not removed from it", async () => {
  const { db } = database;
  const texts = [{ senderId: asha?.id ?? "", text: "Here it is" }];
  const { id } = await makeConversation(db, { between: [asha?.id ?? "", rohan?.id ?? ""], messages: texts });
  const [message] = await db.select().from(messages).where(eq(messages.conversationId, id));
  const fileId = await upload(asha);
  let removed: ReturnType<typeof refusal> | undefined;
  await db.transaction(async (tx) => {
    const sent = { messageId: message?.id ?? "", attachedAt: new Date() };
    await tx.update(files).set(sent).where(eq(files.id, fileId));
    removed = refusal(admin?.files.remove({ fileId }) ?? Promise.reject());
    await database.untilWaiting();
  });
  expect(await removed).toMatchObject({ code: "FORBIDDEN" });
  expect(await db.$count(files, eq(files.id, fileId))).toBe(1);
});

test("nobody attaches what others have uploaded, and nothing of a refused call is attached", async () => {
  const [own, foreign] = [await upload(rohan), await upload(asha)];
  for (const other of [foreign, randomUUID()]) {
    const call = user?.files.attach({ subject: { projectId }, fileIds: [own, other], visibility: "client" });
    expect(await refusal(call ?? Promise.reject())).toMatchObject({ code: "NOT_FOUND" });
  }
  const [row] = await database.db.select().from(files).where(eq(files.id, own));
  expect(row?.attachedAt).toBeNull();
});

test("a client sees client-visible files only, and adds some where collaboration is on; they are always client-visible", async () => {
  const subject = { projectId };
  await user?.files.attach({ subject, fileIds: [await upload(rohan, "team.txt")], visibility: "team" });
  await user?.files.attach({ subject, fileIds: [await upload(rohan, "both.txt")], visibility: "client" });
  expect((await client?.files.list({ subject }))?.map(({ name }) => name)).toEqual(["both.txt"]);
  expect(await admin?.files.list({ subject, asClientId: meera?.id })).toEqual(await client?.files.list({ subject }));
  const own = { subject, fileIds: [await upload(meera, "own.txt")], visibility: "team" as const };
  expect(await refusal(client?.files.attach(own) ?? Promise.reject())).toMatchObject({ code: "FORBIDDEN" });
  await collaborate(true);
  expect(await client?.files.attach(own)).toMatchObject([{ name: "own.txt", visibility: "client" }]);
  const [, file] = (await client?.files.list({ subject })) ?? [];
  await collaborate(false);
  const remove = () => client?.files.remove({ fileId: file?.id ?? "" }) ?? Promise.reject();
  expect(await refusal(remove())).toMatchObject({ code: "FORBIDDEN" });
  await collaborate(true);
  expect(await remove()).toEqual({ ok: true });
  expect((await client?.files.list({ subject }))?.map(({ name }) => name)).toEqual(["both.txt"]);
});

test("a message carries files, once for each key: others under the same key are refused", async () => {
  const { db } = database;
  const conversation = await makeConversation(db, {
    between: [asha?.id ?? "", meera?.id ?? ""],
    messages: [{ senderId: asha?.id ?? "" }],
  });
  const [one, two] = [await upload(meera, "one.txt"), await upload(meera, "two.txt")];
  const message = {
    conversationId: conversation.id,
    text: "The plans",
    clientMessageId: randomUUID(),
    fileIds: [two, one],
  };
  const sent = await client?.chat.send(message);
  expect(sent?.files.map(({ name, visibility }) => [name, visibility])).toEqual([
    ["two.txt", null],
    ["one.txt", null],
  ]);
  expect(await client?.chat.send(message)).toEqual(sent);
  for (const fileIds of [[one, two], [two], undefined]) {
    const other = client?.chat.send({ ...message, fileIds });
    expect(await refusal(other ?? Promise.reject())).toMatchObject({ code: "CONFLICT", reason: "key-taken" });
  }
  const { items } = (await admin?.chat.messages({ conversationId: conversation.id })) ?? { items: [] };
  expect(items.map(({ files: its, kind }) => [its.length, kind])).toEqual([
    [0, "text"],
    [2, "text"],
  ]);
  const begun = await user?.chat.start({
    ...{ recipientId: asha?.id ?? "", text: "Here", clientMessageId: randomUUID() },
    fileIds: [await upload(rohan)],
  });
  expect(begun?.message.files).toHaveLength(1);
  const gone = { ...message, clientMessageId: randomUUID(), fileIds: [await upload(meera), one] };
  expect(await refusal(client?.chat.send(gone) ?? Promise.reject())).toMatchObject({ reason: "already-attached" });
  const after = await admin?.chat.messages({ conversationId: conversation.id });
  expect(after?.items).toHaveLength(2);
  const remove = client?.files.remove({ fileId: one });
  expect(await refusal(remove ?? Promise.reject())).toMatchObject({ code: "FORBIDDEN" });
});
