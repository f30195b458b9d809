import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { UserRow } from "../../db/factories";
import { projects, tasks } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { MAX_REPLIES } from "../contract/messages/requests";
import { refusal } from "../test/caller";
import { INSTANT, openRequestBench } from "../test/request-bench";

const bench = await openRequestBench();
const { database, callers, asha, rohan, mitali, meera, karan, api, create, newRequest, task } = bench;
type Filed = { id: string; projectId: string };

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
