import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds of many calls of one kind. */
export interface Sample {
  count: number;
  p50: number;
  p99: number;
}

/** Calls `work` at this concurrency for this long, or until something else is over, each one without a pause or once every `everyMs`. */
export async function sample({
  concurrency,
  durationMs = 0,
  everyMs = 0,
  isOver,
  work,
}: {
  concurrency: number;
  durationMs?: number;
  everyMs?: number;
  isOver?: () => boolean;
  work: () => Promise<void>;
}): Promise<Sample> {
  const times: number[] = [];
  const until = performance.now() + durationMs;
  const isDone = isOver ?? (() => performance.now() >= until);
  await Promise.all(
    Array.from({ length: concurrency }, async (_, caller) => {
      // Spread over the pause, so that they do not all call at once.
      if (everyMs > 0) await sleep((everyMs * caller) / concurrency);
      while (!isDone()) {
        const startedAt = performance.now();
        await work();
        const tookMs = performance.now() - startedAt;
        times.push(tookMs);
        if (everyMs > tookMs) await sleep(everyMs - tookMs);
      }
    }),
  );
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { count: times.length, p50: at(0.5), p99: at(0.99) };
}

/** The median of some rounds, with the lowest and the highest: "2.10 (1.90-2.60)". */
export function spread(values: readonly number[]): string {
  const digits = median(values) >= 100 ? 0 : 2;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(digits)} (${low.toFixed(digits)}-${high.toFixed(digits)})`;
}

/** NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Student's t for twelve pairs, two-sided. */
const PAIRS = 12;
const T_95 = 2.201;

/**
 * The rates of two that do the same, measured in pairs of short runs, in turns first and second; prints and answers the ratio
 * of the first to the second with its 95 % interval over the pairs.
 */
export async function comparePaired(
  name: string,
  { concurrency, durationMs, works }: { concurrency: number; durationMs: number; works: readonly [Work, Work] },
): Promise<{ low: number; ratio: number; high: number }> {
  const rate = async (work: Work) => {
    const startedAt = performance.now();
    const { count } = await sample({ concurrency, durationMs, work });
    return count / (performance.now() - startedAt);
  };
  for (const work of works) await rate(work);
  const logs: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const [ours, theirs] = pair % 2 === 0 ? works : [works[1], works[0]];
    const [first, second] = [await rate(ours), await rate(theirs)];
    logs.push(Math.log(first / second) * (pair % 2 === 0 ? 1 : -1));
  }
  const mean = logs.reduce((sum, one) => sum + one, 0) / PAIRS;
  const deviation = Math.sqrt(logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (PAIRS - 1));
  const reach = (T_95 * deviation) / Math.sqrt(PAIRS);
  const [low, high] = [Math.exp(mean - reach), Math.exp(mean + reach)];
  console.log(
    `${name}: ${Math.exp(mean).toFixed(3)} times the rate (95 %: ${low.toFixed(3)}-${high.toFixed(3)}), ${PAIRS} pairs`,
  );
  return { low, ratio: Math.exp(mean), high };
}

type Work = () => Promise<void>;

const ROUNDS = 5;
const ROUND_MS = 2_000;

/** For small calls: until Node.js has compiled what they run, which takes some 5,000 of them, they take up to twice their time. */
export const SMALL_CALLS_WARM_UP_MS = 10_000;

/**
 * Measures a call and its floor in turns within one run, prints and answers their ratios: of the rates and of the p99, one for
 * each round. The calls give the bytes of their answer.
 */
export async function interleave(
  name: string,
  {
    concurrency,
    warmUpMs = 1_000,
    subject,
    floor,
  }: { concurrency: number; warmUpMs?: number; subject: () => Promise<number>; floor: () => Promise<number> },
): Promise<{ rates: number[]; tails: number[] }> {
  const bytes = [await subject(), await floor()];
  const run = (work: () => Promise<number>, durationMs = ROUND_MS) =>
    sample({ concurrency, durationMs, work: async () => void (await work()) });
  await run(subject, warmUpMs);
  await run(floor, warmUpMs);
  const rates: number[] = [];
  const tails: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [ours, bare] = [await run(subject), await run(floor)];
    rates.push(ours.count / bare.count);
    tails.push(ours.p99 / bare.p99);
    const perSecond = ({ count }: Sample) => Math.round((count / ROUND_MS) * 1_000);
    console.log(
      `${name}, round ${round + 1}: ${perSecond(ours)}/s, p50 ${ours.p50.toFixed(1)} ms, p99 ${ours.p99.toFixed(1)}; floor ${perSecond(bare)}/s, ${bare.p50.toFixed(1)}, ${bare.p99.toFixed(1)}`,
    );
  }
  console.log(
    `${name}: ${spread(rates)} of the floor's rate, p99 ${spread(tails)} times its; ${bytes.join(" and ")} bytes; ${ROUNDS} rounds, ${concurrency} concurrency`,
  );
  return { rates, tails };
}

/** Measures some calls in turns within one run: of each the calls a second, one for each round. */
export async function inTurns({
  concurrency,
  warmUpMs,
  works,
}: {
  concurrency: number;
  warmUpMs: number;
  works: readonly (() => Promise<number>)[];
}): Promise<number[][]> {
  const run = (work: () => Promise<number>, durationMs: number) =>
    sample({ concurrency, durationMs, work: async () => void (await work()) });
  for (const work of works) await run(work, warmUpMs);
  const rates: number[][] = works.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, work] of works.entries()) {
      rates[at]?.push(((await run(work, ROUND_MS)).count / ROUND_MS) * 1_000);
    }
  }
  return rates;
}

/** What that resolves with, or an error that says what was not: a measurement never waits for ever. */
export async function within<Value>(
  work: Promise<Value>,
  { ms = 10_000, what }: { ms?: number; what: string },
): Promise<Value> {
  const timer = new AbortController();
  const late = sleep(ms, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`${what} within ${ms / 1_000} s`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => {});
    timer.abort();
  }
}

/** What a process holds in memory. */
export function residentKb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
}

/** A value and when it was read, in minutes. */
export interface Reading {
  minute: number;
  value: number;
}

/** How much a value grows a minute: the median of the slopes between all pairs of readings, which no single jump moves. */
export function slopePerMinute(readings: readonly Reading[]): number {
  return median(
    readings.flatMap((first, at) =>
      readings.slice(at + 1).map((later) => (later.value - first.value) / (later.minute - first.minute)),
    ),
  );
}
