import { readFileSync } from "node:fs";
import {
  type BrowserContext,
  test as base,
  expect,
  type Locator,
  type Page,
  type Request,
  type TestInfo,
} from "@playwright/test";
import type axe from "axe-core";
import { FIRST_ANSWERS_ID } from "../server/contract/first-answers";
import { type Api, api } from "./api";
import { KeptContexts } from "./kept-contexts";
import { IS_LONG_FORM } from "./long-form";
import { DEMO_PASSWORD } from "./pages/account";
import { disposeServer, startServer, type TestServer } from "./server";
import "./stack-traces";

export { expect };

/** For `test.use`: pages that move as they do for most people. Elsewhere layers only fade, and nothing travels. */
export const MOTION = { contextOptions: { reducedMotion: "no-preference" } } as const;

type TestFixtures = {
  /** Fails the test when any of its pages logs an error or throws. Always on. */
  consoleGuard: ConsoleGuard;
  /** Opens another browser context, with its own cookies. It is watched as well. */
  openContext: () => Promise<BrowserContext>;
  /** For `test.use`: what is about a first visit, or counts what is fetched, gets contexts that no test had before. */
  isFirstVisit: boolean;
  lendContext: () => Promise<BrowserContext>;
};

type WorkerFixtures = {
  /** The worker's server with the demo organisation. A test that stops it must start it again. */
  server: TestServer;
  /** Calls procedures as Asha Kulkarni, an admin of the demo organisation, with a session that no page has. */
  admin: Api;
  keptContexts: KeptContexts;
};

type ConsoleGuard = {
  watch(context: BrowserContext): void;
  openContext(): Promise<BrowserContext>;
  /** For a test that causes errors on purpose: matching messages do not fail it. */
  allow(pattern: RegExp): void;
};

/** Less than half of the package's main file, which every document that is checked would read. */
const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** The rules that a theme can break. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** Browsers log every 4xx response this way; the product answers with them on purpose. */
const EXPECTED = [/^Failed to load resource: the server responded with a status of 4\d\d/];

const LOG_LINES = 40;

/** Of a window whose widths are tried. */
const HEIGHT = 780;

/** `SLOWDOWN=8 npx playwright test` throttles every page. A test that fails then waits for time, not for an event. */
const SLOWDOWN = Number(process.env.SLOWDOWN ?? 1);

export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await disposeServer(server);
    },
    { scope: "worker", timeout: 180_000 },
  ],

  admin: [
    async ({ playwright, server }, use) => {
      const context = await playwright.request.newContext({ baseURL: server.url });
      const admin = api({ request: context });
      await admin.auth.signIn.mutate({ email: "asha@sangam.example", password: DEMO_PASSWORD, rememberMe: true });
      await use(admin);
      await context.dispose();
    },
    { scope: "worker" },
  ],

  baseURL: async ({ server }, use) => use(server.url),

  consoleGuard: [
    async ({ lendContext, javaScriptEnabled }, use) => {
      const complaints: string[] = [];
      const allowed = [...EXPECTED];
      const guard: ConsoleGuard = {
        watch(watched) {
          watched.on("console", (message) => {
            if (message.type() === "error") complaints.push(`${message.text()} (${message.location().url})`);
          });
          watched.on("request", (request) => {
            if (isForeignImage(request)) complaints.push(`An image of another host: ${request.url()}`);
          });
          watched.on("weberror", (webError) => complaints.push(String(webError.error().stack)));
          if (javaScriptEnabled) watched.on("page", waitForScript);
          watched.on("page", askForAnswers);
          if (SLOWDOWN > 1) watched.on("page", (page) => void slowDown(page, SLOWDOWN));
        },
        async openContext() {
          const context = await lendContext();
          guard.watch(context);
          return context;
        },
        allow: (pattern) => void allowed.push(pattern),
      };
      await use(guard);
      expect(
        complaints.filter((text) => !allowed.some((pattern) => pattern.test(text))),
        "errors in the browser's console",
      ).toEqual([]);
    },
    { auto: true },
  ],

  openContext: async ({ consoleGuard }, use) => use(consoleGuard.openContext),

  context: async ({ openContext }, use) => use(await openContext()),

  isFirstVisit: [false, { option: true }],

  keptContexts: [async ({ browser }, use) => use(new KeptContexts(browser)), { scope: "worker" }],

  lendContext: async (
    { browser, server, keptContexts, isFirstVisit, baseURL, bypassCSP, contextOptions, javaScriptEnabled, timezoneId },
    use,
    testInfo,
  ) => {
    const lent: BrowserContext[] = [];
    const { reducedMotion = null } = contextOptions;
    const options = { reducedMotion, ...(baseURL !== undefined && { baseURL }) };
    const key = JSON.stringify([options, bypassCSP, contextOptions, javaScriptEnabled, timezoneId]);
    await use(async () => {
      const context = await (isFirstVisit ? browser.newContext(options) : keptContexts.lend(key, options));
      lent.push(context);
      return context;
    });
    const hasPassed = testInfo.status === testInfo.expectedStatus;
    if (!hasPassed) await attachScreenshots(lent, testInfo);
    if (!hasPassed) await attachLog(server, testInfo);
    await Promise.all(lent.map((context) => keptContexts.takeBack(context, { hasPassed })));
  },
});

/** Pages load pictures from the server alone, those of commit authors too. */
function isForeignImage(request: Request): boolean {
  const { protocol, hostname } = new URL(request.url());
  const isOwn = protocol === "data:" || protocol === "blob:" || hostname === "127.0.0.1" || hostname === "localhost";
  return request.resourceType() === "image" && !isOwn;
}

/** Playwright's own option also draws every page of the tests that pass. */
async function attachScreenshots(contexts: BrowserContext[], testInfo: TestInfo): Promise<void> {
  for (const page of contexts.flatMap((context) => context.pages())) {
    const body = await page.screenshot({ caret: "initial", timeout: 5_000 }).catch(() => undefined);
    if (body) await testInfo.attach("screenshot", { body, contentType: "image/png" });
  }
}

/** The worker's server may have answered other pages too: its latest lines say when. */
async function attachLog(server: TestServer, testInfo: TestInfo): Promise<void> {
  await testInfo.attach("server log", { body: server.log.slice(-LOG_LINES).join(""), contentType: "text/plain" });
}

/** A page is open once it can be used: what its document shows before is to be looked at only. */
function waitForScript(page: Page): void {
  const drawn = page.locator("#root [inert]").first();
  const whenUsable = () => drawn.waitFor({ state: "detached", timeout: 60_000 }).catch(() => undefined);
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (...asked) => {
    const answer = await goto(...asked);
    await whenUsable();
    return answer;
  };
  page.reload = async (...asked) => {
    const answer = await reload(...asked);
    await whenUsable();
    return answer;
  };
}

/** Once a test answers something itself, the page has to ask for it: its documents come without the first answers. */
function askForAnswers(page: Page): void {
  const route = page.route.bind(page);
  page.route = async (...asked) => {
    await dropFirstAnswers(page);
    return route(...asked);
  };
}

/** The page's documents come without the first answers, as from a busy server. */
export async function dropFirstAnswers(page: Page): Promise<void> {
  await page.addInitScript((id) => {
    // The page's own scripts run later; whoever awaits the end of parsing may do so before.
    const drop = () => document.getElementById(id)?.remove();
    const parsed = new MutationObserver(drop);
    parsed.observe(document, { childList: true, subtree: true });
    document.addEventListener("readystatechange", () => {
      parsed.disconnect();
      drop();
    });
  }, FIRST_ANSWERS_ID);
}

/** Makes the page's processor `rate` times slower, unless the page is closed already. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  try {
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate });
  } catch {
    if (!page.isClosed()) throw new Error("This browser's processor cannot be slowed down.");
  }
}

/**
 * No serious or critical violation of WCAG 2.2 A and AA that a machine can find. `within` is for a state of one part of a page
 * that is looked at whole elsewhere.
 */
export function expectAccessible(page: Page, within?: Locator): Promise<void> {
  return expectNoViolations(page, { runOnly: { type: "tag", values: WCAG }, within });
}

/**
 * The open page as it stands at these widths and in both themes: accessible, and nothing scrolls sideways. `onResize` runs
 * after each change of width. Both themes are looked at at the first width, and in the long form at each. Ends at the first
 * width, in the dark theme.
 */
export async function expectAccessibleEverywhere(
  page: Page,
  {
    widths = [1280, 360],
    onResize,
    within,
  }: { widths?: [number, ...number[]]; onResize?: () => Promise<void>; within?: Locator } = {},
): Promise<void> {
  let theme: "dark" | "light" = "dark";
  for (const [at, width] of widths.entries()) {
    if (at > 0 && onResize) {
      await page.setViewportSize({ width, height: HEIGHT });
      await onResize();
    }
    await expectFits(page, width);
    // Every rule in one theme, what colours change in the other one, in which the next width begins.
    await expectAccessible(page, within);
    if (at > 0 && !IS_LONG_FORM) continue;
    theme = theme === "dark" ? "light" : "dark";
    await setTheme(page, theme);
    await expectContrast(page, within);
  }
  await setTheme(page, "dark");
  await expectFits(page, ...[768, 320].filter((width) => !widths.includes(width)), widths[0]);
}

/** A part of the page in both themes: every rule in the dark one, what colours change in the light one. Ends in the dark theme. */
export async function expectAccessibleInBothThemes(page: Page, within: Locator): Promise<void> {
  await expectAccessible(page, within);
  await setTheme(page, "light");
  await expectContrast(page, within);
  await setTheme(page, "dark");
}

/** The part of `expectAccessible` that another theme changes. */
export function expectContrast(page: Page, within?: Locator): Promise<void> {
  return expectNoViolations(page, { runOnly: { type: "rule", values: OF_COLOURS }, within });
}

/** The rest of it, a third of its time. */
export function expectAccessibleInAnyColours(page: Page): Promise<void> {
  const rules = Object.fromEntries(OF_COLOURS.map((rule) => [rule, { enabled: false }]));
  return expectNoViolations(page, { runOnly: { type: "tag", values: WCAG }, rules });
}

async function expectNoViolations(
  page: Page,
  { within, ...options }: Pick<axe.RunOptions, "runOnly" | "rules"> & { within?: Locator | undefined },
): Promise<void> {
  const root = await (within ?? page.locator("html")).elementHandle();
  if (!(await page.evaluate(() => "axe" in window))) await addAxe(page);
  // What fades has too little contrast. A layer begins to fade a frame after it has come.
  await page.evaluate(async () => {
    const isFading = () =>
      document.querySelector("[data-starting-style],[data-ending-style]") !== null ||
      document
        .getAnimations()
        .some(
          ({ playState, effect }) => playState === "running" && Number.isFinite(effect?.getComputedTiming().endTime),
        );
    for (let still = 0; still < 2; still = isFading() ? 0 : still + 1) await new Promise(requestAnimationFrame);
  });
  const look = async ([element, asked]: [Node | null, axe.RunOptions]) => {
    const runner: typeof axe = Reflect.get(window, "axe");
    const found = await runner.run(element ?? document, { resultTypes: ["violations"], ...asked });
    return found.violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, help, nodes }) => ({
        id,
        help,
        where: nodes.slice(0, 5).map(({ target, html }) => ({ target, html })),
      }));
  };
  const given: [typeof root, axe.RunOptions] = [root, options];
  const violations = await page.evaluate(look, given);
  expect(violations, `accessibility of ${page.url()}`).toEqual([]);
}

/** Not by `page.evaluate`, which takes half as much processor time again for a source of this length. */
async function addAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: AXE });
  await session.detach();
}

/** Switches the open page as another tab would; it stays so for the pages that are opened later. */
export async function setTheme(page: Page, theme: "dark" | "light"): Promise<void> {
  await page.evaluate((isDark) => {
    localStorage.setItem("darkMode", String(isDark));
    window.dispatchEvent(new StorageEvent("storage", { key: "darkMode" }));
  }, theme === "dark");
  await expect(page.locator("html")).toHaveClass(theme === "dark" ? /dark/ : /^(?!.*dark)/);
}

/** Goes to another page of the app, as its links do, without loading the document again. */
export async function goInApp(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, "", to), path);
}

/** Waits until everything that has happened on the page so far is painted. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 12; frame += 1) await new Promise(requestAnimationFrame);
  });
}

/** Presses the button; between press and release that happens, and is painted. */
export async function pressWhile(button: Locator, happens: () => Promise<unknown>): Promise<void> {
  const page = button.page();
  // On a busy machine something else may still move it before it is pressed.
  await expect(async () => {
    await button.hover();
    await page.mouse.down();
    if (await button.evaluate((pressed) => pressed.matches(":active"))) return;
    await page.mouse.move(0, 0);
    await page.mouse.up();
    throw new Error("the press met something else");
  }).toPass();
  await happens();
  await drawn(page);
  await page.mouse.up();
}

/** Animations run, and take ten times as long, as on a machine without time for them. The returned function ends it. */
export async function slowAnimations(page: Page): Promise<() => Promise<void>> {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  const session = await page.context().newCDPSession(page);
  await session.send("Animation.enable");
  await session.send("Animation.setPlaybackRate", { playbackRate: 0.1 });
  return async () => {
    await session.send("Animation.setPlaybackRate", { playbackRate: 1 });
    await session.detach();
    await page.emulateMedia({ reducedMotion: "reduce" });
  };
}

/** Nothing scrolls sideways at these widths; the last one stays. */
export async function expectFits(page: Page, ...widths: number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(overflow, `${page.url()} at ${width} px`).toBeLessThanOrEqual(width);
  }
}
