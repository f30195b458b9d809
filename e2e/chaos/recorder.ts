import type { Entry } from "./history";

/** Records what happens in one round. */
export interface Recorder {
  /** Milliseconds since the round began. */
  now(): number;
  write(entry: Entry): void;
  entries: readonly Entry[];
}

export function createRecorder(): Recorder {
  const begun = performance.now();
  const entries: Entry[] = [];
  return {
    now: () => Math.round((performance.now() - begun) * 10) / 10,
    write: (entry) => entries.push(entry),
    entries,
  };
}

/** Whether what was sent under that key has been acknowledged. */
export function isStored({ entries }: Recorder, key: string): boolean {
  return entries.some((entry) => entry.type === "operation" && entry.key === key && entry.outcome === "ok");
}
