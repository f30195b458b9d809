import { createTRPCUntypedClient } from "@trpc/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  sockets = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", { protocol: "https:", host: "sangam.example" });
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("window", new EventTarget());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

let sockets: FakeSocket[];

/** Opens at once, and answers what the test says. */
class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readyState = 0;
  /** The id of the latest call of each procedure. */
  readonly ids = new Map<string, number>();

  constructor() {
    super();
    sockets.push(this);
    setTimeout(() => {
      this.readyState = FakeSocket.OPEN;
      this.dispatchEvent(new Event("open"));
    });
  }
  send(text: string): void {
    if (text === "PING") return;
    for (const { id, params } of [JSON.parse(text)].flat()) if (params) this.ids.set(params.path, id);
  }
  close(): void {
    this.readyState = FakeSocket.CLOSED;
    this.dispatchEvent(new Event("close"));
  }
}

function newestSocket(): FakeSocket {
  const socket = sockets.at(-1);
  if (!socket) throw new Error("no socket was opened");
  return socket;
}

function answer(path: string, content: object): void {
  const data = JSON.stringify({ id: newestSocket().ids.get(path), ...content });
  newestSocket().dispatchEvent(new MessageEvent("message", { data }));
}
const start = (path: string) => answer(path, { result: { type: "started" } });
const refuse = (path: string, httpStatus: number) =>
  answer(path, { error: { json: { code: -32_000, message: "Refused.", data: { httpStatus } } } });

/** Longer than the pause between two tries, of a stream and of the socket. */
const nextTry = () => vi.advanceTimersByTimeAsync(4_500);

async function setUp(...paths: string[]) {
  const [{ socketLink }, connection] = await Promise.all([import("./socket-link"), import("./connection")]);
  const client = createTRPCUntypedClient({ links: [socketLink] });
  const streams = paths.map((path) => client.subscription(path, {}, { onError: () => {} }));
  await vi.advanceTimersByTimeAsync(10);
  for (const path of paths) start(path);
  return { ...connection, streams };
}

test("while a stream fails on an open socket events do not arrive; they do once it has started again", async () => {
  const { connectionState, onConnectionReturn } = await setUp("live.onEvent");
  const returns = vi.fn();
  onConnectionReturn(returns);
  expect(connectionState()).toBe("open");
  for (let attempt = 0; attempt < 3; attempt += 1) {
    refuse("live.onEvent", 503);
    expect(connectionState()).toBe("away");
    await nextTry();
    expect(connectionState()).toBe("away");
  }
  expect(returns).not.toHaveBeenCalled();
  start("live.onEvent");
  expect([connectionState(), returns.mock.calls.length]).toEqual(["open", 1]);
});

test("one that is stopped or refused is waited for no longer; all others are, also after the socket was lost", async () => {
  const { connectionState, streams } = await setUp("live.onEvent", "chat.onMessage", "comments.onChange");
  newestSocket().close();
  await nextTry();
  expect(connectionState()).toBe("away");
  start("live.onEvent");
  expect(connectionState()).toBe("away");
  refuse("comments.onChange", 404);
  expect(connectionState()).toBe("away");
  streams[1]?.unsubscribe();
  expect(connectionState()).toBe("open");
});
