import { type Browser, type CDPSession, expect, type Page } from "@playwright/test";
import { FIRST_ANSWERS_ID, type FirstAnswers } from "../server/contract/first-answers";
import { proceduresOf, Traffic } from "./traffic";

/** What a cold browser fetches for a page, and what moves on it meanwhile. */
export type FirstLoad = {
  /** The addresses asked for until the page stood, the document first; a WebSocket counts whenever it was opened. */
  requests: string[];
  /** How many scripts had to run, one after the other, before the last of those scripts was asked for. */
  scriptDepth: number;
  /** Each call of a procedure over HTTP with its input, also those after the page stood. */
  calls: string[];
  /** The calls whose answers the document carried, written in the same way, and those of them that nothing on the page reads. */
  carried: string[];
  unread: string[];
  /** The sum of all layout shifts, and the greatest of them with what moved. */
  shift: number;
  shifted: string[];
  /** The elements with an animation that does not end, although the page has come to rest. */
  moving: string[];
};

type Measured = { shownAt: number; shifts: { value: number; what: string }[] };

/** Of every 20 ms, pages run for these. */
const SLOW_RUN_MS = 5;
const SLOW_STOP_MS = 15;
const SLOW_NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };
const FULL_SPEED = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
/** Past what a page fetches in idle time, so that a call that is made once too often has been made. */
const QUIET_MS = 500;
/** In which the skeletons of a slow page have gone. */
const STILL_MS = 10_000;

/**
 * Opens a page with an empty cache and waits until what it lists is shown (an element matches `shown`) and it asks for nothing
 * more, its streams included. With `slowness`, over 1.6 Mbit/s and 150 ms to the server and back until it is shown.
 */
export async function firstLoad(
  page: Page,
  { path, shown, slowness }: { path: string; shown: string; slowness?: Slowness },
): Promise<FirstLoad> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  if (slowness) await session.send("Network.emulateNetworkConditions", SLOW_NETWORK);
  const depths = followScripts(session);
  const traffic = new Traffic(page);
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(socket.url()));
  await page.addInitScript(observe, shown);
  await slowness?.include(page);
  const document = await page.goto(path);
  await page.waitForFunction(() => window.firstLoad.shownAt > 0);
  await session.send("Network.emulateNetworkConditions", FULL_SPEED);
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(QUIET_MS);
  // What a stream makes the page read again, it reads once the stream has begun.
  if (sockets.length > 0) await traffic.settled();

  // A slow page draws what has come a moment later. What never ends is found all the same.
  await expect
    .poll(() => page.evaluate(endlesslyMoving), { timeout: STILL_MS })
    .toEqual([])
    .catch(() => undefined);

  const { shownAt, shifts } = await page.evaluate(() => window.firstLoad);
  const files = await page.evaluate(
    (until) =>
      performance
        .getEntriesByType("resource")
        .filter(({ startTime }) => startTime <= until)
        .map(({ name }) => name),
    shownAt,
  );
  const carried = carriedBy((await document?.text()) ?? "");
  const keys = carried.map(({ path, input, isPaged }) => [
    path.split("."),
    { ...(input && { input }), type: isPaged ? "infinite" : "query" },
  ]);
  const unread = keys.length === 0 ? [] : await page.evaluate(unreadOf, keys);
  return {
    carried: carried.map(({ path, input }) => `${path} ${JSON.stringify(input ? { json: input } : null)}`),
    unread: carried.filter((_, at) => unread[at]).map(({ path }) => path),
    moving: await page.evaluate(endlesslyMoving),
    requests: [page.url(), ...files, ...sockets],
    scriptDepth: Math.max(0, ...files.map((url) => depths.get(url) ?? 0)),
    calls: traffic.asked.flatMap(proceduresOf).map((call) => call.replace(/,?"direction":"forward"/, "")),
    shift: shifts.reduce((sum, { value }) => sum + value, 0),
    shifted: shifts
      .toSorted((a, b) => b.value - a.value)
      .slice(0, 5)
      .map(({ value, what }) => `${value.toFixed(4)} ${what}`),
  };
}

/** A processor of a quarter of the speed, for all pages of a browser. */
export type Slowness = {
  /** Finds the page's process, also where its first navigation starts one. */
  include(page: Page): Promise<void>;
  end(): Promise<void>;
};

/**
 * Stops all pages of the browser for three quarters of the time. Chromium's own throttling spins for as long, waiting included,
 * and took a sixth of what all browser tests need.
 */
export async function slowPages(browser: Browser): Promise<Slowness> {
  const session = await browser.newBrowserCDPSession();
  let pids: number[] = [];
  const findPages = async () => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    pids = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
  };
  const send = (signal: "SIGSTOP" | "SIGCONT") => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended with its page.
      }
    }
  };
  let timer: NodeJS.Timeout;
  const run = () => {
    send("SIGCONT");
    timer = setTimeout(stop, SLOW_RUN_MS);
  };
  const stop = () => {
    send("SIGSTOP");
    timer = setTimeout(run, SLOW_STOP_MS);
  };
  stop();
  return {
    async include(page) {
      await findPages();
      page.once("framenavigated", () => void findPages().catch(() => undefined));
    },
    async end() {
      clearTimeout(timer);
      send("SIGCONT");
      await session.detach();
    },
  };
}

/** Runs in the page: the animations of its style sheet that go on and on. */
function endlesslyMoving(): string[] {
  return document
    .getAnimations()
    .filter(({ effect, playState }) => playState === "running" && effect?.getComputedTiming().endTime === Infinity)
    .map(({ effect }) => (effect instanceof KeyframeEffect && effect.target?.outerHTML.slice(0, 200)) || "nothing");
}

function carriedBy(html: string): FirstAnswers["calls"] {
  const [, json] = new RegExp(`id="${FIRST_ANSWERS_ID}">([^<]*)<`).exec(html) ?? [];
  const first: FirstAnswers = JSON.parse(json ?? '{"calls":[],"answers":[]}');
  return first.calls.filter((_, at) => first.answers[at]?.result);
}

/** Runs in the page: whether no part of it reads that query from the cache. */
function unreadOf(keys: readonly (readonly unknown[])[]): boolean[] {
  const { queryClient } = Reflect.get(window, "__TSR_ROUTER__")?.options.context ?? {};
  return keys.map((queryKey) => !queryClient.getQueryCache().find({ queryKey, exact: true })?.isActive());
}

/** By address, how many scripts led to a script: 1 for those that the document names. */
function followScripts(session: CDPSession): Map<string, number> {
  const depths = new Map<string, number>();
  session.on("Network.requestWillBeSent", ({ request, initiator }) => {
    if (!/\.js$/.test(request.url) || depths.has(request.url)) return;
    const frames = initiator.stack?.callFrames.map(({ url }) => url) ?? [];
    const parents = initiator.url === undefined ? frames : [...frames, initiator.url];
    depths.set(request.url, 1 + Math.max(0, ...parents.map((url) => depths.get(url) ?? 0)));
  });
  return depths;
}

declare global {
  interface Window {
    firstLoad: Measured;
  }
}

/** Runs in the page. */
function observe(shown: string): void {
  const measured: Measured = { shownAt: 0, shifts: [] };
  window.firstLoad = measured;
  const look = () => {
    // What the document shows before its script runs cannot be used yet.
    if (document.querySelector("#root [inert]")) return;
    if (!document.querySelector("h1") || !document.querySelector(shown)) return;
    measured.shownAt = performance.now();
    mutations.disconnect();
  };
  const mutations = new MutationObserver(look);
  mutations.observe(document, { childList: true, subtree: true, attributeFilter: ["aria-busy", "inert"] });
  const nameOf = (node: Node | null) =>
    node instanceof Element ? `${node.tagName.toLowerCase()}.${node.className}`.slice(0, 120) : String(node?.nodeName);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!("value" in entry) || ("hadRecentInput" in entry && entry.hadRecentInput)) continue;
      const sources = "sources" in entry && Array.isArray(entry.sources) ? entry.sources : [];
      const what = sources
        .map(({ node, previousRect: from, currentRect: to }) => {
          const place = (rect: DOMRect) => `${rect.x},${rect.y} ${rect.width}x${rect.height}`;
          return `${nameOf(node)} (${place(from)} -> ${place(to)})`;
        })
        .join(" | ");
      measured.shifts.push({ value: Number(entry.value), what: `at ${Math.round(entry.startTime)} ms ${what}` });
    }
  }).observe({ type: "layout-shift", buffered: true });
}
