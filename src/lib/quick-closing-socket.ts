const CLOSE_TIMEOUT_MS = 1_000;

/**
 * A WebSocket that closes as soon as the browser is offline, without waiting for the other side: browsers wait long for an
 * answer over a dead network, and everything looks connected meanwhile. Events that arrive after the close are dropped.
 */
export class QuickClosingSocket extends WebSocket {
  #isOver = false;
  #hasOpened = false;

  constructor(url: string | URL) {
    super(url);
    const closeNow = () => this.close();
    window.addEventListener("offline", closeNow);
    this.addEventListener("open", () => {
      this.#hasOpened = true;
    });
    this.addEventListener("close", () => window.removeEventListener("offline", closeNow));
    // Registered first, so that no other listener runs after the close.
    for (const type of ["message", "error", "close"] as const) {
      this.addEventListener(type, (event) => {
        if (this.#isOver) event.stopImmediatePropagation();
        else this.#isOver = type === "close";
      });
    }
  }

  /** tRPC keeps sending heartbeats until the close is answered; the browser would log an error for each. */
  override send(message: Parameters<WebSocket["send"]>[0]): void {
    if (this.readyState !== WebSocket.CLOSING && this.readyState !== WebSocket.CLOSED) super.send(message);
  }

  override close(code?: number, reason?: string): void {
    super.close(code, reason);
    setTimeout(() => {
      if (this.#isOver) return;
      // Callers that wait for the connection to open listen for this event, not for close.
      if (!this.#hasOpened) this.dispatchEvent(new Event("error"));
      this.dispatchEvent(new CloseEvent("close", { code: 1006 }));
    }, CLOSE_TIMEOUT_MS);
  }
}
