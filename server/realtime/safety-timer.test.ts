import { afterEach, expect, test, vi } from "vitest";
import { createHub } from "./hub";
import { SAFETY_INTERVAL_MS, startSafetyTimer } from "./transport";

afterEach(() => vi.useRealTimers());

test.each([
  ["within 15 s", false, 1],
  ["and twice while the bus is away", true, 2],
])("every watcher compares everything once a round, %s", async (_, isAway, rounds) => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  expect(SAFETY_INTERVAL_MS).toBe(15_000);
  const hub = createHub();
  const wakeUps = new Array(200).fill(0);
  const subscriptions = wakeUps.map((_, at) => {
    const subscription = hub.open();
    void (async () => {
      while (await subscription.next(undefined)) wakeUps[at] += 1;
    })();
    return subscription;
  });
  const stop = startSafetyTimer(hub, { isAway: () => isAway });
  for (const count of [rounds, 2 * rounds]) {
    await vi.advanceTimersByTimeAsync(SAFETY_INTERVAL_MS);
    expect(new Set(wakeUps)).toEqual(new Set([count]));
  }
  stop();
  expect(vi.getTimerCount()).toBe(0);
  for (const subscription of subscriptions) subscription.close();
});
