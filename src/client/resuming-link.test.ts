import { createTRPCUntypedClient, type Operation, TRPCClientError, type TRPCLink } from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";
import { type Observer, observable } from "@trpc/server/observable";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { resumingLink } from "./resuming-link";

/* The link alone, over a transport that does what the test says. server/test/typed-client.test.ts has real ones. */

type Envelope = Parameters<
  NonNullable<Parameters<ReturnType<ReturnType<TRPCLink<AnyTRPCRouter>>>["subscribe"]>[0]["next"]>
>[0];
type Attempt = { op: Operation; isStopped: boolean } & Observer<Envelope, TRPCClientError<AnyTRPCRouter>>;

let attempts: Attempt[];
let seen: unknown[];

beforeEach(() => {
  vi.useFakeTimers();
  attempts = [];
  seen = [];
});
afterEach(() => vi.useRealTimers());

/** Like tRPC's own, it says that it is complete when it is stopped. */
const transport: TRPCLink<AnyTRPCRouter> =
  () =>
  ({ op }) =>
    observable((observer) => {
      const attempt = { op, isStopped: false, ...observer };
      attempts.push(attempt);
      return () => {
        attempt.isStopped = true;
        observer.complete();
      };
    });

function subscribe(options: { reconnect?: () => void } = {}) {
  const link = resumingLink<AnyTRPCRouter>({ maxWaitMs: 4_000, ...options });
  return createTRPCUntypedClient<AnyTRPCRouter>({ links: [link, transport] }).subscription(
    "chat.onMessage",
    { conversationId: "c" },
    {
      onStarted: () => seen.push("started"),
      onData: (event) => seen.push(event),
      onConnectionStateChange: ({ state }) => seen.push(state),
      onError: (error) => seen.push(error.message),
      onComplete: () => seen.push("complete"),
    },
  );
}

const newest = () => {
  const attempt = attempts.at(-1);
  if (!attempt) throw new Error("nothing was begun");
  return attempt;
};
const emit = (id: string, event: unknown) => newest().next({ result: { type: "data", id, data: { id, data: event } } });
const HEARTBEAT = { type: "heartbeat" };
const refused = (httpStatus: number) =>
  TRPCClientError.from<AnyTRPCRouter>({
    error: { code: -32_000, message: `refused with ${httpStatus}`, data: { httpStatus } },
  });

test("a stream that says nothing for 45 s is begun again after its last event; what the old one says then is dropped", () => {
  subscribe();
  newest().next({ result: { type: "started" } });
  emit("7", "hello");
  vi.advanceTimersByTime(44_999);
  expect(attempts).toHaveLength(1);
  vi.advanceTimersByTime(2);
  const [first, second] = attempts;
  expect(first?.isStopped).toBe(true);
  expect(second?.op.input).toEqual({ conversationId: "c", lastEventId: "7" });
  expect(second?.op.id).not.toBe(first?.op.id);
  first?.next({ result: { type: "data", id: "8", data: { id: "8", data: "late" } } });
  first?.complete();
  expect(seen).toEqual(["started", { id: "7", data: "hello" }, "connecting"]);
});

test("heartbeats keep it, move its cursor, and are seen by nobody", () => {
  subscribe();
  for (let at = 1; at <= 5; at += 1) {
    vi.advanceTimersByTime(20_000);
    if (at % 2) emit(String(at), HEARTBEAT);
    else newest().next({ result: { type: "data", data: HEARTBEAT } });
  }
  expect([attempts.length, seen]).toEqual([1, []]);
  vi.advanceTimersByTime(46_000);
  expect(newest().op.input).toMatchObject({ lastEventId: "5" });
});

test("one that fails is begun again, sooner once it has worked; one that is refused ends", () => {
  subscribe();
  for (const status of [503, 408, 429]) {
    newest().error(refused(status));
    vi.advanceTimersByTime(4_000);
  }
  expect(attempts).toHaveLength(4);
  emit("1", HEARTBEAT);
  newest().error(refused(503));
  vi.advanceTimersByTime(1_000);
  expect(attempts).toHaveLength(5);
  newest().error(refused(404));
  vi.advanceTimersByTime(100_000);
  expect(attempts).toHaveLength(5);
  expect(seen.at(-1)).toBe("refused with 404");
});

test("a connection that is never made, or says nothing to the second try either, is cut", () => {
  const reconnect = vi.fn();
  const stream = subscribe({ reconnect });
  newest().next({ result: { type: "state", state: "connecting", error: null } });
  vi.advanceTimersByTime(45_001);
  expect([attempts.length, reconnect.mock.calls.length]).toEqual([2, 1]);
  newest().next({ result: { type: "started" } });
  vi.advanceTimersByTime(45_001);
  expect([attempts.length, reconnect.mock.calls.length]).toEqual([3, 1]);
  vi.advanceTimersByTime(45_001);
  expect([attempts.length, reconnect.mock.calls.length]).toEqual([4, 2]);
  stream.unsubscribe();
  vi.advanceTimersByTime(100_000);
  expect([attempts.length, newest().isStopped]).toEqual([4, true]);
});
