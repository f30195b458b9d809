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
 * Counts the answers to a procedure from now on: before something goes on that would break off a call under way, such as a
 * reload, its answer has to be there.
 */
export function countAnswers(page: Page, procedure: string): () => number {
  let answers = 0;
  page.on("requestfinished", (request) => {
    if (request.url().includes(procedure)) answers += 1;
  });
  return () => answers;
}

function countOf(payload: string | Buffer, pattern: RegExp): number {
  return String(payload).match(pattern)?.length ?? 0;
}
