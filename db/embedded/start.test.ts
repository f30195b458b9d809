import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { bundleProgram, type Program } from "../../scripts/bundle";
import { throwAwayFolder } from "../../server/test/cluster";
import { type Connection, connect } from "../client";
import { startEmbedded } from "./start";

/** What a process of its own reports, so that it can be killed without warning. */
type Report = { connection: Connection; owned: boolean; where: string };

const CHILD = `
  import { startEmbedded } from "./db/embedded/start.ts";
  const cluster = await startEmbedded({ dataDir: process.argv[2] });
  console.log(JSON.stringify(cluster));
  cluster.exited.then((sentence) => console.log(JSON.stringify({ sentence })));
  process.on("SIGTERM", () => cluster.stop().then(() => process.exit(0)));
  setInterval(() => {}, 1000);
`;

let dataDir: string;
/** What a first start has made. */
let made: string;
let program: Program;
let children: ChildProcess[] = [];

beforeAll(async () => {
  made = throwAwayFolder();
  const [cluster, bundled] = await Promise.all([startEmbedded({ dataDir: made }), bundleProgram(CHILD)]);
  program = bundled;
  await cluster.stop();
});
afterAll(() => {
  program.remove();
  rmSync(made, { recursive: true, force: true });
});

beforeEach(() => {
  dataDir = throwAwayFolder();
});

afterEach(async () => {
  await Promise.all(children.map((child) => end(child, "SIGTERM")));
  children = [];
  await noPostgres();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Making a cluster takes one to two seconds of processor, so only what is about a first start does it. */
function copyCluster(): void {
  execFileSync("cp", ["-a", join(made, "pg"), dataDir]);
}

test("what was written is there after a stop and a new start", async () => {
  copyCluster();
  const first = await startEmbedded({ dataDir });
  await query(first.connection, "create table kept as select 42 as answer");
  await first.stop();
  expect(await first.exited).toBe("PostgreSQL was stopped.");
  await noPostgres();

  const second = await startEmbedded({ dataDir });
  expect(second).toMatchObject({ owned: true, where: first.where });
  expect(await query(second.connection, "select answer from kept")).toEqual([{ answer: 42 }]);
  await second.stop();
});

test("a second process joins the first one's cluster, leaves it alone, and notices its end", async () => {
  copyCluster();
  const owner = await startEmbedded({ dataDir });
  const guest = await launch();
  expect(guest.report).toMatchObject({ owned: false, connection: owner.connection });
  expect(await query(guest.report.connection, "select 1 as one")).toEqual([{ one: 1 }]);
  const passing = await launch();
  await end(passing.child, "SIGTERM");
  expect(await query(owner.connection, "select 1 as one")).toEqual([{ one: 1 }]);

  await owner.stop();
  expect(await guest.nextLine()).toContain("has stopped, and the database with it");
});

test("two first starts at the same moment end up with one cluster", async () => {
  const [one, two] = await Promise.all([launch(), launch()]);
  expect([one.report.owned, two.report.owned].sort()).toEqual([false, true]);
  expect(one.report.connection).toEqual(two.report.connection);
  expect(readdirSync(dataDir).filter((name) => name.includes("new"))).toEqual([]);
});

test("kill -9 of the owner leaves no PostgreSQL behind, and the next start works at once", async () => {
  copyCluster();
  const killed = await launch();
  await query(killed.report.connection, "create table kept as select 42 as answer");
  await end(killed.child, "SIGKILL");

  const next = await startEmbedded({ dataDir });
  expect(next.owned).toBe(true);
  expect(await query(next.connection, "select answer from kept")).toEqual([{ answer: 42 }]);
  await next.stop();
  await noPostgres();
});

test("a process id in postmaster.pid that another program has meanwhile is no obstacle", async () => {
  copyCluster();
  const first = await startEmbedded({ dataDir });
  const file = join(first.where, "postmaster.pid");
  const lines = readFileSync(file, "utf8").split("\n");
  await first.stop();
  writeFileSync(file, [process.pid, ...lines.slice(1)].join("\n"));

  const second = await startEmbedded({ dataDir });
  expect(second.owned).toBe(true);
  await second.stop();
});

test("PostgreSQL that ends by itself is reported", async () => {
  copyCluster();
  const cluster = await startEmbedded({ dataDir });
  const pid = Number(readFileSync(join(cluster.where, "postmaster.pid"), "utf8").split("\n")[0]);
  process.kill(pid, "SIGINT");
  expect(await cluster.exited).toContain("PostgreSQL has ended by itself");
});

/** Other C libraries have settings of their own. */
const isGlibc = process.platform === "linux" && existsSync("/etc/ld.so.cache");

test.runIf(isGlibc)("a connection keeps the memory of a statement for the next one", async () => {
  const sql = connect(inject("pg"), { max: 1 });
  const [row] = await sql`select pg_backend_pid() as pid`;
  // 2 MB of text, which string_agg doubles its way up to.
  const large = () => sql`select length(string_agg(md5(n::text), '')) from generate_series(1, 60000) n`;
  for (let time = 0; time < 3; time += 1) await large();
  const before = faultsOf(row?.pid);
  for (let time = 0; time < 10; time += 1) await large();
  // 2 MB that the system hands out anew are 500 pages, for each of the ten.
  expect(faultsOf(row?.pid) - before).toBeLessThan(500);
  await sql.end();
});

/** Pages that the system has given to a process so far. */
function faultsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ");
  return Number(fields?.[7]);
}

async function launch() {
  const child = spawn(process.execPath, [program.path, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => String((await lines.next()).value);
  const report: Report = JSON.parse(await nextLine());
  return { child, report, nextLine };
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill(signal);
  });
}

async function query(connection: Connection, statement: string) {
  const sql = connect(connection, { max: 1 });
  const rows = await sql.unsafe(statement);
  await sql.end();
  return [...rows];
}

/** PostgreSQL removes its postmaster.pid last; the processes are looked for where the system shows them. */
async function noPostgres(): Promise<void> {
  await expect.poll(() => existsSync(join(dataDir, "pg", "postmaster.pid"))).toBe(false);
  if (process.platform !== "linux") return;
  const left = () =>
    readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(`-D\0${dataDir}`));
  await expect.poll(left).toEqual([]);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
