const CLOSE_TIMEOUT_MS = 1_000;

/**
 * A WebSocket that closes when the browser has lost its network, and whose closing nobody has to answer: over a network that
 * is gone a browser waits long for the other side, and meanwhile everything looks as if it were connected. What it still
 * tells after that is not heard.
 */
export class FailFastSocket extends WebSocket {
  #isOver = false;
  #hasOpened = false;

  constructor(url: string | URL) {
    super(url);
    const onOffline = () => this.close();
    window.addEventListener("offline", onOffline);
    this.addEventListener("open", () => {
      this.#hasOpened = true;
    });
    this.addEventListener("close", () => window.removeEventListener("offline", onOffline));
    // Before anybody else listens.
    for (const type of ["message", "error", "close"] as const) {
      this.addEventListener(type, (event) => {
        if (this.#isOver) event.stopImmediatePropagation();
        else this.#isOver = type === "close";
      });
    }
  }

  /** tRPC's heartbeat goes on until the close has been answered; the browser would complain of each and send none. */
  override send(message: Parameters<WebSocket["send"]>[0]): void {
    if (this.readyState !== WebSocket.CLOSING && this.readyState !== WebSocket.CLOSED) super.send(message);
  }

  override close(code?: number, reason?: string): void {
    super.close(code, reason);
    setTimeout(() => {
      if (this.#isOver) return;
      // Who waits for a connection waits for this, and not for its end.
      if (!this.#hasOpened) this.dispatchEvent(new Event("error"));
      this.dispatchEvent(new CloseEvent("close", { code: 1006 }));
    }, CLOSE_TIMEOUT_MS);
  }
}
