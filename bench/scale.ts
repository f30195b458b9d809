import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { makeConversation, makeUser } from "../db/factories";
import { type ProxiedServers, startProxiedServers } from "../e2e/proxied-servers";
import { findProgram } from "../scripts/find-program.mjs";
import { freePort } from "../server/test/free-port";
import { median, sample } from "./lib/measure";
import { makeFirm } from "./lib/rig";
import { changeMs, mutate, openWatchers } from "./lib/sockets";
import { judge } from "./lib/verdict";

/*
 * 1, 2 and 4 processes on one PostgreSQL behind nginx: board reads, new tasks and messages a second, and the time until the last
 * of 1,000 and 5,000 watchers has received of a change, by PostgreSQL's notifications and, where there is one, by Redis or Valkey.
 * `--processes 1,2`, `--watchers 1000` and `--bus redis` or `postgresql` measure a part.
 *
 * Load, nginx, PostgreSQL and the processes share the machine, so that more processes than it has idle cores bring nothing here.
 * What carries over to other machines is the processor time of the processes for each call: a core answers so many a second.
 */

const ROUNDS = 3;
/** Each process compiles what it runs once it has run some thousand calls. */
const WARM_UP_MS = 3_000;
const ROUND_MS = 2_000;
/** Of a clock tick in /proc. */
const TICK_MS = 10;

const { values } = parseArgs({
  options: {
    processes: { type: "string", default: "1,2,4" },
    watchers: { type: "string", default: "1000,5000" },
    bus: { type: "string" },
  },
  strict: false,
});
const numbers = (text: unknown) => String(text).split(",").map(Number).filter(Boolean);
const watcherCounts = numbers(values.watchers);

interface Curve {
  processes: number;
  rates: Record<string, number>;
  lastMs: Record<number, number>;
}

if ((await findProgram("nginx")) === null) {
  const goal = { atLeast: 0.9, unit: "of one process's rate" };
  judge({ what: "two processes behind nginx", goal, values: [], missing: "needs nginx" });
} else {
  console.log(`${availableParallelism()} cores for the load, nginx, PostgreSQL and the processes together`);
  if (values.bus !== "redis") report("PostgreSQL", await curves({}));
  if (values.bus !== "postgresql") await measureWithRedis();
}

async function measureWithRedis(): Promise<void> {
  const program = await findProgram("redis");
  if (program === null) return;
  const port = String(await freePort());
  const redis = spawn(program, ["--port", port, "--bind", "127.0.0.1", "--save", ""], { stdio: "ignore" });
  try {
    report("Redis", await curves({ PUBSUB_URL: `redis://127.0.0.1:${port}` }));
  } finally {
    redis.kill();
  }
}

async function curves(bus: Record<string, string>): Promise<Curve[]> {
  const all: Curve[] = [];
  for (const processes of numbers(values.processes)) {
    const proxied = await startProxiedServers({ count: processes, env: { LOG_LEVEL: "silent", ...bus } });
    try {
      all.push({ processes, rates: await measureCalls(proxied), lastMs: await measureWatchers(proxied) });
    } finally {
      await proxied.close();
    }
  }
  return all;
}

async function measureCalls(proxied: ProxiedServers): Promise<Record<string, number>> {
  const { db, url, servers } = proxied;
  const { user, people, projectIds } = await makeFirm(db, { projects: 40, tasks: 400, tasksOfFirst: 200 });
  const admin = await makeUser(db, { accountType: "admin" });
  const conversationIds: string[] = [];
  for (const other of people) {
    conversationIds.push((await makeConversation(db, { between: [admin.id, other.id], messages: [] })).id);
  }
  const [cookie, adminCookie] = [await proxied.cookieOf(user), await proxied.cookieOf(admin)];
  let count = 0;
  const next = (ids: readonly string[]) => ids[count++ % ids.length];
  const board = `${url}/api/trpc/tasks.list?input=${encodeURIComponent(JSON.stringify({ json: { projectId: projectIds[0] } }))}`;
  const calls = {
    "board reads": async () => void (await (await fetch(board, { headers: { cookie } })).arrayBuffer()),
    "new tasks": () =>
      mutate(`${url}/api/trpc/tasks.create`, cookie, { projectId: next(projectIds), title: "T", description: "D" }),
    messages: () =>
      mutate(`${url}/api/trpc/chat.send`, adminCookie, {
        conversationId: next(conversationIds),
        text: "M",
        clientMessageId: randomUUID(),
      }),
  };
  const rates: Record<string, number> = {};
  for (const [name, call] of Object.entries(calls)) {
    const run = (durationMs: number) => sample({ concurrency: 16, durationMs, work: async () => void (await call()) });
    await run(WARM_UP_MS * servers.length);
    const perSecond: number[] = [];
    const usedMs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = processorMs(servers);
      const { count: done } = await run(ROUND_MS);
      perSecond.push((done / ROUND_MS) * 1_000);
      usedMs.push((processorMs(servers) - before) / done);
    }
    rates[name] = median(perSecond);
    const perCore = (1_000 / median(usedMs)).toFixed(0);
    console.log(
      `${servers.length} processes, ${name}: ${median(perSecond).toFixed(0)} a second here; ${median(usedMs).toFixed(2)} ms of a core each, ${perCore} a second and core`,
    );
  }
  return rates;
}

async function measureWatchers(proxied: ProxiedServers): Promise<Record<number, number>> {
  const lastMs: Record<number, number> = {};
  const cookies: string[] = [];
  for (const watchers of watcherCounts) {
    const { projectIds } = await makeFirm(proxied.db, { projects: 1, tasks: 0 });
    while (cookies.length < watchers) {
      // Admins see every project without being on it: an event names all who are.
      const people = Array.from({ length: Math.min(50, watchers - cookies.length) }, () =>
        makeUser(proxied.db, { accountType: "admin" }).then((admin) => proxied.cookieOf(admin)),
      );
      cookies.push(...(await Promise.all(people)));
    }
    const all = await openWatchers({
      url: `${proxied.url}/api/trpc`,
      cookies,
      path: "projects.onChange",
      change: { path: "tasks.create", input: { projectId: projectIds[0], title: "T", description: "D" } },
    });
    const before = processorMs(proxied.servers);
    const { p50, slowest } = await changeMs(all);
    const perChange = (processorMs(proxied.servers) - before) / 40;
    lastMs[watchers] = p50;
    all.close();
    console.log(
      `${proxied.servers.length} processes: last of ${watchers} watchers after ${p50.toFixed(0)} ms (slowest ${slowest.toFixed(0)}); ${perChange.toFixed(0)} ms of a core for each change`,
    );
  }
  return lastMs;
}

/** What the processes have had of all cores since they began. */
function processorMs(servers: ProxiedServers["servers"]): number {
  return servers.reduce((sum, server) => {
    const fields = readFileSync(`/proc/${server.pid()}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return sum + (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }, 0);
}

function report(bus: string, all: readonly Curve[]): void {
  const [one, ...more] = all;
  if (!one) return;
  for (const { processes, rates, lastMs } of more) {
    for (const [name, rate] of Object.entries(rates)) {
      const goal = { atLeast: 0.9, unit: "of one process's rate" };
      judge({ what: `${bus}: ${name}, ${processes} processes`, goal, values: [rate / (one.rates[name] ?? 1)] });
    }
    for (const [watchers, ms] of Object.entries(lastMs)) {
      const goal = { atMost: 1.1, unit: "times one process's" };
      const values = [ms / (one.lastMs[Number(watchers)] ?? 1)];
      judge({ what: `${bus}: the last of ${watchers} watchers, ${processes} processes`, goal, values });
    }
  }
}
