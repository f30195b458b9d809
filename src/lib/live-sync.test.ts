import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { beforeEach, expect, test, vi } from "vitest";
import type { LiveCache } from "./live-sync";

/* The one stream of a tab, over a client that does what the test says. */

beforeEach(() => void vi.resetModules());

interface Subscribed {
  input: { topics: string[] };
  handlers: {
    onStarted(): void;
    onData(event: unknown): void;
    onConnectionStateChange(change: { state: "connecting" }): void;
    onError(): void;
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
  follow("requests");
  await vi.waitFor(() => expect(subscriptions).toHaveLength(1));
  const newest = () => subscriptions.at(-1)?.handlers;
  return { ...connection, subscriptions, newest, read, interrupt };
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
