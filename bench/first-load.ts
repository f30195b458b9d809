import type { BrowserContext } from "@playwright/test";
import { firstLoad } from "../e2e/first-load";
import { disposeServer, startServer, type TestServer } from "../e2e/server";
import { blockedMs, launchBrowser, visitSlowly } from "./lib/browser";
import { judge, NEEDS_AGAINST, otherCheckout } from "./lib/verdict";

/*
 * /dashboard with an empty cache, on the demo organisation: the requests until its projects stand, what its scripts weigh on the
 * wire, and beside another version the largest contentful paint on a slow phone, in pairs that take turns in who comes first. The
 * first of each is a warm-up. Servers and browser share the cores: a busy machine shows in the range. Of each start page, how long
 * its script keeps a slow phone from answering.
 */

const PATH = "/dashboard";
const PAIRS = 7;
const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  // The server draws for a phone by it.
  userAgent: "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130 Mobile Safari/537.36",
};
const LCP = { what: `${PATH} cold: LCP`, goal: { atMost: 0.7, unit: "times the other version's" } };

const START_PAGES = [
  { path: "/dashboard", email: "rohan@sangam.example" },
  { path: "/admin", email: "asha@sangam.example" },
  { path: "/client", email: "meera@sangam.example" },
];
/** Below it Lighthouse calls a phone's page good. */
const BLOCKED_GOAL = { atMost: 200, unit: "ms of a processor four times slower" };

const other = otherCheckout();
const browser = await launchBrowser();
const ours = await startServer({ LOG_LEVEL: "silent" });
try {
  await countRequests(await signedIn(ours, { viewport: { width: 1280, height: 800 } }));
  for (const { path, email } of START_PAGES) {
    const values = await blocked(ours, { path, email });
    judge({ what: `${path} cold: blocked`, goal: BLOCKED_GOAL, values, missing: "the server was too busy to draw it" });
  }
  if (other === null) judge({ ...LCP, values: [], missing: NEEDS_AGAINST });
  else {
    const theirs = await startServer({ LOG_LEVEL: "silent" }, other);
    try {
      judge({ ...LCP, values: await ratios(theirs), missing: "the browser named no largest element" });
    } finally {
      await disposeServer(theirs);
    }
  }
} finally {
  await browser.close();
  await disposeServer(ours);
}

/** As e2e/first-load.spec.ts and scripts/budgets.mjs hold them. */
async function countRequests(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  const { requests } = await firstLoad(page, { path: PATH, shown: 'main:not(:has([aria-busy="true"]))' });
  const bytes = await page.evaluate(
    (urls) =>
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => urls.includes(name) && name.endsWith(".js"))
        .reduce((sum, { transferSize }) => sum + transferSize, 0),
    requests,
  );
  judge({ what: `${PATH} cold: requests`, goal: { atMost: 25, unit: "requests" }, values: [requests.length] });
  judge({ what: `${PATH} cold: scripts`, goal: { atMost: 205, unit: "kB on the wire" }, values: [bytes / 1_000] });
  await context.close();
}

async function ratios(theirs: TestServer): Promise<number[]> {
  const values: number[] = [];
  for (let pair = 0; pair <= PAIRS; pair += 1) {
    const times = new Map<TestServer, number | null>();
    for (const server of pair % 2 === 0 ? [ours, theirs] : [theirs, ours]) {
      const context = await signedIn(server, PHONE);
      times.set(server, (await visitSlowly(context, `${server.url}${PATH}`)).lcp);
      await context.close();
    }
    const [mine, before] = [times.get(ours), times.get(theirs)];
    console.log(`pair ${pair}: largest contentful paint after ${mine} ms, the other version ${before}`);
    if (pair > 0 && mine && before) values.push(mine / before);
  }
  return values;
}

async function blocked(server: TestServer, { path, email }: { path: string; email: string }): Promise<number[]> {
  const values: number[] = [];
  for (let round = 0; round <= PAIRS; round += 1) {
    const context = await signedIn(server, PHONE, email);
    const ms = await blockedMs(context, `${server.url}${path}`);
    await context.close();
    if (round > 0 && ms !== null) values.push(ms);
  }
  return values;
}

async function signedIn({ url }: TestServer, options: object, email = "rohan@sangam.example"): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, ...options });
  // What compiles these files names its functions by a helper that the page does not have.
  await context.addInitScript("globalThis.__name = (named) => named");
  const answer = await context.request.post("/api/trpc/auth.signIn", {
    headers: { origin: url },
    data: { json: { email, password: "sangam-demo", rememberMe: true } },
  });
  if (!answer.ok()) throw new Error(`auth.signIn answered ${answer.status()}`);
  return context;
}
