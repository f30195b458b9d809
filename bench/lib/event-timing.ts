import type { Page } from "@playwright/test";
import { spread } from "./measure";

const TIMES = 12;

/** Something that a person does again and again. */
export interface Interaction {
  what: string;
  /** Once, before the first time. */
  prepare?: (page: Page) => Promise<unknown>;
  act: (page: Page, at: number) => Promise<void>;
}

declare global {
  interface Window {
    measured: {
      slowest: number;
      longest: number;
      shifts: { value: number; what: string }[];
      /** Of `showingOf`. */
      shown?: Promise<number>;
    };
  }
}

/** In the page, from its first moment. */
export function observe(): void {
  const measured: Window["measured"] = { slowest: 0, longest: 0, shifts: [] };
  window.measured = measured;
  const watch = (type: string, options: object, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  watch("event", { durationThreshold: 16 }, (entry) => {
    if ("interactionId" in entry && entry.interactionId) measured.slowest = Math.max(measured.slowest, entry.duration);
  });
  watch("longtask", {}, ({ duration }) => {
    measured.longest = Math.max(measured.longest, duration);
  });
  watch("layout-shift", {}, (entry) => {
    if (!("value" in entry) || typeof entry.value !== "number" || ("hadRecentInput" in entry && entry.hadRecentInput))
      return;
    const sources = "sources" in entry && Array.isArray(entry.sources) ? entry.sources : [];
    const place = ({ x, y, width, height }: DOMRect) => `${x},${y} ${width}x${height}`;
    const what = sources.map(({ node, previousRect: from, currentRect: to }) => {
      const name = node instanceof Element ? `${node.tagName} ${node.className}`.slice(0, 60) : String(node?.nodeName);
      return `${name} (${place(from)} -> ${place(to)})`;
    });
    measured.shifts.push({ value: entry.value, what: `at ${Math.round(entry.startTime)} ms ${what.join(" | ")}` });
  });
}

/** The browser's own event timing, in steps of 8 ms. */
export async function delayOf(page: Page, interact: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    window.measured.slowest = 0;
  });
  await interact();
  await page.waitForTimeout(700);
  return page.evaluate(() => window.measured.slowest);
}

/** Milliseconds from a click until a text that `selector` finds, and that was not there before, is painted. */
export async function showingOf(page: Page, interact: () => Promise<void>, selector: string): Promise<number> {
  await page.evaluate(watchFor, selector);
  await interact();
  await page.locator(selector).first().waitFor();
  const shown = await page.evaluate(() => window.measured.shown);
  await page.waitForTimeout(700);
  return shown ?? Number.NaN;
}

/** In the page: looks for the text before each paint after the next click. */
function watchFor(selector: string): void {
  const isThere = () =>
    [...document.querySelectorAll(selector)].some(
      (found) => (found instanceof HTMLTextAreaElement ? found.value : found.textContent) !== "",
    );
  if (isThere()) throw new Error(`${selector} is there before it is opened`);
  window.measured.shown = new Promise((resolve) => {
    const begin = ({ timeStamp }: MouseEvent) => {
      const look = () => {
        if (!isThere()) return void requestAnimationFrame(look);
        const { port1, port2 } = new MessageChannel();
        // Comes once this frame is painted.
        port1.onmessage = () => resolve(performance.now() - timeStamp);
        port2.postMessage(null);
      };
      requestAnimationFrame(look);
    };
    addEventListener("click", begin, { once: true, capture: true });
  });
}

/** All layout shifts of a page, and what moved most. */
export async function reportShifts(page: Page): Promise<void> {
  const shifts = await page.evaluate(() => window.measured.shifts);
  const shift = shifts.reduce((sum, { value }) => sum + value, 0);
  console.log(`layout shift of all of it: ${shift.toFixed(4)}; wanted: at most 0.02`);
  for (const { value, what } of shifts.toSorted((a, b) => b.value - a.value).slice(0, 3))
    if (value > 0.005) console.log(`  ${value.toFixed(4)} ${what}`);
}

/** Runs one kind of interaction and prints how long each took to be answered on screen. */
export async function report(page: Page, { what, prepare, act }: Interaction): Promise<void> {
  await prepare?.(page);
  const delays: number[] = [];
  for (let at = 0; at < TIMES; at += 1) delays.push(await delayOf(page, () => act(page, at)));
  console.log(`${what}: p75 ${p75(delays)} ms, median and range ${spread(delays)}, ${TIMES} times; wanted: under 100`);
}

/** The 75th percentile. */
export function p75(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.75)] ?? Number.NaN;
}
