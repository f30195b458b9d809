import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from "@playwright/test";

type ContextOptions = Pick<BrowserContextOptions, "baseURL" | "reducedMotion">;

/**
 * A context that goes from test to test, with one page of it. Between tests the page stays on the server's origin and so keeps
 * its process, which has the compiled scripts: a first load costs 0.4 s of processor there instead of 0.75 s.
 */
interface KeptContext {
  context: BrowserContext;
  /** What it was opened with. */
  key: string;
  reducedMotion: ContextOptions["reducedMotion"];
  /** The page that the next `newPage` answers with; before the first one and while a test has it, there is none. */
  parked: Page | undefined;
  page: Page | undefined;
  session: CDPSession | undefined;
  /** Undoes what tests have added. */
  undo: (() => Promise<void>)[];
  /** Debugging sessions that tests have not detached: what is sent to them lasts as long as they do. */
  openSessions: number;
  /** A test has changed what lasts as long as the context. */
  isSpent: boolean;
}

const MAX_IDLE = 2;
/** Small, without scripts, and on the origin of every page. */
const PARKED_AT = "/robots.txt";
/** Methods of a context, its pages and its clock whose effect can be undone. */
const UNDOABLE = ["addInitScript", "exposeBinding", "exposeFunction", "emulateMedia", "newCDPSession"];
/** Those whose effect lasts. */
const LASTING = [
  ...["grantPermissions", "routeWebSocket", "setExtraHTTPHeaders", "setGeolocation", "setOffline"],
  ...["install", "pauseAt", "setFixedTime", "setSystemTime"],
];
/** Not "close": Playwright itself waits for that one. */
const EVENTS = [
  ...["console", "dialog", "download", "filechooser", "framenavigated", "page", "pageerror", "popup", "request"],
  ...["requestfailed", "requestfinished", "response", "websocket", "weberror"],
];

/** Lends contexts to the tests of a worker. To a test each of them is a new one, but for the cache of files. */
export class KeptContexts {
  private readonly browser: Browser;
  private readonly idle: KeptContext[] = [];
  private readonly lent = new Map<BrowserContext, KeptContext>();

  constructor(browser: Browser) {
    this.browser = browser;
  }

  /** `key` says all that the running test's options change; contexts of other options are not lent. */
  async lend(key: string, options: ContextOptions): Promise<BrowserContext> {
    const at = this.idle.findIndex((kept) => kept.key === key);
    const kept = at < 0 ? await this.open(key, options) : this.idle.splice(at, 1)[0];
    if (!kept) throw new Error("no context");
    this.lent.set(kept.context, kept);
    return kept.context;
  }

  /** Keeps the context for the next test if it can be made as new, and closes it otherwise. */
  async takeBack(context: BrowserContext, { hasPassed }: { hasPassed: boolean }): Promise<void> {
    const kept = this.lent.get(context);
    this.lent.delete(context);
    if (!kept || !hasPassed || !(await makeAsNew(kept))) return context.close();
    this.idle.push(kept);
    while (this.idle.length > MAX_IDLE) await this.idle.shift()?.context.close();
  }

  private async open(key: string, options: ContextOptions): Promise<KeptContext> {
    const context = await this.browser.newContext(options);
    const kept: KeptContext = {
      context,
      key,
      reducedMotion: options.reducedMotion,
      parked: undefined,
      page: undefined,
      session: undefined,
      undo: [],
      openSessions: 0,
      isSpent: false,
    };
    const newPage = context.newPage.bind(context);
    const newSession = context.newCDPSession.bind(context);
    context.newPage = async () => {
      const { parked } = kept;
      kept.parked = undefined;
      if (parked) return parked;
      const page = await newPage();
      if (!kept.page) {
        kept.page = page;
        kept.session = await newSession(page);
      }
      return page;
    };
    watch(context, kept);
    watch(context.clock, kept);
    context.on("page", (page) => watch(page, kept));
    return kept;
  }
}

/** Notes what tests do to a context or a page that outlives them. */
function watch(target: object, kept: KeptContext): void {
  for (const name of [...UNDOABLE, ...LASTING]) {
    const method: unknown = Reflect.get(target, name);
    if (typeof method !== "function") continue;
    Reflect.set(target, name, async (...given: unknown[]) => {
      const answer = await method.apply(target, given);
      if (LASTING.includes(name)) kept.isSpent = true;
      else if (name === "emulateMedia") kept.undo.push(() => method.call(kept.page, unchangedMedia(kept)));
      else if (name === "newCDPSession") countSession(answer, kept);
      else kept.undo.push(() => answer.dispose());
      return answer;
    });
  }
}

/** As Playwright opens a page: with `null` for each it would have those of the machine. */
function unchangedMedia({ reducedMotion = null }: KeptContext): Parameters<Page["emulateMedia"]>[0] {
  return { media: null, colorScheme: "light", contrast: "no-preference", forcedColors: "none", reducedMotion };
}

function countSession(session: CDPSession, kept: KeptContext): void {
  kept.openSessions += 1;
  session.once("close", () => {
    kept.openSessions -= 1;
  });
}

/** False where that is not possible: something lasting was changed, the page is closed or the server is gone. */
async function makeAsNew(kept: KeptContext): Promise<boolean> {
  const { context, page, session } = kept;
  if (kept.isSpent || kept.openSessions > 0 || !page || page.isClosed()) return false;
  for (const event of EVENTS) {
    context.removeAllListeners(event);
    page.removeAllListeners(event);
  }
  context.on("page", (opened) => watch(opened, kept));
  try {
    const others = context.pages().filter((one) => one !== page);
    await Promise.all(others.map((one) => one.close()));
    await Promise.all([page, context].map((one) => one.unrouteAll({ behavior: "ignoreErrors" })));
    await Promise.all(kept.undo.splice(0).map((undo) => undo()));
    await page.goto(PARKED_AT);
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
      window.name = "";
    });
    await context.clearCookies();
    await session?.send("Page.resetNavigationHistory");
    await page.setViewportSize({ width: 1280, height: 800 });
    kept.parked = page;
    return true;
  } catch {
    return false;
  }
}
