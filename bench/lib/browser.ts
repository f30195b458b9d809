import { execFileSync } from "node:child_process";
import { type Browser, type BrowserContext, chromium, type Locator } from "@playwright/test";
import type { Rig } from "./rig";

/** The browser of the tests. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: execFileSync(process.execPath, ["scripts/chromium.mjs"], { encoding: "utf8" }).trim(),
    // Root has no sandbox to give.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
}

/** A server, and who may sign in there. */
export type Desk = Pick<Rig, "cookieOf"> & { server: { url: string } };

/** A desk at which that person is signed in. */
export async function contextOf(browser: Browser, rig: Desk, user: { id: string }): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const [name = "", value = ""] = (await rig.cookieOf(user)).split("=");
  await context.addCookies([{ name, value, url: rig.server.url }]);
  // What compiles these files names its functions by a helper that the page does not have.
  await context.addInitScript("globalThis.__name = (named) => named");
  return context;
}

/** Where it lies is found out before: a locator's own click asks the page twice, in the middle of what is measured. */
export async function press(target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error("There is nothing to press.");
  const { mouse } = target.page();
  await mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await target.page().waitForTimeout(100);
  await mouse.down();
  // As long as a finger: without it the answer to the press and that to the release are one.
  await target.page().waitForTimeout(80);
  await mouse.up();
}

/** What somebody saw who had never been here. */
interface Visit {
  /** Milliseconds until the largest element stood; null when the browser named none. */
  lcp: number | null;
  fcp: number;
  shift: number;
}

const SLOWER = 4;
const SLOW_NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };
/** Past the last paint of a page that has come to rest. */
const REST_MS = 2_500;

/** With an empty cache, on a processor four times slower than this one, over 1.6 Mbit/s with 150 ms to the server and back. */
export async function visitSlowly(context: BrowserContext, url: string): Promise<Visit> {
  const page = await context.newPage();
  await page.addInitScript("globalThis.__name = (named) => named");
  await page.addInitScript(observePaint);
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.emulateNetworkConditions", SLOW_NETWORK);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.goto(url, { waitUntil: "networkidle" });
  await page.waitForTimeout(REST_MS);
  const { lcp, fcp = "0", shift = "0" } = await page.evaluate(() => ({ ...document.documentElement.dataset }));
  await page.close();
  return { lcp: lcp === undefined ? null : Number(lcp), fcp: Number(fcp), shift: Number(shift) };
}

/** Of what Chromium writes down while it works. Times are in microseconds; `tdur` is processor time. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  tdur?: number;
  args: { data?: { documentLoaderURL?: string } };
}

const TRACED = ["toplevel", "devtools.timeline", "loading", "blink.user_timing"];
const LONG_TASK_MS = 50;

/**
 * Milliseconds by which tasks after the first paint last longer than 50 on a processor four times slower, with an empty cache: what
 * Lighthouse calls total blocking time, here by processor time, which other programs' load changes little. Null when the document
 * came without its drawing, as from a busy server.
 */
export async function blockedMs(context: BrowserContext, url: string): Promise<number | null> {
  const page = await context.newPage();
  const browser = context.browser();
  if (!browser) throw new Error("no browser");
  await browser.startTracing(page, { categories: TRACED });
  const answer = await page.goto(url, { waitUntil: "networkidle" });
  await page.waitForTimeout(REST_MS);
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString());
  const isDrawn = (await answer?.text())?.includes("data-drawing=");
  await page.close();
  const start = traceEvents.findLast(
    ({ name, args }) => name === "navigationStart" && args.data?.documentLoaderURL === url,
  );
  const ofPage = traceEvents.filter(({ pid, ts }) => start && pid === start.pid && ts >= start.ts);
  const paint = ofPage.find(({ name }) => name === "firstContentfulPaint");
  if (!isDrawn || !start || !paint) return null;
  return ofPage
    .filter(({ name, tid, ts }) => name.endsWith("RunTask") && tid === start.tid && ts >= paint.ts)
    .map(({ tdur = 0 }) => Math.max(0, (SLOWER * tdur) / 1_000 - LONG_TASK_MS))
    .reduce((sum, ms) => sum + ms, 0);
}

/** Runs in the page. */
function observePaint(): void {
  let shifts = 0;
  const note = (name: string, value: number) => {
    document.documentElement.dataset[name] = String(value);
  };
  const watch = (type: string, onEntry: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(onEntry)).observe({ type, buffered: true });
  watch("largest-contentful-paint", ({ startTime }) => note("lcp", startTime));
  watch("paint", ({ name, startTime }) => name === "first-contentful-paint" && note("fcp", startTime));
  watch("layout-shift", (entry) => {
    if (!("value" in entry) || ("hadRecentInput" in entry && entry.hadRecentInput)) return;
    shifts += Number(entry.value);
    note("shift", shifts);
  });
}
