import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers({ now: new Date("2026-11-20T10:42:00.000Z") });
});
afterEach(() => vi.useRealTimers());

async function setUp() {
  const [connection, { followConnection, connectionLight }] = await Promise.all([
    import("./connection"),
    import("./connection-light"),
  ]);
  followConnection();
  return { ...connection, connectionLight };
}

function answered() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test("a short interruption is not worth a word; a longer one says since when", async () => {
  const { setConnectionState, connectionLight } = await setUp();
  setConnectionState("open");
  setConnectionState("away");
  vi.advanceTimersByTime(2_999);
  expect(connectionLight()).toEqual({ phase: "calm" });
  setConnectionState("open");
  expect(connectionLight()).toEqual({ phase: "calm" });
  const since = Date.now();
  setConnectionState("away");
  vi.advanceTimersByTime(60_000);
  expect(connectionLight()).toEqual({ phase: "lost", since });
});

test("it is caught up only once what was asked for at the return has been answered", async () => {
  const { setConnectionState, onConnectionReturn, connectionLight } = await setUp();
  const { promise, resolve: answer } = answered();
  onConnectionReturn(() => promise);
  setConnectionState("away");
  vi.advanceTimersByTime(5_000);
  setConnectionState("open");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(connectionLight()).toEqual({ phase: "catching-up" });
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(connectionLight()).toEqual({ phase: "caught-up" });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(connectionLight()).toEqual({ phase: "calm" });
});

test("an answer that comes when the connection is lost again is no catching up", async () => {
  const { setConnectionState, onConnectionReturn, connectionLight } = await setUp();
  const { promise, resolve: answer } = answered();
  onConnectionReturn(() => promise);
  setConnectionState("away");
  vi.advanceTimersByTime(5_000);
  setConnectionState("open");
  setConnectionState("away");
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(connectionLight()).toEqual({ phase: "calm" });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(connectionLight()).toMatchObject({ phase: "lost" });
});
