import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createDb } from "../../db/client";
import { makeProject, makeUser, type UserRow } from "../../db/factories";
import { bundleProgram } from "../../scripts/bundle";
import { createLogger } from "../core/logger";
import { hasTestBus, startTestBus, type TestBus } from "../test/bus";
import { createTestCallers, startTestProcess } from "../test/caller";
import { CERTIFICATE } from "../test/certificate";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { startLiveServer } from "../test/live-server";
import { createBus } from "./bus";
import { notifyAccount } from "./notify";

/* A bus that is killed, restarted, silent, slow or locked costs seconds and no change. */

const PASSWORD = "hunter2-of-the-bus";
const hasBus = await hasTestBus();
/** Faster than the product's, and long enough for a busy machine. */
const times = {
  ...{ startMs: 5_000, checkMs: 50, lostAfterMs: 2_500, pingTimeoutMs: 2_000 },
  ...{ retryMs: 10, maxRetryMs: 50, lingerMs: 100 },
};

let bus: TestBus | null = null;
let url: string;
let database: TestDatabase;
let rohan: UserRow;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  bus = await startTestBus({ password: PASSWORD });
  url = bus?.url ?? "";
  database = await createTestDatabase();
  rohan = await makeUser(database.db);
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  bus?.setSilent(false);
});
afterAll(async () => {
  await database.close();
  await bus?.close();
});

async function startProcess(address = url) {
  const lines: string[] = [];
  const logger = createLogger({ level: "info", write: (line) => lines.push(line) });
  const { db, close } = createDb(database.connection);
  const transport = createBus({ db, url: address, logger, times });
  const process = await startTestProcess({ db, connection: database.connection }, { transport });
  closers.push(async () => {
    await process.presence.close();
    await process.listener.close();
    await close();
  });
  /** What its log says of the bus. */
  const said = () => lines.flatMap((line) => /"message":"(bus is \w+)"/.exec(line)?.[1] ?? []);
  return { ...process, db, lines, said };
}
type Process = Awaited<ReturnType<typeof startProcess>>;

/** Whether a change that another process makes arrives; it says no after half a second when that is what is `expected`. */
async function reaches({ hub }: Process, { db }: Process, { expected = true } = {}): Promise<boolean> {
  const marker = randomUUID();
  const subscription = hub.open();
  subscription.join(`account:${marker}`);
  await notifyAccount(db, { userId: marker });
  for (const signal = AbortSignal.timeout(expected ? 20_000 : 500); ; ) {
    const wakeUp = await subscription.next(signal);
    if (!wakeUp) break;
    if (wakeUp.subjects.size === 0) continue;
    subscription.close();
    return true;
  }
  subscription.close();
  return false;
}

describe.runIf(hasBus)("a bus that", () => {
  test.each<[string, () => Promise<void> | undefined, () => Promise<void> | undefined]>([
    ["is killed and started again", () => bus?.kill(), () => bus?.start()],
    ["falls silent", async () => bus?.setSilent(true), async () => bus?.setSilent(false)],
  ])("%s is used again: everybody compares everything, and each state is logged once", async (_name, lose, find) => {
    const [here, there] = [await startProcess(), await startProcess()];
    expect(await reaches(here, there)).toBe(true);
    const subscription = here.hub.open();
    await lose();
    for (const { listener, said } of [here, there]) {
      await expect.poll(() => said()).toEqual(["bus is away"]);
      expect(await listener.isWell()).toBe(false);
    }
    expect(await reaches(here, there, { expected: false })).toBe(false);
    // What happens in a process reaches its own people as ever.
    expect(await reaches(there, there)).toBe(true);
    subscription.take();
    await find();
    for (const { listener } of [here, there]) await expect.poll(() => listener.isWell()).toBe(true);
    expect((await subscription.next(undefined))?.resync).toBe(true);
    expect(await reaches(here, there)).toBe(true);
    for (const { said, lines } of [here, there]) {
      expect(said()).toEqual(["bus is away", "bus is back"]);
      expect(lines.join("")).not.toContain(PASSWORD);
    }
  });

  test("breaks connections again and again is used again each time", async () => {
    const [here, there] = [await startProcess(), await startProcess()];
    for (let round = 0; round < 5; round += 1) {
      bus?.cut();
      await expect.poll(() => here.listener.isWell()).toBe(true);
      await expect.poll(() => there.listener.isWell()).toBe(true);
      expect(await reaches(here, there)).toBe(true);
    }
  });

  test("knows who is present again once it is back", async () => {
    const [here, there] = [await startProcess(), await startProcess()];
    bus?.setSilent(true);
    await expect.poll(() => there.said()).toEqual(["bus is away"]);
    there.presence.arrive(rohan.id);
    bus?.setSilent(false);
    await expect.poll(() => here.presence.isPresent(rohan.id)).toBe(true);
    expect([...here.lines, ...there.lines].join("")).not.toContain("presence was not announced");
  });

  test.each<[string, () => string, { silent?: boolean; answer?: string }]>([
    ["nobody answers", () => "redis://:hunter2@127.0.0.1:9", {}],
    ["accepts connections and says nothing", () => url, { silent: true }],
    ["has another password", () => url.replace(PASSWORD, "hunter2"), { answer: "WRONGPASS" }],
  ])("%s holds up no start, and the log says why", async (_name, address, { silent = false, answer = "" }) => {
    bus?.setSilent(silent);
    const process = await startProcess(address());
    expect(await process.listener.isWell()).toBe(false);
    await expect.poll(() => process.said()).toEqual(["bus is away"]);
    expect(process.lines.join("")).toContain("PUBSUB_URL does not answer");
    expect(process.lines.join("")).toContain(answer);
    expect(process.lines.join("")).not.toContain("hunter2");
    // Its own changes are nobody's loss.
    expect(await reaches(process, process)).toBe(true);
  });

  test("two installations share by different numbers receive nothing of each other", async () => {
    const [here, elsewhere] = [await startProcess(`${url}/0`), await startProcess(`${url}/7`)];
    expect(await reaches(here, elsewhere, { expected: false })).toBe(false);
    expect(await reaches(here, await startProcess())).toBe(true);
  });

  test("reads slower than we write costs notifications, not memory, and no caller waits", async () => {
    const { db, listener } = await startProcess();
    bus?.setSilent(true);
    for (let at = 0; at < 12_000; at += 1) await notifyAccount(db, { userId: rohan.id });
    bus?.setSilent(false);
    await expect.poll(() => listener.isWell()).toBe(true);
  });
});

/* With NOTIFY everything that was committed before a stream asks has arrived by then. With a bus it may come later, or never. */
test.runIf(hasBus)(
  "what was committed between a page's read and its stream reaches the page, though never published",
  async () => {
    const streaming = await startProcess();
    const { id: projectId } = await makeProject(database.db, { createdBy: rohan.id });
    const cursor = streaming.hub.cursor();
    // As a process that is killed between commit and publication: nobody is notified.
    const killed = createTestCallers(database.db, { announce: async () => {} });
    await (await killed.as(rohan)).projects.update({ projectId, version: 1, patch: { title: "Renamed" } });
    for (const open of ["all", "one"]) {
      const input = open === "all" ? { lastEventId: cursor } : { projectId, lastEventId: cursor };
      const stream = await (await streaming.as(rohan)).projects.onChange(input);
      for await (const event of stream) {
        expect(event).toEqual({ type: "resync" });
        break;
      }
    }
  },
);

test.runIf(hasBus)("a change whose notification never comes reaches open streams by the safety timer", async () => {
  const streaming = await startProcess();
  const { id: projectId } = await makeProject(database.db, { createdBy: rohan.id });
  const stream = (await (await streaming.as(rohan)).projects.onChange())[Symbol.asyncIterator]();
  const next = stream.next();
  const killed = createTestCallers(database.db);
  await (await killed.as(rohan)).projects.update({ projectId, version: 1, patch: { title: "Renamed" } });
  for (let part = 0; part < 60; part += 1) streaming.hub.resyncPart();
  expect((await next).value).toMatchObject({ projectId, project: { title: "Renamed" } });
  await stream.return?.();
});

test.runIf(hasBus)(
  "notifications that come in another order than the commits are each shown once, the last state at the end",
  async () => {
    const { hub, as } = await startProcess();
    const { id: projectId } = await makeProject(database.db, { createdBy: rohan.id });
    const stream = (await (await as(rohan)).projects.onChange())[Symbol.asyncIterator]();
    const killed = await createTestCallers(database.db).as(rohan);
    await killed.projects.update({ projectId, version: 1, patch: { title: "Second" } });
    await killed.projects.update({ projectId, version: 2, patch: { title: "Third" } });
    for (const seq of [3, 2, 3, 1]) {
      const step = { kind: "project-changed", seq } as const;
      hub.deliver({ subject: `project:${projectId}`, topics: ["projects"], step });
    }
    expect((await stream.next()).value).toMatchObject({ projectId, project: { title: "Third" } });
    const next = stream.next();
    await killed.projects.update({ projectId, version: 3, patch: { title: "Fourth" } });
    for (let part = 0; part < 60; part += 1) hub.resyncPart();
    expect((await next).value).toMatchObject({ projectId, project: { title: "Fourth" } });
    await stream.return?.();
  },
);

test.runIf(hasBus)(
  "over TLS it publishes and receives where the certificate is trusted, and connects nowhere else",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "sangam-bus-"));
    const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    writeFileSync(cert, CERTIFICATE.cert);
    writeFileSync(key, CERTIFICATE.key);
    const secured = await startTestBus({ password: PASSWORD, tls: { cert, key } });
    if (!secured) throw new Error("there was a Redis a moment ago");
    // A process of its own: which authorities Node.js trusts is settled when it starts.
    const program = await bundleProgram(`
    import { openBusConnection } from "./server/realtime/bus-connection.ts";
    let end = () => {};
    const hasReceived = new Promise((resolve) => { end = resolve; });
    const onMessage = (message) => end(console.log(message));
    const options = { timeoutMs: 5_000, onMessage, onEnd() {} };
    const connection = await openBusConnection(process.env.BUS, options).catch((error) => console.log(error.code));
    await connection?.publish("received over TLS");
    if (connection) await hasReceived;
    connection?.endAfter(0);`);
    const say = async (trusted: Record<string, string>) => {
      const env = { ...process.env, BUS: secured.url, ...trusted };
      return (await promisify(execFile)(process.execPath, [program.path], { env })).stdout.trim();
    };
    const said = await Promise.all([say({ NODE_EXTRA_CA_CERTS: cert }), say({})]);
    await secured.close();
    rmSync(folder, { recursive: true });
    program.remove();
    expect(said).toEqual(["received over TLS", "DEPTH_ZERO_SELF_SIGNED_CERT"]);
  },
);

test.runIf(hasBus)(
  "/readyz says how the bus is and stays 200, metrics too; without PUBSUB_URL it says nothing of one",
  async () => {
    const { sql, connection } = database;
    const { db, close } = createDb(connection);
    const metrics = { port: null, token: "of-this-test" };
    const over = await startLiveServer({ db, sql, connection, env: { pubsubUrl: url, metrics } });
    const scraped = async () =>
      (await fetch(`${over.base}/metrics`, { headers: { authorization: "Bearer of-this-test" } })).text();
    const ready = async (base: string) => {
      const answer = await fetch(`${base}/readyz`);
      return [answer.status, await answer.json()];
    };
    const well = { database: true, listener: true, pool: true, serving: true };
    expect(await ready(over.base)).toEqual([200, { ...well, bus: true }]);
    expect(await scraped()).toMatch(/^sangam_notifications_up 1$/m);
    bus?.setSilent(true);
    expect(await ready(over.base)).toEqual([200, { ...well, bus: false }]);
    expect(await scraped()).toMatch(/^sangam_notifications_up 0$/m);
    bus?.setSilent(false);
    await expect.poll(() => ready(over.base)).toEqual([200, { ...well, bus: true }]);
    await over.close();
    await close();
    const without = await startLiveServer({ db: database.db, sql, connection });
    expect(await ready(without.base)).toEqual([200, well]);
    await without.close();
  },
);
