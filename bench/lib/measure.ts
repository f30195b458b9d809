import { readFileSync } from "node:fs";

/** Milliseconds of many calls of one kind. */
export interface Sample {
  count: number;
  p50: number;
  p99: number;
}

/** Calls `work` from so many lanes, each one after another, for so long. */
export async function sample({
  lanes,
  durationMs,
  work,
}: {
  lanes: number;
  durationMs: number;
  work: () => Promise<void>;
}): Promise<Sample> {
  const times: number[] = [];
  const until = performance.now() + durationMs;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (performance.now() < until) {
        const startedAt = performance.now();
        await work();
        times.push(performance.now() - startedAt);
      }
    }),
  );
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { count: times.length, p50: at(0.5), p99: at(0.99) };
}

/** The median of some rounds, with the lowest and the highest: "2.1 (1.9-2.6)". */
export function spread(values: number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `${middle.toFixed(2)} (${(sorted[0] ?? 0).toFixed(2)}-${(sorted.at(-1) ?? 0).toFixed(2)})`;
}

const ROUNDS = 5;
const ROUND_MS = 2_000;

/** Measures a call and its floor in turns within one run, and prints their ratios. The calls give the bytes of their answer. */
export async function interleave(
  name: string,
  { lanes, subject, floor }: { lanes: number; subject: () => Promise<number>; floor: () => Promise<number> },
): Promise<void> {
  const bytes = [await subject(), await floor()];
  const run = (work: () => Promise<number>, durationMs = ROUND_MS) =>
    sample({ lanes, durationMs, work: async () => void (await work()) });
  await run(subject, 1_000);
  await run(floor, 1_000);
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
    `${name}: ${spread(rates)} of the floor's rate, p99 ${spread(tails)} times its; ${bytes.join(" and ")} bytes; ${ROUNDS} rounds, ${lanes} lanes`,
  );
}

/** What a process holds in memory. */
export function residentKb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
}
