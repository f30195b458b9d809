import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createLogger } from "../core/logger";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { createHub, type Subscription } from "./hub";
import { startListener } from "./listener";
import { sendPayloads } from "./notify";
import { createPresence, type PresenceTimes } from "./presence";
import type { Listener } from "./transport";

const HOUR_MS = 3_600_000;
/** Nothing happens by itself. */
const STILL: PresenceTimes = { heartbeatMs: HOUR_MS, forgetAfterMs: HOUR_MS, graceMs: HOUR_MS };

let database: TestDatabase;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(() => database.close());

/** A process as far as presence goes: its directory, hub and listener on the one database. */
async function startProcess(times: Partial<PresenceTimes> = {}) {
  const hub = createHub();
  const lines: string[] = [];
  const logger = createLogger({ level: "debug", write: (line) => lines.push(line) });
  /** Throws in place of what PostgreSQL would. */
  const link: { cut: (() => Promise<void>) | null; payloads: string[] } = { cut: null, payloads: [] };
  const presence = createPresence({
    processId: randomUUID(),
    hub,
    logger,
    times: { ...STILL, ...times },
    async announce(payloads) {
      if (link.cut) return link.cut();
      link.payloads.push(...payloads);
      await sendPayloads(database.db, payloads);
    },
  });
  const listener: Listener = await startListener({ connection: database.connection, hub, presence, logger });
  closers.push(
    () => listener.close(),
    () => presence.close(),
  );
  /** Resolves each time that one of the people turns present or away here. */
  const watch = (...userIds: string[]): Subscription => {
    const subscription = hub.open();
    for (const id of userIds) subscription.join(`presence:${id}`);
    return subscription;
  };
  /** Resolves once the person is present, or is away. */
  const until = async (userId: string, isPresent: boolean) => {
    const subscription = watch(userId);
    while (presence.isPresent(userId) !== isPresent) await subscription.next(undefined);
    subscription.close();
  };
  return { presence, hub, link, lines, watch, until };
}

/** Resolves once everything that was announced in one process before has been received by the other. */
async function settled(from: Awaited<ReturnType<typeof startProcess>>, to: typeof from): Promise<void> {
  const marker = randomUUID();
  const handle = from.presence.arrive(marker);
  await to.until(marker, true);
  handle.revoke();
  await to.until(marker, false);
}

describe("who is present", () => {
  test("is known to every process, until the last page anywhere has been closed for a while", async () => {
    const [here, there] = [await startProcess({ graceMs: 50 }), await startProcess({ graceMs: 50 })];
    const asha = randomUUID();
    const pages = [here.presence.arrive(asha), here.presence.arrive(asha), there.presence.arrive(asha)];
    await Promise.all([here.until(asha, true), there.until(asha, true)]);
    // Here she is present by her own pages too: what came from there has to be known before they close.
    await settled(there, here);
    pages[0]?.leave();
    pages[0]?.leave();
    pages[1]?.leave();
    await settled(here, there);
    expect([here, there].map(({ presence }) => presence.isPresent(asha))).toEqual([true, true]);
    pages[2]?.leave();
    await Promise.all([here.until(asha, false), there.until(asha, false)]);
    expect(there.presence.presentIds()).toEqual([]);
  });

  test("does not flicker when a page is loaded again, in the same process or another", async () => {
    const [here, there] = [await startProcess(), await startProcess()];
    const [asha, marker] = [randomUUID(), randomUUID()];
    const first = here.presence.arrive(asha);
    await there.until(asha, true);
    const subscriptions = [here.watch(asha, marker), there.watch(asha, marker)];
    first.leave();
    const second = here.presence.arrive(asha);
    await settled(here, there);
    second.leave();
    await settled(here, there);
    there.presence.arrive(asha);
    await settled(there, here);
    here.presence.arrive(marker);
    for (const subscription of subscriptions) {
      expect((await subscription.next(undefined))?.subjects).toEqual(new Set([`presence:${marker}`]));
    }
  });

  test("whose session is revoked is away at once, unless they are present elsewhere", async () => {
    const [here, there] = [await startProcess(), await startProcess()];
    const asha = randomUUID();
    const pages = [here.presence.arrive(asha), there.presence.arrive(asha)];
    await settled(there, here);
    await settled(here, there);
    pages[0]?.revoke();
    expect(here.presence.isPresent(asha)).toBe(true);
    pages[1]?.revoke();
    await Promise.all([here.until(asha, false), there.until(asha, false)]);
  });

  test("is asked for by a process that starts, and answered by all others", async () => {
    const [here, there] = [await startProcess(), await startProcess()];
    const [asha, meera] = [randomUUID(), randomUUID()];
    here.presence.arrive(asha);
    there.presence.arrive(meera);
    const late = await startProcess();
    await Promise.all([late.until(asha, true), late.until(meera, true)]);
  });

  test("fits into notifications, whatever their number", async () => {
    const here = await startProcess();
    const everyone = Array.from({ length: 1_000 }, () => randomUUID());
    for (const id of everyone) here.presence.arrive(id);
    const late = await startProcess();
    await Promise.all(everyone.map((id) => late.until(id, true)));
    expect(late.presence.presentIds().toSorted()).toEqual(everyone.toSorted());
    expect(Math.max(...here.link.payloads.map((payload) => payload.length))).toBeLessThan(8_000);
  });
});

describe("a process", () => {
  test("that stops takes its people with it; those who come back elsewhere in time were never away", async () => {
    const [here, there] = [await startProcess({ graceMs: 200 }), await startProcess()];
    const [asha, meera] = [randomUUID(), randomUUID()];
    there.presence.arrive(asha);
    there.presence.arrive(meera);
    await Promise.all([here.until(asha, true), here.until(meera, true)]);
    const subscription = here.watch(asha, meera);
    await there.presence.close();
    here.presence.arrive(asha);
    expect((await subscription.next(undefined))?.subjects).toEqual(new Set([`presence:${meera}`]));
    expect(here.presence.presentIds()).toEqual([asha]);
  });

  test("that sends nothing any more is forgotten, and is known again as soon as it does", async () => {
    const here = await startProcess({ graceMs: 20, forgetAfterMs: 200 });
    const there = await startProcess();
    const asha = randomUUID();
    there.presence.arrive(asha);
    await here.until(asha, true);
    await here.until(asha, false);
    there.presence.requestSnapshots();
    await here.until(asha, true);
  });

  test("that beats is never forgotten", async () => {
    const here = await startProcess({ graceMs: 1, forgetAfterMs: 2_000 });
    const there = await startProcess({ heartbeatMs: 40 });
    const asha = randomUUID();
    there.presence.arrive(asha);
    await here.until(asha, true);
    const marker = randomUUID();
    const subscription = here.watch(asha, marker);
    const [beganAt, before] = [performance.now(), there.link.payloads.length];
    // Longer than it is remembered without a beat, and some beats have come.
    await expect.poll(() => performance.now() - beganAt).toBeGreaterThan(2_500);
    expect(there.link.payloads.length).toBeGreaterThan(before);
    here.presence.arrive(marker);
    expect((await subscription.next(undefined))?.subjects).toEqual(new Set([`presence:${marker}`]));
  });

  test("neither waits nor fails when it cannot announce, and the next snapshot makes up for what was lost", async () => {
    const here = await startProcess({ graceMs: 1 });
    const there = await startProcess({ heartbeatMs: 50, graceMs: 1 });
    const [asha, meera] = [randomUUID(), randomUUID()];
    const handle = there.presence.arrive(asha);
    await here.until(asha, true);
    there.link.cut = () => Promise.reject(new Error("the database is away"));
    handle.leave();
    there.presence.arrive(meera);
    there.presence.noteTyping({ conversationId: randomUUID(), userId: meera });
    await there.until(asha, false);
    // What was on its way before the cut is finished first.
    await expect.poll(() => there.lines.join("")).toContain("presence was not announced");
    expect([here.presence.isPresent(asha), here.presence.isPresent(meera)]).toEqual([true, false]);
    there.link.cut = null;
    await Promise.all([here.until(asha, false), here.until(meera, true)]);
  });

  test("that stops does not wait for a database that does not answer", async () => {
    const here = await startProcess();
    here.link.cut = () => new Promise(() => {});
    here.presence.arrive(randomUUID());
    await Promise.resolve();
    await here.presence.close();
    const late = here.presence.arrive(randomUUID());
    late.leave();
    expect(here.link.payloads.filter((payload) => payload.includes("changed"))).toEqual([]);
  });

  test("asks again after its listening connection has ended", async () => {
    const [here, there] = [await startProcess(), await startProcess()];
    const asha = randomUUID();
    await settled(there, here);
    await database.sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and application_name = 'sangam listener'`;
    there.presence.arrive(asha);
    await here.until(asha, true);
  });
});
