import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startMixedLoad } from "../e2e/mixed-load";
import { type ProxiedServers, startProxiedServers } from "../e2e/proxied-servers";
import type { TestServer } from "../e2e/server";
import { findProgram } from "../scripts/find-program.mjs";
import { type Reading, residentKb, slopePerMinute } from "./lib/measure";
import { judge } from "./lib/verdict";

/*
 * Half an hour of mixed load on two processes behind nginx: calls over plain HTTP that nothing repeats, event streams and sockets
 * that follow a board and a conversation. The second process restarts every five minutes, the first at the very end, so that its
 * memory is watched for as long as possible. Ends with 1 when a goal is missed.
 *
 * The slope is that of the resident memory, which collections move up and down by tens of megabytes: the median of the slopes
 * between all pairs of readings (Theil and Sen), which no single jump moves, after a third of the time. Until then the heap grows
 * to its working size, whatever the program does.
 */

const MINUTE_MS = 60_000;
const READ_EVERY_MS = 5_000;
const RESTART_EVERY_MINUTES = 5;
/** Below that the heap is still growing to its working size. */
const MIN_MINUTES_OF_MEMORY = 15;

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "30" }, pace: { type: "string", default: "2" } },
  strict: false,
});
const minutes = Number(values.minutes);
const isMet = (await findProgram("nginx")) === null ? skip() : await soak();
process.exit(isMet ? 0 : 1);

function skip(): boolean {
  const goal = { atMost: 0, unit: "failed requests" };
  judge({ what: `${minutes} minutes of mixed load`, goal, values: [], missing: "needs nginx" });
  return true;
}

async function soak(): Promise<boolean> {
  const proxied = await startProxiedServers({ count: 2, env: { DEMO: "1" } });
  try {
    const load = await startMixedLoad({ ...proxied, pace: Number(values.pace) });
    const memory = proxied.servers.map(() => [] as Reading[]);
    let restarts = 0;
    const startedAt = performance.now();
    const restartEveryMs = Math.min(RESTART_EVERY_MINUTES, minutes / 6) * MINUTE_MS;
    for (let at = READ_EVERY_MS; at <= minutes * MINUTE_MS; at += READ_EVERY_MS) {
      await sleep(Math.max(0, startedAt + at - performance.now()));
      if (at / restartEveryMs >= restarts + 1) restarts += await restart(proxied.servers[1]);
      for (const [which, server] of proxied.servers.entries())
        memory[which]?.push({ minute: at / MINUTE_MS, value: residentKb(server.pid()) / 1024 });
      if (at % MINUTE_MS === 0) print(at / MINUTE_MS, { ...load.report(), memory });
    }
    restarts += await restart(proxied.servers[0]);
    return report({ ...(await load.stop()), restarts, memory, proxied });
  } finally {
    await proxied.close();
  }
}

async function restart(server: TestServer | undefined): Promise<number> {
  await server?.stop();
  await server?.start();
  return 1;
}

function print(
  minute: number,
  { calls, failures, memory }: { calls: Record<string, number>; failures: readonly string[]; memory: Reading[][] },
): void {
  const sum = Object.values(calls).reduce((all, count) => all + count, 0);
  const megabytes = memory.map((readings) => readings.at(-1)?.value.toFixed(0)).join(" and ");
  console.log(`minute ${minute}: ${sum} calls, ${failures.length} failed; ${megabytes} MB`);
}

interface Outcome {
  calls: Record<string, number>;
  failures: readonly string[];
  lost: readonly string[];
  resumed: number;
  restarts: number;
  memory: Reading[][];
  proxied: ProxiedServers;
}

/** Whether all goals are met. */
function report({ calls, failures, lost, resumed, restarts, memory, proxied }: Outcome): boolean {
  const lines = proxied.servers.flatMap(({ log }) => log.join("").split("\n"));
  const unhandled = lines.filter((line) => /unhandled rejection|uncaught exception/i.test(line));
  const slope = minutes < MIN_MINUTES_OF_MEMORY ? [] : [slopePerMinute(afterWarmUp(memory[0] ?? []))];
  console.log(`${restarts} restarts; streams begun again ${resumed} times; calls: ${JSON.stringify(calls)}`);
  for (const line of [...failures, ...lost, ...unhandled].slice(0, 20)) console.log(`  ${line}`);
  for (const [text, count] of Object.entries(countedMessages(lines)))
    console.log(`  in the logs ${count} times: ${text}`);
  const what = `${minutes} minutes of mixed load, ${restarts} restarts`;
  judge({ what, goal: { atMost: 0, unit: "failed requests" }, values: [failures.length] });
  judge({ what, goal: { atMost: 0, unit: "streams that missed something" }, values: [lost.length] });
  judge({ what, goal: { atMost: 0, unit: "unhandled rejections" }, values: [unhandled.length] });
  const missing = `needs ${MIN_MINUTES_OF_MEMORY} minutes`;
  judge({ what, goal: { atMost: 1, unit: "MB of memory a minute" }, values: slope, missing });
  return failures.length + lost.length + unhandled.length === 0 && slope.every((value) => value <= 1);
}

function afterWarmUp(readings: readonly Reading[]): Reading[] {
  return readings.filter(({ minute }) => minute > minutes / 3);
}

/** The lines of the log at level warn and above, by their message. */
function countedMessages(lines: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of lines) {
    const [, message = ""] = /"(?:msg|message)":"([^"]+)"/.exec(line) ?? [];
    if (message) counts[message] = (counts[message] ?? 0) + 1;
  }
  return counts;
}
