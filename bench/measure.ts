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
