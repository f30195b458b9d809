import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { makeConversation, makeFile } from "../../db/factories";
import { files, messages, messageTasks, projects, requests } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { MAX_LISTED_REQUESTS } from "../contract/messages/requests";
import { refusal } from "../test/caller";
import { INSTANT, openRequestBench } from "../test/request-bench";

const bench = await openRequestBench();
const { database, callers, asha, rohan, mitali, meera, karan } = bench;
const { newProject, api, create, newRequest, notificationsOf, fields, task } = bench;
const setCollaboration = (projectId: string, clientCollaboration: boolean) =>
  database.db.update(projects).set({ clientCollaboration }).where(eq(projects.id, projectId));

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
