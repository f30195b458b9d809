import { deepEqual } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import { createDb } from "../db/client";
import { startEmbedded } from "../db/embedded/start";
import { disposeServer, startServer, type TestServer } from "../e2e/server";
import { sample } from "./lib/measure";
import { judge } from "./lib/verdict";

/*
 * `npm run import` of a firm of 500 people, 300 projects, 5,000 tasks and 50,000 messages into a server that runs and answers,
 * beside a bare COPY of the rows that it makes into the same tables, emptied, from files. The import's time is that of its whole
 * process, its start included. Server, PostgreSQL and import share the machine.
 */

const ROUNDS = 3;
const SIZE = { users: 500, projects: 300, tasks: 5_000, conversations: 490, messages: 50_000 };
const TABLES = ["users", "projects", "project_members", "tasks", "task_assignees", "conversations", "messages"];
const ROWS = Object.values(SIZE).reduce((sum, count) => sum + count, 0);
const POLL_MS = 20;

const shares: number[] = [];
const memories: number[] = [];
const tails: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const server = await startServer({ LOG_LEVEL: "silent", DEMO: "0" });
  const cluster = await startEmbedded({ dataDir: server.dataDir });
  const { sql, close } = createDb(cluster.connection, { max: 1, statementTimeoutMs: null, readTimeoutMs: null });
  try {
    writeFileSync(join(server.dataDir, "firm.json"), JSON.stringify(firm()));
    const ask = async () => void (await (await fetch(`${server.url}/`)).arrayBuffer());
    const reads = { concurrency: 4, everyMs: 50, durationMs: 3_000, work: ask };
    await sample(reads);
    const quiet = await sample(reads);
    const [imported, beside] = await Promise.all([runImport(server), sample(reads)]);
    const copyMs = await copyAll(sql);
    shares.push(copyMs / imported.ms);
    memories.push(imported.mib);
    tails.push(beside.p99);
    console.log(
      `round ${round + 1}: ${rate(imported.ms)} rows a second, ${imported.mib.toFixed(0)} MiB; bare COPY ${rate(copyMs)}; a page's p99 ${quiet.p99.toFixed(1)} -> ${beside.p99.toFixed(1)} ms`,
    );
  } finally {
    await close();
    await disposeServer(server);
  }
}
judge({ what: "import: rows a second", goal: { atLeast: 0.25, unit: "of a bare COPY" }, values: shares });
judge({ what: "import: memory", goal: { atMost: 300, unit: "MiB" }, values: memories });
judge({ what: "a page beside an import: p99", goal: { atMost: 1_000, unit: "ms" }, values: tails });

async function runImport({ dataDir }: TestServer): Promise<{ ms: number; mib: number }> {
  const startedAt = performance.now();
  const args = ["--import", dataDir, "firm.json", "--report", "report.json"];
  const child = spawn(process.execPath, [join("dist-server", "main.mjs"), ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: "production", DATA_DIR: dataDir, LOG_LEVEL: "silent" },
    stdio: "ignore",
  });
  let kib = 0;
  const poll = setInterval(() => {
    kib = Math.max(kib, highWaterKib(child.pid ?? 0));
  }, POLL_MS);
  const [code] = await once(child, "close");
  const ms = performance.now() - startedAt;
  clearInterval(poll);
  if (code !== 0) throw new Error(`The import ended with ${code}.`);
  const { imported } = JSON.parse(readFileSync(join(dataDir, "report.json"), "utf8"));
  deepEqual(imported, SIZE);
  return { ms, mib: kib / 1024 };
}

/** The most memory that a process has had; 0 once it is gone. */
function highWaterKib(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Milliseconds to copy the rows back into their emptied tables, from files of the database's machine. */
async function copyAll(sql: Sql): Promise<number> {
  const fileOf = (table: string) => join(tmpdir(), `sangam-bench-copy-${process.pid}-${table}`);
  for (const table of TABLES) await sql.unsafe(`copy ${table} to '${fileOf(table)}'`);
  await sql.unsafe(`truncate ${TABLES.join(", ")} cascade`);
  const startedAt = performance.now();
  for (const table of TABLES) await sql.unsafe(`copy ${table} from '${fileOf(table)}'`);
  const ms = performance.now() - startedAt;
  for (const table of TABLES) rmSync(fileOf(table));
  return ms;
}

function rate(ms: number): string {
  return Math.round((ROWS / ms) * 1_000).toLocaleString("en-GB");
}

/** The first ten people are admins, the last hundred clients; each of the others writes to an admin. */
function firm() {
  const typeOf = (at: number) => (at < 10 ? "admin" : at < 400 ? "user" : "client");
  const instant = (at: number) => new Date(Date.UTC(2024, 0, 1) + at * 60_000).toISOString();
  const keyed = <Value>(count: number, value: (at: number) => Value) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value(at)]));
  const shareOf = (each: number, at: number) => Math.round((at + 1) * each) - Math.round(at * each);
  const tasksOf = (project: number) =>
    keyed(shareOf(SIZE.tasks / SIZE.projects, project), (at) => ({
      title: `Task ${at + 1}: what there is to do here`,
      description: "A few words on what it is about, where to find it and when it counts as done.",
      completed: at % 3 === 0,
      createdBy: `k${10 + (project % 300)}`,
      assignedTo: [`k${10 + ((project + at) % 300)}`],
      createdAt: instant(at),
    }));
  const messagesOf = (conversation: number) =>
    keyed(shareOf(SIZE.messages / SIZE.conversations, conversation), (at) => ({
      text: `Message ${at}: the day sheet is ready, please look at berth ${conversation}.`,
      senderId: at % 2 === 0 ? `k${conversation % 10}` : `k${conversation + 10}`,
      timestamp: instant(at),
      read: true,
    }));
  return {
    users: keyed(SIZE.users, (at) => ({
      displayName: `Person ${at}`,
      email: `person${at}@firm.example`,
      accountType: typeOf(at),
      accountStatus: "active",
      createdAt: instant(at),
    })),
    projects: keyed(SIZE.projects, (at) => ({
      title: `Project number ${at} with a title of its own`,
      description: "Slot booking for the fishing harbour: berth calendar, payments, and a day sheet for the gate.",
      status: "active",
      clientId: `k${400 + (at % 100)}`,
      assignedTo: [`k${10 + (at % 300)}`, `k${10 + ((at + 1) % 300)}`],
      managers: [`k${10 + (at % 300)}`],
      createdBy: `k${10 + (at % 300)}`,
      createdAt: instant(at),
      startDate: "2024-01-01",
      tasks: tasksOf(at),
    })),
    conversations: keyed(SIZE.conversations, (at) => ({
      participants: [`k${at % 10}`, `k${at + 10}`],
      createdAt: instant(0),
      messages: messagesOf(at),
    })),
  };
}
