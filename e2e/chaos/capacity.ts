import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "../../db/client";
import type { Scene } from "./fault";

/** The connections of a server's pool (db/client.ts). */
export const WANTED = 10;
/** Well below the servers' lock timeout. */
const HOLD_MS = 3_000;
const POLL_MS = 20;
/** Each takes over three seconds, and on a busy machine so long that `timeoutMs` is over after two. */
const MIN_TRIES = 6;

/**
 * How many connections of the servers' pools serve: locks all conversations, sends more messages than a pool has connections,
 * and counts the backends that wait for the lock. Repeats until it is the whole pool, or for `timeoutMs` and a few times. All calls
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

async function countOnce({ database, company }: Scene): Promise<number> {
  const personIds = company.people.map(({ id }) => id);
  let highest = 0;
  const calls = await database.sql.begin(async (tx) => {
    await tx`select id from conversations where lower_user_id in ${tx(personIds)} for update`;
    const called = company.tabs.flatMap((tab) => tab.person.partnerIds.map((id) => tab.writeTwice(id)));
    for (
      const until = performance.now() + HOLD_MS;
      highest < WANTED && performance.now() < until;
      await sleep(POLL_MS)
    ) {
      highest = Math.max(
        highest,
        await countWaiting(database.sql, new Set(database.proxy.connections().map(({ pid }) => pid))),
      );
    }
    return called.map((call) => call.catch(() => {}));
  });
  await Promise.all(calls);
  return highest;
}

/** Leaves out backends whose connections were lost. */
async function countWaiting(sql: Sql, pids: ReadonlySet<number>): Promise<number> {
  const waiting = await sql<{ pid: number }[]>`select pid from pg_stat_activity where wait_event_type = 'Lock'`;
  return waiting.filter(({ pid }) => pids.has(pid)).length;
}
