import { randomUUID } from "node:crypto";
import { and, asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeConversation, makeFile, makeProject, makeUser, type UserRow } from "../../db/factories";
import { files, messages, messageTasks, notifications, projects, requests, tasks } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { MAX_LISTED_REQUESTS, MAX_REPLIES } from "../contract/messages/requests";
import { refusal, startTestProcess, type TestProcess } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestProcess;
let asha: UserRow;
let rohan: UserRow;
let mitali: UserRow;
let meera: UserRow;
let karan: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = await startTestProcess(database);
  const { db } = database;
  asha = await makeUser(db, { name: "Asha Kulkarni", accountType: "admin" });
  rohan = await makeUser(db, { name: "Rohan Shah" });
  mitali = await makeUser(db, { name: "Mitali Deo" });
  meera = await makeUser(db, { name: "Meera Rao", accountType: "client" });
  karan = await makeUser(db, { name: "Karan Mehta", accountType: "client" });
});
afterAll(async () => {
  await callers.listener.close();
  await database.close();
});

/** Managed by Rohan, with Mitali on it, for Meera. */
const newProject = (changes: object = {}) =>
  makeProject(database.db, {
    createdBy: mitali.id,
    clientId: meera.id,
    clientCollaboration: true,
    managers: [rohan.id],
    ...changes,
  });
const api = async (who: UserRow) => (await callers.as(who)).requests;
const fields = { title: "Tides in the evening", text: "Show the evening's tide too.", urgency: "high" as const };
const create = async (by: UserRow, projectId: string, changes: object = {}) =>
  (await api(by)).create({ projectId, ...fields, ...changes });
const newRequest = async () => create(meera, (await newProject()).id);
type Filed = { id: string; projectId: string };
const task = { title: "Evening tides", description: "As the client asks." };
const setCollaboration = (projectId: string, clientCollaboration: boolean) =>
  database.db.update(projects).set({ clientCollaboration }).where(eq(projects.id, projectId));
const notificationsOf = (kind: "request" | "request-decided", requestId: string) =>
  database.db
    .select({ userId: notifications.userId, details: notifications.details, readAt: notifications.readAt })
    .from(notifications)
    .where(and(eq(notifications.kind, kind), eq(notifications.requestId, requestId)))
    .orderBy(asc(notifications.createdAt));
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test("a list of all holds what waits, however many were decided since", async () => {
  const { id: projectId } = await newProject();
  const old = await create(meera, projectId);
  await database.sql`update requests set created_at = now() - interval '1 year' where id = ${old.id}`;
  await database.sql`insert into requests (project_id, title, text, urgency, status, created_by, created_at, decided_at)
    select ${projectId}, 'One of many', 'Text', 'low', 'declined', ${meera.id}, now() - at * interval '1 minute', now()
    from generate_series(1, ${MAX_LISTED_REQUESTS}) as at`;
  const newest = await create(meera, projectId);
  const listed = await (await api(rohan)).list({ projectId });
  expect(listed).toHaveLength(MAX_LISTED_REQUESTS);
  expect([listed[0]?.id, listed.at(-1)?.id]).toEqual([newest.id, old.id]);
  expect(listed.map(({ createdAt }) => createdAt)).toEqual(
    listed.map(({ createdAt }) => createdAt).toSorted((a, b) => b.localeCompare(a)),
  );
  await database.db.delete(projects).where(eq(projects.id, projectId));
});

test("each request is on one page of the list, those that wait before the decided ones, also of one status", async () => {
  const { id: projectId } = await newProject();
  // More than a page of either half, and several in one instant.
  await database.sql`insert into requests (project_id, title, text, urgency, status, created_by, created_at, decided_at)
    select ${projectId}, 'One of many', 'Text', 'low', case when at % 2 = 0 then 'new' else 'declined' end, ${meera.id},
      now() - (at / 7) * interval '1 minute' - interval '0.123456 seconds', case when at % 2 = 0 then null else now() end
    from generate_series(1, ${2 * MAX_LISTED_REQUESTS + 40}) as at`;
  const { list } = await api(meera);
  const pages = async (status?: "new" | "declined") => {
    const read = [await list({ projectId, status })];
    for (let page = read[0]; page && page.length >= MAX_LISTED_REQUESTS; page = read.at(-1)) {
      const { id: cursor } = page.findLast((one) => one.status === "declined") ?? page.at(-1) ?? { id: "" };
      read.push(await list({ projectId, status, cursor }));
    }
    return read;
  };
  const half = MAX_LISTED_REQUESTS + 20;
  const all = await pages();
  expect(all.map(({ length }) => length)).toEqual([MAX_LISTED_REQUESTS, MAX_LISTED_REQUESTS, 40]);
  expect(new Set(all.flat().map(({ id }) => id)).size).toBe(2 * half);
  expect(all.map((page) => page.filter(({ status }) => status === "new").length)).toEqual([MAX_LISTED_REQUESTS, 20, 0]);
  for (const status of ["new", "declined"] as const) {
    const ids = (await pages(status)).flat().map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([half, half]);
  }
  // Where a list goes on, an outsider does not learn: the request is not there.
  await expect((await api(karan)).list({ cursor: all[0]?.[0]?.id })).rejects.toThrow(MESSAGES.requests.notFound);
  await database.db.delete(projects).where(eq(projects.id, projectId));
});

describe("a request", () => {
  test("is filed by the client and seen by the project's people, with the firm to move", async () => {
    const project = await newProject();
    const made = await create(meera, project.id);
    expect(made).toEqual({
      id: expect.any(String),
      projectId: project.id,
      ...fields,
      status: "new",
      createdBy: meera.id,
      createdAt: INSTANT,
      decidedBy: null,
      decidedAt: null,
      reason: null,
      taskId: null,
      taskKey: null,
      duplicateOf: null,
      duplicateOfTitle: null,
      messageId: null,
      conversationId: null,
      files: [],
      thread: [],
      turn: {
        owes: "firm",
        since: made.createdAt,
        businessMinutes: 0,
        businessDays: 0,
        answerBy: INSTANT,
        clock: { minutesBefore: 0, runsFrom: INSTANT, runsUntil: INSTANT, minutesPerDay: 540 },
      },
      project: { id: project.id, key: project.key, title: project.title },
      client: { id: meera.id, name: "Meera Rao", accountType: "client", profileImgLink: null },
      people: [{ id: meera.id, name: "Meera Rao", accountType: "client", profileImgLink: null }],
      canDecide: false,
      canAnswer: true,
    });
    for (const [who, canDecide] of [
      [asha, true],
      [rohan, true],
      [mitali, false],
    ] as const) {
      const seen = { ...made, canDecide, canAnswer: false };
      expect(await (await api(who)).byId({ requestId: made.id })).toEqual(seen);
      expect(await (await api(who)).list({ projectId: project.id })).toEqual([seen]);
    }
    expect(await (await api(asha)).byId({ requestId: made.id, asClientId: meera.id })).toEqual(made);
  });

  test("is nobody else's: an outsider cannot learn that it exists, by any call", async () => {
    const { id: requestId } = await newRequest();
    const outsider = await api(karan);
    const unknown = await refusal(outsider.byId({ requestId: randomUUID() }));
    expect(await refusal(outsider.byId({ requestId }))).toEqual(unknown);
    expect(await refusal(outsider.answer({ requestId, text: "Mine" }))).toEqual(unknown);
    expect((await outsider.list({})).map(({ id }) => id)).not.toContain(requestId);
  });

  test("is refused without client collaboration, which leaves the client all that is there to read", async () => {
    const request = await newRequest();
    await setCollaboration(request.projectId, false);
    expect(await refusal(create(meera, request.projectId))).toEqual({
      code: "FORBIDDEN",
      message: MESSAGES.requests.collaborationOff,
    });
    expect((await refusal((await api(meera)).answer({ requestId: request.id, text: "Also" }))).code).toBe("FORBIDDEN");
    expect(await (await api(meera)).byId({ requestId: request.id })).toMatchObject({ canAnswer: false });
    expect(await create(rohan, request.projectId)).toMatchObject({ createdBy: rohan.id });
  });

  test("is one, however often it is sent under one key; the key with another content is refused", async () => {
    const { id: projectId } = await newProject();
    const clientRequestId = randomUUID();
    const sent = await Promise.all([1, 2, 3].map(() => create(meera, projectId, { clientRequestId })));
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    expect(await database.db.$count(requests, eq(requests.projectId, projectId))).toBe(1);
    expect(await refusal(create(meera, projectId, { clientRequestId, title: "Other" }))).toMatchObject({
      code: "CONFLICT",
      reason: "key-taken",
    });
    expect(await notificationsOf("request", sent[0]?.id ?? "")).toHaveLength(2);
  });

  test("of a message is made by those who take part in its conversation, who alone are led back there", async () => {
    const { id: projectId } = await newProject();
    const between: [string, string] = [asha.id, meera.id];
    const conversation = await makeConversation(database.db, { between, messages: [{ senderId: meera.id }] });
    const [message] = await database.db
      .select({ id: messages.id })
      .from(messages)
      .where(eq(messages.conversationId, conversation.id));
    const messageId = message?.id ?? "";
    expect(await refusal(create(rohan, projectId, { messageId }))).toEqual({
      code: "NOT_FOUND",
      message: MESSAGES.requests.messageNotFound,
    });
    const made = await create(meera, projectId, { messageId });
    expect(made).toMatchObject({ messageId, conversationId: conversation.id });
    expect(await (await api(rohan)).byId({ requestId: made.id })).toMatchObject({ messageId, conversationId: null });
    const accepted = await (await api(rohan)).accept({ requestId: made.id, task });
    const linked = await database.db.select().from(messageTasks).where(eq(messageTasks.messageId, messageId));
    expect(linked).toMatchObject([{ taskId: accepted.id, createdBy: rohan.id, lastChange: 1 }]);

    const linkedTask = async () =>
      (await database.db.select().from(messageTasks).where(eq(messageTasks.messageId, messageId)))[0]?.taskId;
    const acceptNext = async () => {
      const { id: requestId } = await create(meera, projectId, { messageId });
      return (await api(rohan)).accept({ requestId, task });
    };
    await acceptNext();
    expect(await linkedTask()).toBe(accepted.id);
    await (await callers.as(rohan)).tasks.delete({ taskId: accepted.id });
    const next = await acceptNext();
    expect(await linkedTask()).toBe(next.id);
  });

  test("keeps its files apart from the project's, and the task that it becomes shows them", async () => {
    const { id: projectId } = await newProject();
    const file = await makeFile(database.db, { uploadedBy: meera.id });
    const made = await create(meera, projectId, { fileIds: [file.id] });
    expect(made.files).toMatchObject([{ id: file.id, visibility: "client", createdBy: meera.id }]);
    const manager = await callers.as(rohan);
    expect(await manager.files.list({ subject: { projectId } })).toEqual([]);
    expect(await refusal((await callers.as(meera)).files.remove({ fileId: file.id }))).toMatchObject({
      code: "FORBIDDEN",
      message: MESSAGES.files.goesWithItsText,
    });
    const { id: taskId } = await manager.requests.accept({ requestId: made.id, task });
    for (const who of [rohan, meera])
      expect(await (await callers.as(who)).files.list({ subject: { taskId } })).toMatchObject([
        { id: file.id, isOfRequest: true },
      ]);
    const own = await makeFile(database.db, { uploadedBy: rohan.id });
    await manager.files.attach({ subject: { taskId }, fileIds: [own.id], visibility: "team" });
    expect(await manager.files.list({ subject: { taskId } })).toMatchObject([
      { id: file.id, isOfRequest: true },
      { id: own.id, isOfRequest: false },
    ]);
    await manager.tasks.delete({ taskId });
    expect(await manager.requests.byId({ requestId: made.id })).toMatchObject({
      status: "accepted",
      taskId: null,
      files: [{ id: file.id }],
    });
  });

  test("goes with its project, and its files with it", async () => {
    const { id: projectId } = await newProject();
    const file = await makeFile(database.db, { uploadedBy: meera.id });
    const { id: requestId } = await create(meera, projectId, { fileIds: [file.id] });
    await (await callers.as(asha)).projects.delete({ projectId });
    expect(await database.db.$count(requests, eq(requests.id, requestId))).toBe(0);
    expect(await database.db.$count(files, eq(files.id, file.id))).toBe(0);
  });
});

describe("a decision", () => {
  test("accept makes the task in the request's project, in one transaction", async () => {
    const request = await newRequest();
    const made = await (await api(rohan)).accept({ requestId: request.id, task: { ...task, priority: "high" } });
    expect(made).toMatchObject({ projectId: request.projectId, ...task, priority: "high", createdBy: rohan.id });
    const seen = await (await api(meera)).byId({ requestId: request.id });
    expect(seen).toMatchObject({
      status: "accepted",
      taskId: made.id,
      taskKey: `${request.project.key}-${made.number}`,
      decidedBy: rohan.id,
      decidedAt: INSTANT,
      turn: { owes: "nobody", since: null, businessMinutes: 0, businessDays: 0, answerBy: null },
      canAnswer: false,
    });
    const other = await create(meera, request.projectId);
    for (const who of [rohan, meera, mitali])
      expect((await (await api(who)).list({ taskId: made.id })).map(({ id }) => id)).toEqual([request.id]);
    expect(await (await api(karan)).list({ taskId: made.id })).toEqual([]);
    expect(other.taskId).toBeNull();
    const refused = await newRequest();
    const outsideTask = { ...task, assignedTo: [karan.id] };
    expect((await refusal((await api(rohan)).accept({ requestId: refused.id, task: outsideTask }))).code).toBe(
      "BAD_REQUEST",
    );
    expect(await (await api(rohan)).byId({ requestId: refused.id })).toMatchObject({ status: "new", taskId: null });
  });

  test("is the managers' and the admins': others of the project are refused, clients before anything is looked up", async () => {
    const { id: requestId } = await newRequest();
    expect(await refusal((await api(mitali)).decline({ requestId, reason: "No" }))).toEqual({
      code: "FORBIDDEN",
      message: MESSAGES.requests.managersOnly,
    });
    expect((await refusal((await api(meera)).accept({ requestId: randomUUID(), task }))).code).toBe("FORBIDDEN");
    expect((await refusal((await api(rohan)).answer({ requestId, text: "Me" }))).code).toBe("FORBIDDEN");
  });

  test.each([
    [
      "decline",
      "the manager is taken off",
      (one: Filed) => api(rohan).then((a) => a.decline({ requestId: one.id, reason: "No." })),
    ],
    [
      "accept",
      "the manager is taken off",
      (one: Filed) => api(rohan).then((a) => a.accept({ requestId: one.id, task })),
    ],
    [
      "askBack",
      "the manager is taken off",
      (one: Filed) => api(rohan).then((a) => a.askBack({ requestId: one.id, text: "Which?" })),
    ],
    [
      "answer",
      "collaboration is switched off",
      (one: Filed) => api(meera).then((a) => a.answer({ requestId: one.id, text: "More." })),
    ],
    ["create", "collaboration is switched off", (one: Filed) => create(meera, one.projectId)],
  ])("%s is refused when it waits while %s", async (_, __, call) => {
    const one = await newRequest();
    const { projectId } = one;
    let waiting: Promise<unknown> = Promise.resolve();
    await database.sql.begin(async (sql) => {
      await sql`update projects set client_collaboration = false where id = ${projectId}`;
      await sql`update project_members set role = 'assigned' where project_id = ${projectId} and role = 'manager'`;
      waiting = call(one);
      waiting.catch(() => {});
      await database.untilWaiting();
    });
    expect((await refusal(waiting)).code).toBe("FORBIDDEN");
    expect(await (await api(asha)).byId({ requestId: one.id })).toMatchObject({ status: "new", thread: [] });
  });

  test("is made once: of racing ones one succeeds, and the others learn how it stands", async () => {
    const request = await newRequest();
    const { id: requestId } = request;
    const other = await create(meera, request.projectId);
    const [manager, admin] = [await api(rohan), await api(asha)];
    const answers = await Promise.allSettled([
      manager.accept({ requestId, task }),
      admin.accept({ requestId, task }),
      admin.decline({ requestId, reason: "Too late" }),
      manager.markDuplicate({ requestId, ofRequestId: other.id }),
    ]);
    const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
    expect(refused).toHaveLength(3);
    const present = await manager.byId({ requestId });
    for (const error of refused)
      expect(await refusal(Promise.reject(error))).toMatchObject({
        code: "CONFLICT",
        reason: "already-decided",
        current: { id: requestId, status: present.status },
      });
    expect(await database.db.$count(tasks, eq(tasks.projectId, request.projectId))).toBe(
      present.status === "accepted" ? 1 : 0,
    );
    expect(await refusal(manager.askBack({ requestId, text: "Why?" }))).toMatchObject({ reason: "already-decided" });
    expect(await refusal((await api(meera)).answer({ requestId, text: "So" }))).toMatchObject({
      reason: "already-decided",
    });
  });

  test("declines with a reason, which the client reads", async () => {
    const { id: requestId } = await newRequest();
    expect((await refusal((await api(rohan)).decline({ requestId, reason: " " }))).code).toBe("BAD_REQUEST");
    await (await api(rohan)).decline({ requestId, reason: "The harbour office does not publish it." });
    expect(await (await api(meera)).byId({ requestId })).toMatchObject({
      status: "declined",
      reason: "The harbour office does not publish it.",
      people: expect.arrayContaining([expect.objectContaining({ name: "Rohan Shah" })]),
    });
  });

  test("marks a duplicate of another request of the project, which is none itself", async () => {
    const first = await newRequest();
    const again = await create(meera, first.projectId, { title: "Evening tide" });
    const elsewhere = await newRequest();
    const manager = await api(rohan);
    const mark = (requestId: string, ofRequestId: string) => manager.markDuplicate({ requestId, ofRequestId });
    expect((await refusal(mark(again.id, again.id))).fieldErrors).toEqual({ ofRequestId: [MESSAGES.requests.itself] });
    expect((await refusal(mark(again.id, elsewhere.id))).fieldErrors).toEqual({
      ofRequestId: [MESSAGES.requests.otherProject],
    });
    expect((await refusal(mark(again.id, randomUUID()))).code).toBe("NOT_FOUND");
    const racing = await Promise.allSettled([mark(again.id, first.id), mark(first.id, again.id)]);
    expect(racing.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const marked = await (await api(meera)).list({ projectId: first.projectId, status: "duplicate" });
    expect(marked).toMatchObject([
      { duplicateOf: expect.any(String), duplicateOfTitle: expect.stringMatching(/^(Tides in the e|E)vening/) },
    ]);
  });
});

describe("a question", () => {
  test("gives the turn to the client, and the answer gives it back; each turn counts from its first text", async () => {
    const { id: requestId } = await newRequest();
    const asked = await (await api(rohan)).askBack({ requestId, text: "Which harbours?" });
    expect(asked).toMatchObject({ status: "asked", turn: { owes: "client", since: INSTANT }, decidedAt: null });
    const askedAgain = await (await api(asha)).askBack({ requestId, text: "And from when on?" });
    expect(askedAgain.turn.since).toBe(asked.turn.since);
    const answered = await (await api(meera)).answer({ requestId, text: "All three." });
    expect(answered).toMatchObject({
      status: "new",
      turn: { owes: "firm" },
      thread: [
        { authorId: rohan.id, text: "Which harbours?", createdAt: asked.turn.since },
        { authorId: asha.id, text: "And from when on?" },
        { authorId: meera.id, text: "All three.", createdAt: answered.turn.since },
      ],
    });
    expect(answered.people.map(({ name }) => name).sort()).toEqual(["Asha Kulkarni", "Meera Rao", "Rohan Shah"]);
    await (await api(rohan)).accept({ requestId, task });
  });

  test("is the firm's turn while the client may not answer it", async () => {
    const { id: requestId } = await newRequest();
    const { turn, projectId } = await (await api(rohan)).askBack({ requestId, text: "Which harbours?" });
    const collaborate = (clientCollaboration: boolean) =>
      database.db.update(projects).set({ clientCollaboration }).where(eq(projects.id, projectId));
    const waits = async (who: UserRow) =>
      (await (await callers.as(who)).overview.waiting()).filter(
        ({ subject }) => "requestId" in subject && subject.requestId === requestId,
      );
    const before = await (await api(meera)).counts();
    expect(await waits(rohan)).toEqual([]);
    await collaborate(false);
    expect(await (await api(meera)).byId({ requestId })).toMatchObject({
      ...{ status: "asked", canAnswer: false },
      turn: { owes: "firm", since: turn.since, answerBy: expect.any(String) },
    });
    expect(await waits(rohan)).toMatchObject([{ since: turn.since }]);
    expect(await (await api(meera)).counts()).toEqual({ new: before.new + 1, asked: before.asked - 1 });
    await collaborate(true);
    expect((await (await api(rohan)).byId({ requestId })).turn).toMatchObject({ owes: "client" });
    expect(await waits(rohan)).toEqual([]);
    await (await api(rohan)).decline({ requestId, reason: "Not yet." });
  });
});

test("a request holds 200 questions and answers, and is then decided", async () => {
  const { id: requestId } = await newRequest();
  await database.sql`insert into request_replies (request_id, author_id, text)
    select ${requestId}, ${meera.id}, 'And' from generate_series(1, ${MAX_REPLIES - 1})`;
  expect((await (await api(rohan)).askBack({ requestId, text: "Is that all?" })).thread).toHaveLength(MAX_REPLIES);
  const refused = { code: "CONFLICT", message: MESSAGES.requests.tooManyReplies };
  expect(await refusal((await api(meera)).answer({ requestId, text: "No" }))).toEqual(refused);
  expect(await refusal((await api(rohan)).askBack({ requestId, text: "What else?" }))).toEqual(refused);
  expect(await (await api(rohan)).decline({ requestId, reason: "Let us talk." })).toMatchObject({ status: "declined" });
});

describe("notifications", () => {
  test("go to admins and managers for the firm to move, and to the client for what the firm did", async () => {
    const { id: requestId } = await newRequest();
    const firm = [asha.id, rohan.id].sort();
    const waiting = async () => (await notificationsOf("request", requestId)).filter(({ readAt }) => readAt === null);
    expect((await waiting()).map(({ userId }) => userId).sort()).toEqual(firm);
    await (await api(rohan)).askBack({ requestId, text: "Which harbours?" });
    expect(await waiting()).toEqual([]);
    await (await api(meera)).answer({ requestId, text: "All three." });
    expect((await waiting()).map(({ userId, details }) => `${userId} ${details}`).sort()).toEqual(
      firm.map((id) => `${id} answered`),
    );
    await (await api(meera)).answer({ requestId, text: "And the two in the south." });
    const said = (await notificationsOf("request", requestId)).map(({ details }) => details);
    expect(said.filter((step) => step === "added")).toHaveLength(firm.length);
    await (await api(asha)).decline({ requestId, reason: "Not yet." });
    expect(await waiting()).toEqual([]);
    expect(
      (await notificationsOf("request-decided", requestId)).map(({ userId, details }) => [userId, details]),
    ).toEqual([
      [meera.id, "asked"],
      [meera.id, "declined"],
    ]);
    const { items } = await (await callers.as(meera)).notifications.list({});
    expect(items.find(({ subject }) => subject.requestId === requestId)).toMatchObject({
      kind: "request-decided",
      title: fields.title,
      subject: { projectId: expect.any(String), requestId },
    });
  });

  test("of a question are read by who answers it, and are not mailed then; others and a decision are not touched", async () => {
    const { id: projectId } = await newProject({ clientPeople: [karan.id] });
    const [first, second] = [await create(meera, projectId), await create(meera, projectId)];
    for (const { id: requestId } of [first, second])
      await (await api(rohan)).askBack({ requestId, text: "Which harbours?" });
    const unread = async () => {
      const rows = await database.db.select().from(notifications).where(eq(notifications.projectId, projectId));
      return rows.flatMap(({ kind, userId, requestId, details, readAt, mailDueAt }) => {
        if (kind !== "request-decided" || readAt) return [];
        expect(mailDueAt).not.toBeNull();
        return `${userId === meera.id ? "Meera" : "Karan"} ${requestId === first.id ? "first" : "second"} ${details}`;
      });
    };
    expect((await unread()).sort()).toEqual([
      ...["Karan first asked", "Karan second asked", "Meera first asked", "Meera second asked"],
    ]);
    await (await api(meera)).answer({ requestId: first.id, text: "All three." });
    expect((await unread()).sort()).toEqual(["Karan first asked", "Karan second asked", "Meera second asked"]);
    await (await api(rohan)).decline({ requestId: first.id, reason: "Not yet." });
    expect(await unread()).toContain("Meera first declined");
  });
});

describe("counts and streams", () => {
  test("count what waits: for managers of their projects, for clients of their own", async () => {
    const countsOf = async (who: UserRow) => (await api(who)).counts();
    const before = await Promise.all([asha, rohan, mitali, meera, karan].map(countsOf));
    const { id: requestId } = await newRequest();
    const moved = async (who: UserRow, at: number) => {
      const now = await countsOf(who);
      return [now.new - (before[at]?.new ?? 0), now.asked - (before[at]?.asked ?? 0)];
    };
    expect(await Promise.all([asha, rohan, mitali, meera, karan].map(moved))).toEqual([
      [1, 0],
      [1, 0],
      [0, 0],
      [1, 0],
      [0, 0],
    ]);
    await (await api(asha)).askBack({ requestId, text: "Which?" });
    expect(await moved(rohan, 1)).toEqual([0, 1]);
  });

  test("bring each request as it is new or has changed to those who see it, as they see it", async () => {
    const project = await newProject();
    const own = (await (await api(meera)).onChange())[Symbol.asyncIterator]();
    const foreign = (await (await api(karan)).onChange())[Symbol.asyncIterator]();
    const made = await create(meera, project.id);
    expect((await own.next()).value).toEqual({ request: made });
    await (await api(asha)).askBack({ requestId: made.id, text: "Which?" });
    expect((await own.next()).value).toEqual({ request: await (await api(meera)).byId({ requestId: made.id }) });
    const theirs = await newProject({ clientId: karan.id });
    const other = await create(karan, theirs.id);
    expect((await foreign.next()).value).toEqual({ request: other });
    await own.return?.();
    await foreign.return?.();
  });

  test("say that others changed in a gap in the notifications, also when one that is named comes with it or after it", async () => {
    const project = await newProject();
    const stream = (await (await api(meera)).onChange())[Symbol.asyncIterator]();
    const store = async (title: string) => {
      const row = { projectId: project.id, title, text: "Please.", createdBy: meera.id };
      const [made] = await database.db.insert(requests).values(row).returning({ id: requests.id });
      return made?.id ?? "";
    };
    await store("In the gap");
    const requestId = await store("Named");
    const notifyOfNamed = () => callers.hub.deliver({ subject: `request:${requestId}`, topics: ["requests"] });
    notifyOfNamed();
    callers.hub.resyncAll();
    expect((await stream.next()).value).toMatchObject({ request: { id: requestId } });
    expect((await stream.next()).value).toEqual({ request: null });
    await store("In another gap");
    notifyOfNamed();
    expect((await stream.next()).value).toMatchObject({ request: { id: requestId } });
    callers.hub.resyncAll();
    expect((await stream.next()).value).toEqual({ request: null });
    await stream.return?.();
  });
});
