import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium, type Page } from "@playwright/test";
import { authenticateAnew } from "../e2e/pages/account";
import { disposeServer, startServer } from "../e2e/server";
import { startFloorPages } from "./lib/floor-page";
import { judge } from "./lib/verdict";

/*
 * Lighthouse's four scores of a phone for the pages that people open first, on the demo organisation, with an empty cache. Its
 * 185 MB are fetched by npx for this comparison alone. The speed is that of a simulated phone: it takes how long the browser was
 * busy, four times. Browser, server and Lighthouse share this machine's cores, so that what else runs takes points off; each
 * performance is scored a second time from the same load, with the processor time of the browser's tasks in place of their time on the
 * clock. Its loads gather nothing else, as what the other scores look for is busy too: they have a load of their own. Behind sign-in the
 * floor, the least that takes over the same document on this stack, is measured in turns with the page.
 * The pages behind sign-in and the auth pages are not to be found: no goal for their SEO.
 */

const LIGHTHOUSE = "lighthouse@12.8.2";
const RUNS = 3;
const OTHERS = ["accessibility", "best-practices", "seo"] as const;
const METRICS = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time"] as const;
const PAGES: { path: string; email: string | null; goals: [number, number, number, number | null] }[] = [
  { path: "/", email: null, goals: [90, 100, 100, 100] },
  { path: "/login", email: null, goals: [98, 100, 100, null] },
  { path: "/signup", email: null, goals: [98, 100, 100, null] },
  { path: "/dashboard", email: "rohan@sangam.example", goals: [95, 100, 100, null] },
  { path: "/admin", email: "asha@sangam.example", goals: [95, 100, 100, null] },
  { path: "/client", email: "meera@sangam.example", goals: [95, 100, 100, null] },
];
/** `npm run bench lighthouse -- /client` measures that page alone. */
const named = PAGES.filter(({ path }) => process.argv.includes(path));

const folder = mkdtempSync(join(tmpdir(), "sangam-lighthouse-"));
const server = await startServer({ LOG_LEVEL: "silent" });
const context = await chromium.launchPersistentContext(join(folder, "profile"), {
  executablePath: execFileSync(process.execPath, ["scripts/chromium.mjs"], { encoding: "utf8" }).trim(),
  baseURL: server.url,
  args: ["--remote-debugging-port=0", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
});
const floor = await startFloorPages(server);
try {
  for (const { path, email, goals } of named.length > 0 ? named : PAGES) {
    await become(email);
    if (email) await floor.add(await openPage(), path);
    const loads: Load[] = [];
    const floorLoads: Load[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      loads.push(await load(server, path));
      if (email) floorLoads.push(await load(floor, path));
    }
    const other = await report(server, path, OTHERS);
    const [performance, ...goalsOfOthers] = goals;
    for (const [at, name] of OTHERS.entries()) {
      const goal = goalsOfOthers[at];
      if (goal != null) judgePoints(`${name}: ${path}`, goal, [pointsOf(other, name)]);
    }
    const byClock = loads.map((one) => one.byClock);
    const byProcessor = loads.map((one) => one.byProcessor);
    judgePoints(`performance: ${path}`, performance, byClock);
    judgePoints(`performance in processor time: ${path}`, performance, byProcessor);
    for (const one of floorLoads)
      console.log(`the floor of ${path}: ${one.byClock} points by the clock, ${one.byProcessor} in processor time`);
  }
} finally {
  await context.close();
  await floor.close();
  await disposeServer(server);
  rmSync(folder, { recursive: true, force: true });
}

/** Signs in with the browser's own cookies, which Lighthouse leaves alone; null: signs out. */
async function become(email: string | null): Promise<void> {
  await context.clearCookies();
  if (email) await authenticateAnew(await openPage(), email);
}

async function openPage(): Promise<Page> {
  return context.pages()[0] ?? (await context.newPage());
}

interface Report {
  categories: Record<string, { score: number | null } | undefined>;
  audits: Record<string, { numericValue?: number } | undefined>;
  environment: { benchmarkIndex: number };
}

/** Points for performance. */
interface Load {
  byClock: number;
  byProcessor: number;
}

function pointsOf({ categories }: Report, category: "performance" | (typeof OTHERS)[number]): number {
  return Math.round((categories[category]?.score ?? 0) * 100);
}

function judgePoints(what: string, atLeast: number, values: number[]): void {
  judge({ what: `Lighthouse, ${what}`, goal: { atLeast, unit: "points" }, values });
}

/** One load on a phone, in a tab of that browser, which has never been here but for its cookies; scored twice, and printed. */
async function load({ url }: { url: string }, path: string): Promise<Load> {
  const artifacts = mkdtempSync(join(folder, "load-"));
  const score = async () => {
    const scored = await report({ url }, path, ["performance"], `--audit-mode=${artifacts}`);
    const points = pointsOf(scored, "performance");
    const ms = METRICS.map((name) => `${name} ${Math.round(scored.audits[name]?.numericValue ?? 0)} ms`).join(", ");
    console.log(`${url}${path}: ${points} points, ${ms}; processor ${Math.round(scored.environment.benchmarkIndex)}`);
    return points;
  };
  await lighthouse({ url }, path, ["performance"], `--gather-mode=${artifacts}`);
  const byClock = await score();
  countProcessorTime(join(artifacts, "defaultPass.trace.json"));
  return { byClock, byProcessor: await score() };
}

async function report(
  { url }: { url: string },
  path: string,
  categories: readonly string[],
  ...args: string[]
): Promise<Report> {
  const output = join(folder, "report.json");
  await lighthouse({ url }, path, categories, ...args, "--output=json", `--output-path=${output}`);
  return JSON.parse(readFileSync(output, "utf8"));
}

async function lighthouse({ url }: { url: string }, path: string, categories: readonly string[], ...args: string[]) {
  const session = await context.newCDPSession(await openPage());
  await session.send("Network.clearBrowserCache");
  await session.detach();
  const [port] = readFileSync(join(folder, "profile", "DevToolsActivePort"), "utf8").split("\n");
  await promisify(execFile)("npx", [
    ...["--yes", LIGHTHOUSE, `${url}${path}`, `--port=${port}`, "--disable-storage-reset", "--quiet"],
    ...[`--only-categories=${categories.join(",")}`, ...args],
  ]);
}

/** A task that had to wait for a processor has a shorter time of its own (`tdur`) than its time on the clock (`dur`), in microseconds. */
function countProcessorTime(path: string): void {
  const trace: { traceEvents: { dur?: number; tdur?: number }[] } = JSON.parse(readFileSync(path, "utf8"));
  for (const event of trace.traceEvents)
    if (event.dur !== undefined && event.tdur !== undefined) event.dur = Math.min(event.dur, event.tdur);
  writeFileSync(path, JSON.stringify(trace));
}
