import { AxeBuilder } from "@axe-core/playwright";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { type Api, api } from "./api";
import { DEMO_PASSWORD } from "./pages/account";
import { disposeServer, startServer, type TestServer } from "./server";

export { expect };

type TestFixtures = {
  /** Fails the test when a page of any of its contexts writes an error to the console or throws. Always on. */
  consoleGuard: ConsoleGuard;
  /** A further browser of its own: its own cookies, guarded as well, closed at the end. */
  openContext: () => Promise<BrowserContext>;
};

type WorkerFixtures = {
  /** The worker's server with the demo organisation. A test that stops it must start it again. */
  server: TestServer;
  /** Calls procedures as Asha Kulkarni, an admin of the demo organisation, with a session that no page has. */
  admin: Api;
};

type ConsoleGuard = {
  watch(context: BrowserContext): void;
  /** For a test that causes trouble on purpose: complaints that match are not held against it. */
  allow(pattern: RegExp): void;
};

/** Browsers report each answer of 4xx and each cut stream this way; refusals are part of the product. */
const EXPECTED = [/^Failed to load resource: the server responded with a status of 4\d\d/];

/** `SLOWDOWN=8 npx playwright test`: every page as on a machine that busy. What fails then waits for time, not for an event. */
const SLOWDOWN = Number(process.env.SLOWDOWN ?? 1);

export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await disposeServer(server);
    },
    { scope: "worker", timeout: 90_000 },
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
    async ({ context }, use) => {
      const complaints: string[] = [];
      const allowed = [...EXPECTED];
      const guard: ConsoleGuard = {
        watch(watched) {
          watched.on("console", (message) => {
            if (message.type() === "error") complaints.push(`${message.text()} (${message.location().url})`);
          });
          watched.on("weberror", (webError) => complaints.push(String(webError.error().stack)));
          if (SLOWDOWN > 1) watched.on("page", (page) => void slowDown(page));
        },
        allow: (pattern) => void allowed.push(pattern),
      };
      guard.watch(context);
      await use(guard);
      expect(
        complaints.filter((text) => !allowed.some((pattern) => pattern.test(text))),
        "errors in the browser's console",
      ).toEqual([]);
    },
    { auto: true },
  ],

  openContext: async ({ browser, baseURL, consoleGuard }, use) => {
    const opened: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
      consoleGuard.watch(context);
      opened.push(context);
      return context;
    });
    await Promise.all(opened.map((context) => context.close()));
  },
});

/** A page that was closed at once needs no slowing. */
async function slowDown(page: Page): Promise<void> {
  try {
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  } catch {
    if (!page.isClosed()) throw new Error("This browser's processor cannot be slowed down.");
  }
}

/** No serious or critical violation of WCAG 2.2 A and AA that a machine can find. */
export async function expectAccessible(page: Page): Promise<void> {
  // What passed is not told, and there are no frames to be asked in a page of their own: 0.5 s each time instead of 2.5.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ["violations"] })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  const grave = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => ({
      id,
      help,
      where: nodes.slice(0, 5).map(({ target, html }) => ({ target, html })),
    }));
  expect(grave, `accessibility of ${page.url()}`).toEqual([]);
}
