import pLimit, { type LimitFunction } from "p-limit";
import { RateLimitedError } from "../core/rate-limit";

/** access.md, Limits. Never switched off: nobody who has a key comes near it. */
const MAX_FAILURES = 100;
const WINDOW_MS = 60_000;
/** Whoever has more addresses than this to choose from is not held by a count for each. */
const MAX_ADDRESSES = 10_000;

interface Attempts {
  failures: number;
  endsAtMs: number;
  underWay: number;
  /** Failures and look-ups under way are together no more than the limit, so that none goes past it beside another. */
  queue: LimitFunction;
}

/**
 * Counts, in this process's memory, which API keys were wrong: after 100 of one address in a minute it throws
 * RateLimitedError for every key from there, before `find` is called. `find` looks up what a key stands for, or null; when it
 * rejects, nothing is counted.
 */
export function createFailedKeys() {
  const addresses = new Map<string, Attempts>();

  function attemptsOf(address: string): Attempts {
    const known = addresses.get(address);
    if (known && (known.failures === 0 || known.endsAtMs > Date.now())) return known;
    const [oldest] = addresses.keys();
    if (!known && oldest !== undefined && addresses.size >= MAX_ADDRESSES) addresses.delete(oldest);
    const fresh = { failures: 0, endsAtMs: 0, underWay: 0, queue: pLimit(MAX_FAILURES) };
    addresses.delete(address);
    addresses.set(address, fresh);
    return fresh;
  }

  return async function countFailure<Found>(address: string, find: () => Promise<Found | null>): Promise<Found | null> {
    const attempts = attemptsOf(address);
    const { queue } = attempts;
    attempts.underWay += 1;
    try {
      return await queue(async () => {
        if (attempts.failures >= MAX_FAILURES) {
          throw new RateLimitedError(Math.max(1, Math.ceil((attempts.endsAtMs - Date.now()) / 1000)));
        }
        const found = await find();
        if (found !== null) return found;
        if (attempts.failures === 0) attempts.endsAtMs = Date.now() + WINDOW_MS;
        attempts.failures += 1;
        queue.concurrency = Math.max(1, MAX_FAILURES - attempts.failures);
        return null;
      });
    } finally {
      attempts.underWay -= 1;
      // Good keys leave nothing behind.
      const isForgotten = attempts.failures === 0 && attempts.underWay === 0;
      if (isForgotten && addresses.get(address) === attempts) addresses.delete(address);
    }
  };
}
