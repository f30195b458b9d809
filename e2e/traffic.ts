import { expect, type Page, type Request } from "@playwright/test";

const API = "/api/trpc";

/** What a page asks of the server, and whether its live connection is there. Made before the page is opened. */
export class Traffic {
  /** The addresses of the calls over HTTP, in order. */
  readonly asked: string[] = [];
  private readonly page: Page;
  private readonly unanswered = new Set<Request>();
  private subscribed = 0;
  private started = 0;

  constructor(page: Page) {
    this.page = page;
    page.on("request", (request) => {
      if (!request.url().includes(API)) return;
      this.asked.push(request.url());
      this.unanswered.add(request);
    });
    page.on("requestfinished", (request) => void this.unanswered.delete(request));
    page.on("requestfailed", (request) => void this.unanswered.delete(request));
    page.on("websocket", (socket) => {
      [this.subscribed, this.started] = [0, 0];
      socket.on("framesent", ({ payload }) => (this.subscribed += countOf(payload, /"method":"subscription"/g)));
      socket.on("framereceived", ({ payload }) => (this.started += countOf(payload, /"type":"started"/g)));
    });
  }

  /**
   * Waits until the live connection has begun, what the page reads again because of that has come, and it asks for nothing
   * more. Playwright's "networkidle" knows nothing of sockets, and half a second of silence on a busy machine means little.
   */
  async settled(): Promise<void> {
    await expect(async () => {
      const before = this.asked.length;
      expect(this.isQuiet()).toBe(true);
      // An answer is worked into the page, and asks for the next thing, in the page's own time.
      await this.page.evaluate(() => new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve), 100)));
      expect(this.isQuiet() && this.asked.length === before).toBe(true);
    }).toPass();
  }

  private isQuiet(): boolean {
    return this.subscribed > 0 && this.started >= this.subscribed && this.unanswered.size === 0;
  }
}

/**
 * Follows the calls of a procedure from now on. What it answers with waits until so many have been answered and none is under
 * way: before a reload, say, which would break it off while the page shows already what is to be saved.
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

function countOf(payload: string | Buffer, pattern: RegExp): number {
  return String(payload).match(pattern)?.length ?? 0;
}
