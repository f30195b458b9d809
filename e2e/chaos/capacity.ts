import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "../../db/client";
import type { Scene } from "./fault";

/** The connections of a server's pool (db/client.ts). */
export const WANTED = 10;
/** Well below the servers' lock timeout. */
const HOLD_MS = 8_000;
const POLL_MS = 20;
/** For a message to come as far as the lock. */
const ARRIVAL_MS = 500;
/** On a busy machine `timeoutMs` is over after one or two. */
const MIN_TRIES = 4;

/**
 * How many connections of the servers' pools serve: locks all conversations, sends messages until each connection of a
 * pool has one, and counts the backends that wait for the lock. Repeats until it is the whole pool, or for `timeoutMs` and a few times. All calls
 * are answered afterwards and recorded.
 */
export async function findServing(scene: Scene, timeoutMs: number): Promise<number> {
  const until = performance.now() + timeoutMs;
  for (let tries = 1; ; tries += 1) {
    const serving = await countOnce(scene);
    if (serving >= WANTED || (tries >= MIN_TRIES && performance.now() > until)) return serving;
    await sleep(500);
  }
}

async function countOnce({ database, company, random }: Scene): Promise<number> {
  const personIds = company.people.map(({ id }) => id);
  const messages = company.tabs.flatMap((tab) => tab.person.partnerIds.map((id) => ({ tab, id })));
  const count = () => countWaiting(database.sql, new Set(database.proxy.connections().map(({ pid }) => pid)));
  const calls: Promise<void>[] = [];
  let highest = 0;
  await database.sql.begin(async (tx) => {
    await tx`select id from conversations where lower_user_id in ${tx(personIds)} for update`;
    const until = performance.now() + HOLD_MS;
    // One after the other: of what comes at once the driver sends some down connections that wait already, and leaves others idle.
    for (const { tab, id } of random.shuffled(messages)) {
      if (highest >= WANTED || performance.now() > until) break;
      calls.push(tab.writeTwice(id).catch(() => {}));
      const before = highest;
      const arrival = performance.now() + ARRIVAL_MS;
      while (highest === before && performance.now() < arrival) {
        await sleep(POLL_MS);
        highest = Math.max(highest, await count());
      }
    }
  });
  await Promise.all(calls);
  return highest;
}

/** Leaves out backends whose connections were lost. */
async function countWaiting(sql: Sql, pids: ReadonlySet<number>): Promise<number> {
  const waiting = await sql<{ pid: number }[]>`select pid from pg_stat_activity where wait_event_type = 'Lock'`;
  return waiting.filter(({ pid }) => pids.has(pid)).length;
}
