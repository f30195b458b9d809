import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { instantAfter } from "../../db/expressions";
import { recurringJobs } from "../../db/schema";
import { createLogger } from "../core/logger";
import { createHub } from "../realtime/hub";
import { createTestDatabase, type TestDatabase } from "../test/db";
import type { JobHealth } from "./health";
import { backoff, findBacklog, isHeld, type Lease, leaseFor, nextDue, RELEASED } from "./lease";
import { recurringJob } from "./recurring";
import { type JobKind, startJobs } from "./runner";

/** Any table with a lease will do; each row is a job that is deleted when it has run. */
const table = recurringJobs;
const LEASE_SECONDS = 60;

let database: TestDatabase;
const lines: string[] = [];
const logger = createLogger({ level: "debug", write: (line) => lines.push(line) });

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.delete(table);
  lines.length = 0;
});
afterAll(() => database.close());

const add = (...ids: string[]) => database.db.insert(table).values(ids.map((id) => ({ id })));
const rows = () => database.db.select().from(table).orderBy(table.id);
const until = async (isTrue: () => boolean | Promise<boolean>) => {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 5));
};
const start = (...kinds: JobKind[]) => startJobs(kinds, { feed: createHub(), logger });

function testKind(given: Partial<JobKind<Lease<string>>> = {}): JobKind<Lease<string>> {
  const { db } = database;
  return {
    name: "test",
    concurrency: 1,
    topic: null,
    pollMs: 10,
    async claim() {
      const [held] = await db
        .update(table)
        .set(leaseFor(LEASE_SECONDS))
        .where(eq(table.id, nextDue(db, { table })))
        .returning({ id: table.id, leaseId: sql<string>`${table.leaseId}` });
      return held ?? null;
    },
    async run(job) {
      await db.delete(table).where(isHeld(table, job));
    },
    async retryLater(job) {
      const failures = sql`${table.failures} + 1`;
      const pause = backoff(failures, { baseSeconds: 10, maxSeconds: 60 });
      await db
        .update(table)
        .set({ ...RELEASED, failures, dueAt: instantAfter(sql`now()`, pause) })
        .where(isHeld(table, job));
      return true;
    },
    describe: ({ id }) => ({ job: id }),
    backlog: () => findBacklog(db, { table }),
    ...given,
  };
}

/** Lets so many seconds pass for every job. */
async function passSeconds(seconds: number): Promise<void> {
  await database.db.update(table).set({
    dueAt: instantAfter(table.dueAt, -seconds),
    leasedUntil: instantAfter(table.leasedUntil, -seconds),
  });
}

test("two processes never take one job, and run no more at a time than the kind allows", async () => {
  const ids = Array.from({ length: 40 }, (_, at) => `job-${at}`);
  await add(...ids);
  const ran: string[] = [];
  const kindOfProcess = () => {
    const { run } = testKind();
    let running = 0;
    return testKind({
      concurrency: 3,
      async run(job, signal) {
        running += 1;
        expect(running).toBeLessThanOrEqual(3);
        ran.push(job.id);
        await new Promise((resolve) => setTimeout(resolve, 2));
        await run(job, signal);
        running -= 1;
      },
    });
  };
  const processes = [start(kindOfProcess()), start(kindOfProcess())];
  await until(async () => (await rows()).length === 0);
  await Promise.all(processes.map((one) => one.close()));
  expect(ran.toSorted()).toEqual(ids.toSorted());
  expect(lines).toEqual([]);
});

test("the job of a killed process is taken over when its lease has run out, and the late process changes nothing", async () => {
  await add("taken-over");
  const kind = testKind();
  const lost = await kind.claim();
  if (!lost) throw new Error("nothing to claim");
  await passSeconds(LEASE_SECONDS - 1);
  expect(await kind.claim()).toBeNull();
  await passSeconds(1);
  expect(await kind.claim()).toMatchObject({ id: "taken-over" });
  await kind.run(lost, AbortSignal.timeout(1_000));
  await kind.retryLater(lost);
  expect(await rows()).toMatchObject([{ id: "taken-over", failures: 0, leaseId: expect.any(String) }]);
});

test("a failed job waits longer each time, up to a limit, and does not hold up the others", async () => {
  await add("a-failing", "b-working");
  const { run } = testKind();
  const kind = testKind({
    async run(job, signal) {
      if (job.id === "a-failing") throw new Error("not today");
      await run(job, signal);
    },
  });
  const process = start(kind);
  const waits: number[] = [];
  for (let failures = 1; failures <= 5; failures += 1) {
    await until(async () => (await rows()).find(({ id }) => id === "a-failing")?.failures === failures);
    const [row] = await rows();
    expect(row?.leaseId).toBeNull();
    waits.push(Math.round(((row?.dueAt.valueOf() ?? 0) - Date.now()) / 10_000) * 10);
    await passSeconds(61);
  }
  await until(async () => (await rows()).length === 1);
  await process.close();
  expect(waits).toEqual([10, 20, 40, 60, 60]);
  expect(lines.join("")).toMatch(/"job failed","kind":"test","job":"a-failing"/);
});

test("a process that stops waits for the running job and starts no other", async () => {
  await add("one", "two", "three");
  let began = 0;
  let ended = 0;
  const process = start(
    testKind({
      async run(_job, signal) {
        began += 1;
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        await new Promise((resolve) => setTimeout(resolve, 50));
        ended += 1;
      },
    }),
  );
  await until(() => began === 1);
  await process.close();
  expect([began, ended]).toEqual([1, 1]);
});

test("a job that a stop breaks off is released for another process, and counts as no failure", async () => {
  await add("broken-off");
  const failures: string[] = [];
  let began = 0;
  const kind = testKind({
    async run(_job, signal) {
      began += 1;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      signal.throwIfAborted();
    },
  });
  const health: JobHealth = { noteSuccess: async () => {}, noteFailure: async (name) => void failures.push(name) };
  const process = startJobs([kind], { feed: createHub(), logger, health });
  await until(() => began === 1);
  await process.close();
  expect(await rows()).toMatchObject([{ id: "broken-off", leaseId: null }]);
  expect(failures).toEqual([]);
  expect(lines).toEqual([]);
});

test("a claim that fails does not stop the runner", async () => {
  const working = testKind();
  let claims = 0;
  const process = start(
    testKind({
      async claim() {
        claims += 1;
        if (claims <= 3) throw new Error("the database is away");
        return working.claim();
      },
    }),
  );
  await add("waiting");
  await until(async () => claims > 3 && (await rows()).length === 0);
  await process.close();
  expect(lines.filter((line) => line.includes("claiming jobs failed"))).toHaveLength(3);
});

test("a failing job whose release fails too leaves the runner working", async () => {
  await add("a-stuck", "b-working");
  const { run } = testKind();
  const process = start(
    testKind({
      run: async (job, signal) => {
        if (job.id === "a-stuck") throw new Error("broken");
        await run(job, signal);
      },
      retryLater: () => Promise.reject(new Error("the database is away")),
    }),
  );
  await until(async () => (await rows()).length === 1);
  await process.close();
  expect(await rows()).toMatchObject([{ id: "a-stuck", leaseId: expect.any(String) }]);
});

test("an announced job runs at once, however seldom the runner looks by itself", async () => {
  const hub = createHub();
  const process = startJobs([testKind({ topic: "mail", pollMs: 600_000 })], { feed: hub, logger });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await add("announced");
  hub.resyncAll();
  await until(async () => (await rows()).length === 0);
  await process.close();
});

test("a kind says how many jobs wait and for how long, without those that run or are not due", async () => {
  const kind = testKind();
  expect(await kind.backlog()).toEqual({ waiting: 0, lagSeconds: 0 });
  await add("first", "second", "third");
  await passSeconds(90);
  await kind.claim();
  await database.db.insert(table).values({ id: "later", dueAt: instantAfter(sql`now()`, 60) });
  const { waiting, lagSeconds } = await kind.backlog();
  expect(waiting).toBe(2);
  expect(lagSeconds).toBeGreaterThanOrEqual(90);
  expect(lagSeconds).toBeLessThan(120);
});

test("a recurring job runs once an interval for all processes together, and again sooner after a failure", async () => {
  let runs = 0;
  let isBroken = false;
  const work = async () => {
    runs += 1;
    if (isBroken) throw new Error("not now");
  };
  const kinds = [1, 2, 3].map(() => recurringJob(database.db, { name: "tidy", everySeconds: 600, work }));
  const poll = async () => {
    for (const kind of kinds) {
      const job = await kind.claim();
      if (job) await kind.run(job, AbortSignal.timeout(1_000)).catch(() => kind.retryLater(job));
    }
  };
  await poll();
  await poll();
  expect(runs).toBe(1);
  await passSeconds(600);
  await poll();
  expect(runs).toBe(2);
  isBroken = true;
  await passSeconds(600);
  await poll();
  expect(runs).toBe(3);
  await passSeconds(10);
  await poll();
  expect(runs).toBe(4);
  await passSeconds(10);
  await poll();
  expect(runs).toBe(4);
});

test("a recurring job of unknown length keeps its short lease while it runs", async () => {
  let end = () => {};
  const work = () => new Promise<void>((resolve) => (end = resolve));
  const kind = recurringJob(database.db, { name: "tidy", everySeconds: 600, leaseSeconds: 60, renewMs: 10, work });
  const held = await kind.claim();
  const running = held && kind.run(held, AbortSignal.timeout(60_000));
  await passSeconds(59);
  await until(async () => ((await rows())[0]?.leasedUntil?.valueOf() ?? 0) > Date.now() + 50_000);
  expect(await kind.claim()).toBeNull();
  end();
  await running;
  expect(await rows()).toMatchObject([{ id: "tidy", leaseId: null, failures: 0 }]);
});

test("a recurring job that a stop breaks off is due at once and has not failed", async () => {
  let began = 0;
  const work = async (signal: AbortSignal) => {
    began += 1;
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    signal.throwIfAborted();
  };
  const kind = recurringJob(database.db, { name: "tidy", everySeconds: 600, work });
  const process = start(kind);
  await until(() => began === 1);
  await process.close();
  expect(await rows()).toMatchObject([{ id: "tidy", leaseId: null, failures: 0 }]);
  expect(await kind.claim()).not.toBeNull();
});

test("a recurring job with atStart runs once at the start of each process, though none is due", async () => {
  let runs = 0;
  const startOne = () =>
    start(
      recurringJob(database.db, { name: "prepare", everySeconds: 600, atStart: true, work: async () => (runs += 1) }),
    );
  await startOne().close();
  await startOne().close();
  expect(runs).toBe(2);
});
