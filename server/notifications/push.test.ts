import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeProject, makeSession, makeUser, type UserRow } from "../../db/factories";
import { pushSubscriptions, sessions } from "../../db/schema";
import { createLogger } from "../core/logger";
import { createTestCallers, refusal, type TestCaller, type TestCallers, testVault } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { insertNotifications } from "./mutations";
import { type PushSender, sendDuePushes } from "./push";

let database: TestDatabase;
let callers: TestCallers;
let mitali: UserRow;
let caller: TestCaller;
let token: string;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  mitali = await makeUser(database.db);
  ({ token } = await makeSession(database.db, { userId: mitali.id }));
  caller = callers.withToken(token);
  ({ id: projectId } = await makeProject(database.db, { createdBy: mitali.id, title: "Harbour" }));
});
afterAll(() => database.close());

const keys = { p256dh: "B".repeat(87), auth: "A".repeat(22) };
const endpointOf = (name: string) => `https://fcm.googleapis.com/fcm/send/${name}`;
const notify = () =>
  database.db.transaction((tx) =>
    insertNotifications(tx, {
      kind: "overdue",
      cause: randomUUID(),
      actorId: null,
      recipients: [mitali.id],
      projectId,
    }),
  );

/** Sends what is due, and returns where each push went and what it said. */
async function push(answer: (endpoint: string) => number = () => 201) {
  const sent: { endpoint: string; payload: unknown }[] = [];
  const send: PushSender = async ({ endpoint }, { payload }) => {
    sent.push({ endpoint, payload: JSON.parse(payload) });
    const statusCode = answer(endpoint);
    if (statusCode >= 400) throw Object.assign(new Error("refused"), { statusCode });
  };
  await sendDuePushes({ ...services(), send, signal: NEVER });
  return sent;
}
const services = () => ({ db: database.db, vault: testVault, logger: createLogger({ level: "silent" }) });
const NEVER = new AbortController().signal;

test("the key is made once, and its private half is stored sealed", async () => {
  const { publicKey, isSubscribed } = await caller.notifications.pushKey();
  expect(publicKey).toMatch(/^[\w-]{87}$/);
  expect(isSubscribed).toBe(false);
  expect((await caller.notifications.pushKey()).publicKey).toBe(publicKey);
  const [stored] = await database.sql`select * from push_keys`;
  expect(stored?.key_id).toBe(testVault.currentKeyId);
  expect(testVault.open({ sealed: stored?.sealed_private_key, keyId: stored?.key_id }, "web push")).not.toBeNull();
});

test("nothing is pushed to anywhere but the services of browsers", async () => {
  for (const endpoint of [
    "https://intranet.example/x",
    "http://fcm.googleapis.com/x",
    "https://fcm.googleapis.com.evil.example/x",
    "https://127.0.0.1/",
    "https://fcm.googleapis.com/\u0000",
  ])
    for (const call of [
      () => caller.notifications.subscribePush({ endpoint, keys }),
      () => caller.notifications.unsubscribePush({ endpoint }),
    ])
      expect(await refusal(call())).toMatchObject({ code: "BAD_REQUEST" });
});

test("a browser that asked for it is pushed to once for each notification, unless that is read first", async () => {
  await notify();
  await caller.notifications.subscribePush({ endpoint: endpointOf("one"), keys });
  expect((await caller.notifications.pushKey()).isSubscribed).toBe(true);
  expect(await push()).toEqual([]);
  await notify();
  const payload = {
    title: "Harbour",
    body: "Overdue",
    url: `/dashboard?modal=view&project=${projectId}`,
    tag: projectId,
  };
  expect(await push()).toEqual([{ endpoint: endpointOf("one"), payload }]);
  expect(await push()).toEqual([]);
  await notify();
  await caller.notifications.markRead({ all: true });
  expect(await push()).toEqual([]);
});

test("a browser is pushed to until its session ends, also while the ended one is not swept yet", async () => {
  const { id: userId } = mitali;
  await database.db
    .update(sessions)
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where(eq(sessions.userId, userId));
  await notify();
  expect(await push()).toEqual([]);
  const inAnHour = new Date(Date.now() + 3_600_000);
  await database.db.update(sessions).set({ expiresAt: inAnHour }).where(eq(sessions.userId, userId));
  await notify();
  expect(await push()).toHaveLength(1);
});

test("a browser whose session ends while it asks is told so", async () => {
  const { id: userId } = await makeUser(database.db);
  const { id, token: ending } = await makeSession(database.db, { userId });
  let asked: ReturnType<typeof refusal> | undefined;
  await database.db.transaction(async (tx) => {
    await tx.delete(sessions).where(eq(sessions.id, id));
    asked = refusal(callers.withToken(ending).notifications.subscribePush({ endpoint: endpointOf("late"), keys }));
    await database.untilWaiting();
  });
  expect(await asked).toMatchObject({ code: "UNAUTHORIZED", reason: "session-ended" });
});

test("what a stop of the server leaves unsent is due again, and is sent by another one", async () => {
  await notify();
  await notify();
  const stop = new AbortController();
  let calls = 0;
  const send: PushSender = async () => {
    calls += 1;
    stop.abort();
  };
  await sendDuePushes({ ...services(), send, signal: stop.signal });
  expect(calls).toBe(1);
  expect(await push()).toHaveLength(1);
  expect(await push()).toEqual([]);
});

test("a push service that never ends its answer holds up neither the other browsers nor the next pushes", async () => {
  await caller.notifications.subscribePush({ endpoint: endpointOf("one"), keys });
  await notify();
  await notify();
  let calls = 0;
  const send: PushSender = () => {
    calls += 1;
    return new Promise(() => {});
  };
  await sendDuePushes({ ...services(), send, signal: NEVER, timeoutMs: 20 });
  expect(calls).toBe(2);
  expect(await push()).toEqual([]);
});

test("a session has one subscription, as its browser has: a new one takes the place of the other", async () => {
  await caller.notifications.subscribePush({ endpoint: endpointOf("former"), keys });
  await caller.notifications.subscribePush({ endpoint: endpointOf("one"), keys });
  expect((await database.db.select().from(pushSubscriptions)).map(({ endpoint }) => endpoint)).toEqual([
    endpointOf("one"),
  ]);
});

test("a browser that is gone is forgotten, one whose service is away is not, and one of another person stays", async () => {
  const elsewhere = callers.withToken((await makeSession(database.db, { userId: mitali.id })).token);
  await elsewhere.notifications.subscribePush({ endpoint: endpointOf("gone"), keys });
  await notify();
  await push((endpoint) => (endpoint === endpointOf("gone") ? 410 : 503));
  const known = async () => (await database.db.select().from(pushSubscriptions)).map(({ endpoint }) => endpoint);
  expect(await known()).toEqual([endpointOf("one")]);
  await (await callers.as(await makeUser(database.db))).notifications.unsubscribePush({ endpoint: endpointOf("one") });
  expect(await known()).toEqual([endpointOf("one")]);
  await database.db.delete(sessions).where(eq(sessions.userId, mitali.id));
  expect(await known()).toEqual([]);
});
