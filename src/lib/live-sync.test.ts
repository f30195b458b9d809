import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LiveCache } from "./live-sync";

/* The one stream of a tab, over a client that does what the test says. */

beforeEach(() => void vi.resetModules());
afterEach(() => void vi.useRealTimers());

interface Subscribed {
  input: { topics: string[] };
  handlers: {
    onStarted(): void;
    onData(event: unknown): void;
    onConnectionStateChange(change: { state: "connecting" }): void;
    onError(error: unknown): void;
  };
  isStopped: boolean;
}

async function setUp() {
  const [{ createLiveStream, registerLiveSync }, connection] = await Promise.all([
    import("./live-sync"),
    import("./connection"),
  ]);
  const subscriptions: Subscribed[] = [];
  function subscribe(input: Subscribed["input"], handlers: Subscribed["handlers"]) {
    const subscription = { input, handlers, isStopped: false };
    subscriptions.push(subscription);
    return {
      unsubscribe() {
        subscription.isStopped = true;
      },
    };
  }
  const queryClient = new QueryClient();
  const utils = { client: { live: { onEvent: { subscribe } } } };
  const { follow } = createLiveStream({ queryClient, utils } as unknown as LiveCache);
  const read = vi.fn(() => "notes");
  const interrupt = vi.fn();
  registerLiveSync("requests", { queries: [{ queryKey: ["notes"] }], interrupt });
  new QueryObserver(queryClient, { queryKey: ["notes"], queryFn: read, initialData: "old", staleTime: 1e9 }).subscribe(
    () => {},
  );
  const unfollow = follow("requests");
  await vi.waitFor(() => expect(subscriptions).toHaveLength(1));
  const newest = () => subscriptions.at(-1)?.handlers;
  return { ...connection, unfollow, subscriptions, newest, read, interrupt };
}

test("a return waits for what was interrupted to be read again, and for nothing else", async () => {
  const { setConnectionState, whenCaughtUp, newest, read, interrupt } = await setUp();
  function comeBack(): Promise<unknown> {
    setConnectionState("away");
    setConnectionState("open");
    return whenCaughtUp();
  }
  newest()?.onStarted();
  newest()?.onConnectionStateChange({ state: "connecting" });
  expect(interrupt).toHaveBeenCalledTimes(1);
  let isCaughtUp = false;
  const caughtUp = comeBack().then(() => {
    isCaughtUp = true;
  });
  await new Promise((resolve) => setTimeout(resolve));
  expect(isCaughtUp).toBe(false);
  newest()?.onStarted();
  await caughtUp;
  const counts = () => [read.mock.calls.length, interrupt.mock.calls.length];
  const before = counts();
  // Another stream has failed meanwhile.
  await comeBack();
  expect(counts()).toEqual(before);
});

const refused = (httpStatus: number, reason?: string) =>
  TRPCClientError.from({ error: { code: -32_000, message: "Refused.", data: { httpStatus, reason } } });

test("a stream that is refused is opened again after half a minute, unless the session has ended or nobody follows it", async () => {
  const { unfollow, subscriptions, newest, read } = await setUp();
  vi.useFakeTimers();
  newest()?.onError(refused(400));
  vi.advanceTimersByTime(29_000);
  expect(subscriptions).toHaveLength(1);
  vi.advanceTimersByTime(2_000);
  expect(subscriptions.map(({ input, isStopped }) => [input.topics, isStopped])).toEqual([
    [["requests"], true],
    [["requests"], false],
  ]);
  newest()?.onStarted();
  await vi.advanceTimersByTimeAsync(0);
  expect(read).toHaveBeenCalled();
  newest()?.onError(refused(401, "session-ended"));
  await vi.advanceTimersByTimeAsync(60_000);
  newest()?.onError(refused(400));
  unfollow();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(subscriptions).toHaveLength(2);
});
