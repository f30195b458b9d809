import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, createDb, type Db } from "../../db/client";
import { makeInquiry, makeUser, type UserRow } from "../../db/factories";
import { createLogger } from "../core/logger";
import { hasTestBus, startTestBus, type TestBus } from "../test/bus";
import { startTestProcess, type TestCaller, type TestProcess } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { createBus } from "./bus";
import { createPostgresTransport } from "./listener";
import { CHANNEL, type Notification, notifyAccount, notifyMail, notifyProject, notifyReading } from "./notify";
import type { Transport } from "./transport";

/* What both ways between processes promise. What is a bus's own is in bus.test.ts. */

const logger = createLogger({ level: "silent" });
/** Leaving is announced soon; nothing else happens by itself. */
const presenceTimes = { heartbeatMs: 3_600_000, forgetAfterMs: 3_600_000, graceMs: 20 };

type Open = (database: TestDatabase, db: Db) => Transport;
const byPostgres: Open = ({ connection }, db) => createPostgresTransport({ db, connection, logger });
let bus: TestBus | null = null;
const byBus: Open = (_, db) => createBus({ db, url: bus?.url ?? "", logger });
/** Without a Redis or Valkey the line that says so is all there is of it. */
const hasBus = await hasTestBus();
const WAYS: [string, Open][] = [["PostgreSQL", byPostgres], ...(hasBus ? [["a bus", byBus] as [string, Open]] : [])];

/** What each way has carried of the same changes. */
const carried = new Map<string, string[]>();
beforeAll(async () => {
  bus = await startTestBus();
});
afterAll(() => bus?.close());

describe.each(WAYS)("by %s", (name, open) => {
  let database: TestDatabase;
  let here: Process;
  let there: Process;
  let asha: UserRow;
  let rohan: UserRow;
  let meera: UserRow;

  beforeAll(async () => {
    database = await createTestDatabase();
    [here, there] = await Promise.all([startProcess(database, open), startProcess(database, open)]);
    asha = await makeUser(database.db, { accountType: "admin" });
    rohan = await makeUser(database.db);
    meera = await makeUser(database.db, { accountType: "client" });
  });
  afterAll(async () => {
    await Promise.all([here.close(), there.close()]);
    await database.close();
  });

  test("every change reaches every process, the one that made it included, once and in order", async () => {
    await changeEverything(there, { asha, rohan, meera });
    const [own, others] = [await received(there, there.db), await received(here, there.db)];
    expect(others).toEqual(own);
    carried.set(name, numbered(own));
    const kinds = new Set(own.flatMap(({ subject, step }) => [subject.split(":")[0], step?.kind]));
    const expected = ["project", "account", "conversation", "repository", "inquiry", "audit", "mail", "readings"];
    for (const kind of [...expected, "task-created", "task-completed", "task-moved", "task-removed", "people-changed"])
      expect(kinds).toContain(kind);
  });

  test("a transaction notifies when it has been committed, and never when it is rolled back", async () => {
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    const failure = new Error("taken back");
    await there.db.transaction(async (tx) => {
      await notifyAccount(tx, { userId: first });
      await tx.transaction((part) => notifyAccount(part, { userId: second }));
      const part = tx.transaction(async (inner) => {
        await notifyAccount(inner, { userId: third });
        throw failure;
      });
      await expect(part).rejects.toBe(failure);
      // Before the commit nobody knows.
      expect(await received(here, there.db)).toEqual([]);
    });
    await there.db
      .transaction(async (tx) => {
        await notifyProject(tx, { projectId: third, step: { kind: "resync" } });
        throw failure;
      })
      .catch(() => {});
    const subjects = (await received(here, there.db)).map(({ subject }) => subject);
    expect(subjects).toEqual([`account:${first}`, `account:${second}`]);
  });

  test("a project that is gone, and more newcomers than one notification takes, are no trouble", async () => {
    const projectId = randomUUID();
    const newcomers = Array.from({ length: 200 }, () => randomUUID());
    await there.db.transaction((tx) => notifyProject(tx, { projectId, step: { kind: "project-changed" }, newcomers }));
    const [one, two, ...more] = await received(here, there.db);
    expect([one?.step, two?.step, more]).toEqual([
      { kind: "project-changed", seq: null },
      { kind: "project-changed", seq: null },
      [],
    ]);
    expect([...(one?.topics ?? []), ...(two?.topics ?? [])].filter((topic) => topic.startsWith("joined:"))).toEqual(
      newcomers.map((id) => `joined:${id}`),
    );
  });

  test("presence and typing travel the same way", async () => {
    const conversationId = randomUUID();
    const handle = there.presence.arrive(meera.id);
    await expect.poll(() => here.presence.isPresent(meera.id)).toBe(true);
    there.presence.noteTyping({ conversationId, userId: meera.id });
    for (const { notifications } of [here, there])
      await expect
        .poll(() => notifications.map(({ subject }) => subject))
        .toContain(`typing:${conversationId}:${meera.id}`);
    handle.leave();
    await expect.poll(() => here.presence.isPresent(meera.id)).toBe(false);
  });

  test("queued mail and work wake up the jobs of every process", async () => {
    const subscription = here.hub.open();
    for (const topic of ["mail", "readings"] as const) subscription.join(topic);
    await there.db.transaction(async (tx) => {
      await notifyMail(tx);
      await notifyReading(tx);
    });
    const woken = new Set<string>();
    while (woken.size < 2) for (const one of (await subscription.next(undefined))?.subjects ?? []) woken.add(one);
    expect(woken).toEqual(new Set(["mail", "readings"]));
    subscription.close();
  });

  test("it says whether it works", async () => {
    expect(await here.listener.isWell()).toBe(true);
  });
});

test.runIf(hasBus)(
  "with a bus, the same changes notify of the same, and no transaction asks PostgreSQL to",
  async () => {
    expect(carried.get("a bus")).toEqual(carried.get("PostgreSQL"));
    const database = await createTestDatabase();
    const arrived: string[] = [];
    const sql = connect(database.connection, { max: 1, onnotify: (_channel, payload) => arrived.push(payload) });
    await sql.unsafe(`listen "${CHANNEL}"`);
    const process = await startProcess(database, byBus);
    const [asha, rohan, meera] = await Promise.all([
      makeUser(database.db, { accountType: "admin" }),
      makeUser(database.db),
      makeUser(database.db, { accountType: "client" }),
    ]);
    await changeEverything(process, { asha, rohan, meera });
    await sql`select pg_notify(${CHANNEL}, 'the end')`;
    await expect.poll(() => arrived).toContain("the end");
    expect(arrived).toEqual(["the end"]);
    await sql.end();
    await process.close();
    await database.close();
  },
);

/** A process with a pool of its own. */
interface Process extends TestProcess {
  db: Db;
  /** What has arrived, in order. */
  notifications: Notification[];
  close(): Promise<void>;
}

async function startProcess(database: TestDatabase, open: Open): Promise<Process> {
  const { db, close } = createDb(database.connection);
  const transport = open(database, db);
  const notifications: Notification[] = [];
  const noting: Transport = {
    announce: (payloads) => transport.announce(payloads),
    listen(receivers) {
      const { deliver } = receivers.hub;
      receivers.hub.deliver = (notification) => {
        notifications.push(notification);
        deliver(notification);
      };
      return transport.listen(receivers);
    },
  };
  const process = await startTestProcess({ db, connection: database.connection }, { transport: noting, presenceTimes });
  return {
    ...process,
    db,
    notifications,
    async close() {
      await process.presence.close();
      await process.listener.close();
      await close();
    },
  };
}

const markers = new Set<string>();

/** What has arrived of changes up to one that is sent now. */
async function received({ hub, notifications }: Process, from: Db): Promise<Notification[]> {
  const marker = `account:${randomUUID()}` as const;
  const subscription = hub.open();
  subscription.join(marker);
  markers.add(marker);
  await notifyAccount(from, { userId: marker.slice("account:".length) });
  await subscription.next(undefined);
  subscription.close();
  return notifications.splice(0).filter(({ subject }) => !markers.has(subject) && !/^(presence|typing):/.test(subject));
}

/** As text, with a number in place of each id: by the order in which they appear. That of topics may follow from random ids. */
function numbered(notifications: Notification[]): string[] {
  const ids = new Map<string, string>();
  const numberOf = (id: string) => {
    ids.set(id, ids.get(id) ?? `#${ids.size + 1}`);
    return ids.get(id) ?? "";
  };
  const withoutIds = (text: string) => text.replace(/[\da-f]{8}-[\da-f-]{27}/g, numberOf);
  return notifications.map(({ topics, ...rest }) =>
    [withoutIds(JSON.stringify(rest)), ...topics.map(withoutIds).toSorted()].join(" "),
  );
}

/** A change of each kind that others follow. */
async function changeEverything(
  process: Process,
  { asha, rohan, meera }: Record<"asha" | "rohan" | "meera", UserRow>,
): Promise<void> {
  const admin = await process.as(asha);
  await changeProject(admin, { assignedTo: [rohan.id], clientId: meera.id });
  const message = { text: "Good morning", clientMessageId: randomUUID() };
  const { conversation } = await admin.chat.start({ recipientId: meera.id, ...message });
  const conversationId = conversation.id;
  const client = await process.as(meera);
  await client.chat.send({ conversationId, text: "Good evening", clientMessageId: randomUUID() });
  await client.chat.markRead({ conversationId, upToSeq: 1 });
  const waiting = await makeUser(process.db, { accountStatus: "pending" });
  await admin.users.approve({ userId: waiting.id, accountType: "user" });
  await admin.users.deactivate({ userId: waiting.id });
  await client.users.updateProfile({ name: "Meera Iyer" });
  const { id: inquiryId } = await makeInquiry(process.db);
  await admin.inquiries.setStatus({ inquiryId, status: "closed" });
  await admin.organisation.update({ timeZone: "Europe/London" });
  await admin.users.invite({ email: "nandini@firm.example", name: "Nandini", accountType: "user" });
}

async function changeProject(
  admin: TestCaller,
  { assignedTo, clientId }: { assignedTo: string[]; clientId: string },
): Promise<void> {
  const fields = { title: "Harbour", description: "Of boats.", status: "todo", startDate: "2026-01-05" } as const;
  const { id: projectId } = await admin.projects.create({ ...fields, assignedTo, managers: [], clientId });
  const githubRepo = "https://github.com/konkan/harbour";
  const { version } = await admin.projects.update({ projectId, version: 1, patch: { title: "Harbours", githubRepo } });
  const make = (title: string, more = {}) => admin.tasks.create({ projectId, title, description: "Of it.", ...more });
  const [one, two] = [await make("One"), await make("Two", { assignedTo })];
  await admin.tasks.update({ taskId: one.id, patch: { title: "First" } });
  await admin.tasks.setCompleted({ taskId: one.id, completed: true });
  await admin.tasks.move({ taskId: two.id, afterTaskId: null });
  await admin.tasks.delete({ taskId: two.id });
  await admin.github.refresh();
  await admin.projects.update({ projectId, version, patch: { assignedTo: [] } });
  await admin.projects.delete({ projectId });
}
