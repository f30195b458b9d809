import { expect, type Page, type Request, type Route } from "@playwright/test";

const API = "/api/trpc";

/** Records a page's calls and the state of its live connection. Create it before the page is opened. */
export class Traffic {
  /** The addresses of the HTTP calls, in order. */
  readonly asked: string[] = [];
  private readonly page: Page;
  private readonly unanswered = new Set<Request>();
  private hasSubscribed = false;
  /** The ids of the subscriptions that have not begun. One that is given up for another may never do so. */
  private readonly beginning = new Set<string>();

  constructor(page: Page) {
    this.page = page;
    page.on("request", (request) => {
      // Another document opens a connection of its own.
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) this.hasSubscribed = false;
      if (!request.url().includes(API)) return;
      this.asked.push(request.url());
      this.unanswered.add(request);
    });
    page.on("requestfinished", (request) => void this.unanswered.delete(request));
    page.on("requestfailed", (request) => void this.unanswered.delete(request));
    page.on("websocket", (socket) => {
      this.hasSubscribed = false;
      this.beginning.clear();
      socket.on("framesent", ({ payload }) => {
        for (const id of idsOf(payload, /"id":(\d+)[^{]*"method":"subscription"/g)) this.beginning.add(id);
        for (const id of idsOf(payload, /"id":(\d+)[^{]*"method":"subscription\.stop"/g)) this.beginning.delete(id);
        this.hasSubscribed ||= String(payload).includes('"method":"subscription"');
      });
      socket.on("framereceived", ({ payload }) => {
        for (const id of idsOf(payload, /"id":(\d+)[^}]*"type":"started"/g)) this.beginning.delete(id);
      });
    });
  }

  /**
   * Waits until the live connection is open and every call is answered. Playwright's "networkidle" ignores sockets, and on a
   * busy machine half a second without a request means little.
   */
  async settled(): Promise<void> {
    await expect(async () => {
      const before = this.asked.length;
      expect(this.isQuiet()).toBe(true);
      // The page may make another call once it has rendered an answer. In a page with nothing at all to do, headless Chromium may
      // never call back by itself.
      await this.page.evaluate(
        () => new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve, { timeout: 1_000 }), 100)),
      );
      expect(this.isQuiet() && this.asked.length === before).toBe(true);
    }).toPass();
  }

  private isQuiet(): boolean {
    return this.hasSubscribed && this.beginning.size === 0 && this.unanswered.size === 0;
  }
}

/** The procedures in the address of a call or a batch, each with its input. */
export function proceduresOf(address: string): string[] {
  const { pathname, searchParams } = new URL(address);
  const [, names] = /^\/api\/trpc\/(.+)$/.exec(pathname) ?? [];
  if (names === undefined) return [];
  const input = JSON.parse(searchParams.get("input") ?? "{}");
  const inputs: Record<string, unknown> = searchParams.has("batch") ? input : { 0: input };
  return names.split(",").map((name, at) => `${name} ${JSON.stringify(inputs[at] ?? null)}`);
}

/**
 * Watches the calls of a procedure from now on. The returned function waits until `count` of them are answered and none is
 * open; call it before a reload, which would cancel a call whose result the page shows already.
 */
export function watchCalls(page: Page, procedure: string): (count?: number) => Promise<void> {
  const [asked, answered] = [new Set<Request>(), new Set<Request>()];
  const isMeant = (request: Request) => request.url().includes(procedure);
  page.on("request", (request) => void (isMeant(request) && asked.add(request)));
  const end = (request: Request) => void (asked.has(request) && answered.add(request));
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  return (count = 1) =>
    expect
      .poll(() => answered.size === asked.size && answered.size >= count, `${count} calls of ${procedure} are answered`)
      .toBe(true);
}

/** For `page.route`: holds a request until `release` is called. */
export function hold(end: (route: Route) => Promise<void> = (route) => route.continue()) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    async handler(route: Route): Promise<void> {
      await released;
      await end(route);
    },
    release,
  };
}

function idsOf(payload: string | Buffer, pattern: RegExp): string[] {
  return [...String(payload).matchAll(pattern)].map(([, id = ""]) => id);
}
