import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeProject, makeSession, makeTask, makeUser, type UserRow } from "../../db/factories";
import * as schema from "../../db/schema";
import { sessions, webhookDeliveries, webhooks } from "../../db/schema";
import { createLogger } from "../core/logger";
import { createOutgoing } from "../core/outgoing";
import { createVault, reseal } from "../core/vault";
import { type JobKind, startJobs } from "../jobs/runner";
import { insertNotifications } from "../notifications/mutations";
import { createHub } from "../realtime/hub";
import { createTestCallers, refusal, TEST_KEY, type TestCaller, type TestCallers, testVault } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { webhookKind } from "./jobs";
import { sealedWebhookSecrets } from "./subjects";

let database: TestDatabase;
let callers: TestCallers;
let asha: UserRow;
let rohan: UserRow;
let admin: TestCaller;
let server: Server;
let url: string;
let answer = 200;
/** What happens before the answer. */
let beforeAnswer: () => Promise<unknown> = async () => {};
const received: { headers: Record<string, unknown>; body: string }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  asha = await makeUser(database.db, { accountType: "admin" });
  rohan = await makeUser(database.db);
  admin = await callers.as(asha);
  server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    received.push({ headers: request.headers, body });
    await beforeAnswer();
    response.writeHead(answer, { location: "http://127.0.0.1:1/" }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/hook`;
});
beforeEach(async () => {
  await database.db.delete(webhooks);
  received.length = 0;
  answer = 200;
  beforeAnswer = async () => {};
});
afterAll(async () => {
  server.close();
  await database.close();
});

/** Works off what is due, as another process each time. Resolves to what was tried again, and whether that is still to be sent. */
async function deliverAll(vault = testVault): Promise<boolean[]> {
  const retried: boolean[] = [];
  const kind: JobKind = webhookKind(database.db, { vault, outgoing: createOutgoing({ allowLoopback: true }) });
  for (;;) {
    const job = await kind.claim();
    if (job === null) return retried;
    await kind.run(job, new AbortController().signal).catch(async (error: unknown) => {
      expect(kind.isOwnFault?.(error)).toBe(true);
      retried.push(await kind.retryLater(job));
    });
  }
}
const makeDue = () => database.db.update(webhookDeliveries).set({ dueAt: sql`now()` });

async function complete(details: string | null = null) {
  const project = await makeProject(database.db, { createdBy: rohan.id, title: "Harbour" });
  const task = await makeTask(database.db, { projectId: project.id, createdBy: rohan.id, title: "Tides" });
  const event = { projectId: project.id, taskId: task.id, actorId: rohan.id, recipients: [asha.id, rohan.id], details };
  return { project, task, event };
}

test("an event is delivered once with its ids and titles, signed, to those who chose its kind", async () => {
  const { id, secret } = await admin.webhooks.create({ url, kinds: ["comment", "assigned"] });
  await admin.webhooks.create({ url, kinds: ["inquiry"] });
  const { project, task, event } = await complete("a secret text");
  const send = () =>
    database.db.transaction((tx) => insertNotifications(tx, { ...event, kind: "assigned", cause: "assigned:1" }));
  await send();
  await send();
  await Promise.all([deliverAll(), deliverAll()]);
  expect(received).toHaveLength(1);
  const [{ headers, body } = { headers: {}, body: "" }] = received;
  const sent = JSON.parse(body);
  expect(sent).toEqual({
    id: headers["x-sangam-delivery"],
    kind: "assigned",
    createdAt: expect.stringMatching(/Z$/),
    data: {
      project: { id: project.id, key: project.key, title: "Harbour" },
      task: { id: task.id, key: `${project.key}-1`, title: "Tides" },
      ...{ request: null, commentId: null, inquiryId: null, signOffId: null, userId: null },
      actorId: rohan.id,
      personIds: [asha.id],
    },
  });
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  expect(headers["x-sangam-signature"]).toBe(`sha256=${signature}`);
  expect(await admin.webhooks.deliveries({ webhookId: id })).toMatchObject([
    { id: sent.id, status: "delivered", attempts: 1, lastStatus: 200, lastError: null, nextAttemptAt: null },
  ]);
});

test("webhooks cost a notification no statement where nobody wants its kind", async () => {
  const statements: string[] = [];
  const logger = { logQuery: (text: string) => void statements.push(text) };
  const counted = drizzle(database.sql, { schema, casing: "snake_case", logger });
  const { event } = await complete();
  const notify = (cause: string) =>
    counted.transaction((tx) => insertNotifications(tx, { ...event, kind: "assigned", cause }));
  await admin.webhooks.create({ url, kinds: ["inquiry"] });
  await notify("assigned:unwanted");
  // Who is to be notified, the notifications, and the wake-up of their inboxes.
  expect(statements).toHaveLength(3);
  await admin.webhooks.create({ url, kinds: ["assigned"] });
  await notify("assigned:wanted");
  expect(statements).toHaveLength(3 + 5);
});

test("a sign-off is announced when it is asked and when it is decided, without what anybody wrote", async () => {
  const meera = await makeUser(database.db, { accountType: "client" });
  const { id: projectId } = await makeProject(database.db, {
    ...{ createdBy: rohan.id, clientId: meera.id, clientCollaboration: true, title: "Harbour" },
  });
  await admin.webhooks.create({ url, kinds: ["sign-off-asked", "sign-off-decided"] });
  const { id: signOffId } = await admin.signOffs.ask({ projectId, all: true, note: "a question of ours" });
  await (await callers.as(meera)).signOffs.requestChanges({ signOffId, reason: "a reason of theirs" });
  await deliverAll();
  const sent = received.map(({ body }) => JSON.parse(body)).sort((one, other) => (one.kind < other.kind ? -1 : 1));
  expect(sent).toMatchObject([
    { kind: "sign-off-asked", data: { signOffId, project: { id: projectId }, actorId: asha.id } },
    { kind: "sign-off-decided", data: { signOffId, actorId: meera.id, status: "changes-requested" } },
  ]);
  expect(received.map(({ body }) => body).join()).not.toMatch(/question of ours|reason of theirs/);
});

test("what is refused is sent again with the same id after a while, listed with the answer, and given up after three days", async () => {
  const { id: webhookId } = await admin.webhooks.create({ url, kinds: ["comment"] });
  await admin.webhooks.sendTest({ webhookId });
  answer = 503;
  await deliverAll();
  const [waiting] = await admin.webhooks.deliveries({ webhookId });
  expect(waiting).toMatchObject({ kind: "test", status: "waiting", attempts: 1, lastStatus: 503 });
  answer = 302;
  await makeDue();
  await deliverAll();
  expect(await admin.webhooks.deliveries({ webhookId })).toMatchObject([{ attempts: 2, lastStatus: 302 }]);
  await database.db.update(webhookDeliveries).set({ createdAt: sql`now() - interval '3 days'` });
  await makeDue();
  await deliverAll();
  expect(await admin.webhooks.deliveries({ webhookId })).toMatchObject([{ status: "failed", nextAttemptAt: null }]);
  await makeDue();
  await deliverAll();
  expect(received).toHaveLength(3);
  expect(new Set(received.map(({ body }) => JSON.parse(body).id)).size).toBe(1);
});

test.each([200, 503])("a webhook that is deleted while it answers %i is sent nothing more", async (status) => {
  const { id: webhookId } = await admin.webhooks.create({ url, kinds: ["comment"] });
  const { event } = await complete();
  await admin.webhooks.sendTest({ webhookId });
  answer = status;
  beforeAnswer = () => admin.webhooks.delete({ webhookId });
  // What waits behind it goes with the webhook.
  await database.db.transaction((tx) => insertNotifications(tx, { ...event, kind: "comment", cause: "comment:gone" }));
  expect(await deliverAll(), "nothing failed").toEqual([]);
  await database.db.transaction((tx) => insertNotifications(tx, { ...event, kind: "comment", cause: "comment:late" }));
  await deliverAll();
  expect(received).toHaveLength(1);
  expect(await database.db.$count(webhookDeliveries)).toBe(0);
});

test("a test for a webhook that is deleted meanwhile finds none", async () => {
  const { id: webhookId } = await admin.webhooks.create({ url, kinds: ["comment"] });
  let sent: ReturnType<typeof refusal> | undefined;
  await database.db.transaction(async (tx) => {
    await tx.delete(webhooks).where(eq(webhooks.id, webhookId));
    sent = refusal(admin.webhooks.sendTest({ webhookId }));
    await database.untilWaiting();
  });
  expect(await sent).toMatchObject({ code: "NOT_FOUND" });
});

test("a delivery that was claimed before its webhook was deleted is not sent", async () => {
  const { id: webhookId } = await admin.webhooks.create({ url, kinds: ["comment"] });
  await admin.webhooks.sendTest({ webhookId });
  const kind: JobKind = webhookKind(database.db, {
    vault: testVault,
    outgoing: createOutgoing({ allowLoopback: true }),
  });
  const job = await kind.claim();
  await admin.webhooks.delete({ webhookId });
  await kind.run(job, new AbortController().signal);
  expect(received).toEqual([]);
});

test("a webhook with much to receive, or that never answers, does not take all slots while another one waits", async () => {
  const [busy, other] = [
    await admin.webhooks.create({ url, kinds: ["comment"] }),
    await admin.webhooks.create({ url, kinds: ["comment"] }),
  ];
  for (const { id: webhookId } of [busy, busy, busy, busy, other]) await admin.webhooks.sendTest({ webhookId });
  const kind = webhookKind(database.db, { vault: testVault, outgoing: createOutgoing({ allowLoopback: true }) });
  const claimed: (string | undefined)[] = [];
  for (let slot = 0; slot < 4; slot += 1) claimed.push((await kind.claim())?.webhookId);
  expect(claimed).toEqual([busy.id, busy.id, other.id, busy.id]);
});

test("a stop of the server is no attempt: the delivery is due at once, and nothing says that it failed", async () => {
  await admin.webhooks.sendTest({ webhookId: (await admin.webhooks.create({ url, kinds: ["comment"] })).id });
  const stopped = new AbortController();
  const asked = new Promise<void>((resolve) => {
    beforeAnswer = () => {
      resolve();
      return once(stopped.signal, "abort");
    };
  });
  const lines: string[] = [];
  const logger = createLogger({ level: "info", write: (line) => lines.push(line) });
  const kind = webhookKind(database.db, { vault: testVault, outgoing: createOutgoing({ allowLoopback: true }) });
  const jobs = startJobs([kind], { feed: createHub(), logger });
  await asked;
  await jobs.close();
  stopped.abort();
  beforeAnswer = async () => {};
  expect(await database.db.select().from(webhookDeliveries)).toMatchObject([
    { attempts: 0, leaseId: null, lastError: null, lastAttemptAt: null },
  ]);
  expect(lines).toEqual([]);
  expect(await deliverAll()).toEqual([]);
  expect(received).toHaveLength(2);
});

test("only public addresses are taken, by an admin who has just shown who they are, and no secret is read back", async () => {
  for (const internal of ["https://10.0.0.1/", "https://169.254.169.254/latest", "http://example.com/"]) {
    expect(await refusal(admin.webhooks.create({ url: internal, kinds: ["comment"] }))).toMatchObject({
      code: "BAD_REQUEST",
      fieldErrors: { url: [expect.any(String)] },
    });
  }
  const { token, id } = await makeSession(database.db, { userId: asha.id });
  await database.db.update(sessions).set({ createdAt: sql`now() - interval '1 hour'` }).where(eq(sessions.id, id));
  expect(await refusal(callers.withToken(token).webhooks.create({ url, kinds: ["comment"] }))).toMatchObject({
    reason: "reauthentication-required",
  });
  const { id: webhookId, secret } = await admin.webhooks.create({ url, kinds: ["comment"] });
  const [row] = await database.db.select().from(webhooks);
  expect(JSON.stringify([row, await admin.webhooks.list()])).not.toContain(secret);
  expect(await admin.webhooks.list()).toMatchObject([
    { id: webhookId, url, kinds: ["comment"], createdBy: { id: asha.id } },
  ]);
  await admin.webhooks.delete({ webhookId });
  expect((await refusal(admin.webhooks.deliveries({ webhookId }))).code).toBe("NOT_FOUND");
});

test("a secret survives a change of the key", async () => {
  const { id: webhookId, secret } = await admin.webhooks.create({ url, kinds: ["comment"] });
  const both = createVault(["another-key-of-the-tests-that-is-long-enough", TEST_KEY]);
  expect(await reseal(database.db, { column: sealedWebhookSecrets, vault: both })).toEqual({
    resealed: 1,
    unreadable: 0,
  });
  await admin.webhooks.sendTest({ webhookId });
  await deliverAll(createVault(["another-key-of-the-tests-that-is-long-enough"]));
  const [{ headers, body } = { headers: {}, body: "" }] = received;
  expect(headers["x-sangam-signature"]).toBe(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
});
