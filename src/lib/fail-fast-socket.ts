const CLOSE_TIMEOUT_MS = 1_000;

/**
 * A WebSocket that closes as soon as the browser goes offline, without waiting for the other side: a browser may wait for the
 * close handshake for a long time, and the socket looks connected meanwhile. Events after that are ignored.
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
    // Registered before any other listener.
    for (const type of ["message", "error", "close"] as const) {
      this.addEventListener(type, (event) => {
        if (this.#isOver) event.stopImmediatePropagation();
        else this.#isOver = type === "close";
      });
    }
  }

  /** tRPC's heartbeat goes on until the close is answered; the browser would log an error for each one. */
  override send(message: Parameters<WebSocket["send"]>[0]): void {
    if (this.readyState !== WebSocket.CLOSING && this.readyState !== WebSocket.CLOSED) super.send(message);
  }

  override close(code?: number, reason?: string): void {
    super.close(code, reason);
    setTimeout(() => {
      if (this.#isOver) return;
      // Code that waits for a connection listens for an error, not for a close.
      if (!this.#hasOpened) this.dispatchEvent(new Event("error"));
      this.dispatchEvent(new CloseEvent("close", { code: 1006 }));
    }, CLOSE_TIMEOUT_MS);
  }
}
