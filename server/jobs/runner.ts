import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { describeError, type Logger } from "../core/logger";
import type { Tracing } from "../core/tracing";
import type { Feed } from "../realtime/hub";
import type { Topic } from "../realtime/notify";
import type { JobHealth } from "./health";
import type { Backlog } from "./lease";

/**
 * One kind of background work. Its jobs are rows with a lease (lease.ts): any number of processes run the same kinds, each job
 * runs in one of them at a time, and a job whose process is killed is claimed again when its lease has run out.
 */
export interface JobKind<Job = unknown> {
  /** In logs. */
  name: string;
  /** Jobs that one process runs at the same time. */
  concurrency: number;
  /** Wakes the runner when a transaction has added work; null for work that only becomes due with time. */
  topic: Topic | null;
  /** How often the runner looks for jobs that have become due with time. */
  pollMs: number;
  /** How long after its start a process claims the first job; at once by default. */
  startAfterMs?: number;
  /** Leases the next due job to this process; null when there is none. */
  claim(): Promise<Job | null>;
  /** Does the work and releases the job. `signal` aborts when the process stops: a rejection with its AbortError only releases the job, any other is a failure. */
  run(job: Job, signal: AbortSignal): Promise<void>;
  /** Releases a failed job, to be due again after a backoff; false when it is given up instead. */
  retryLater(job: Job): Promise<boolean>;
  /** Releases a job that the stop of this process broke off, due at once and without a failure; `retryLater` by default. */
  release?(job: Job): Promise<void>;
  /** A failure that is about this one job, such as an address that takes no mail, and says nothing of the others. */
  isOwnFault?(error: unknown): boolean;
  /** What a log line may say about a job: no personal data. */
  describe(job: Job): Record<string, string | number>;
  backlog(): Promise<Backlog>;
}

interface RunnerOptions {
  feed: Feed;
  logger: Logger;
  health?: JobHealth;
  tracing?: Tracing | null;
}

/** Runs jobs of these kinds, each kind independently of the others, until `close`, which waits for the running jobs. */
export function startJobs(kinds: readonly JobKind[], options: RunnerOptions): { close(): Promise<void> } {
  const stop = new AbortController();
  // Two of each kind at most: its subscription, and what it waits for.
  setMaxListeners(2 * kinds.length, stop.signal);
  const loops = kinds.map((kind) => runKind(kind, { ...options, signal: stop.signal }));
  return {
    async close() {
      stop.abort();
      await Promise.all(loops);
    },
  };
}

async function runKind(
  kind: JobKind,
  { feed, logger, health, tracing, signal }: RunnerOptions & { signal: AbortSignal },
): Promise<void> {
  const running = new Set<Promise<void>>();
  /** Never rejects: a job that could not be released is due again when its lease has run out. */
  const runJob = async (job: unknown) => {
    const span = tracing?.startJob(kind.name);
    const run = () => kind.run(job, signal);
    try {
      await (span ? span.run(run) : run());
      span?.end("done", { isFault: false });
    } catch (error) {
      if (signal.aborted && isAbort(error)) {
        span?.end("stopped", { isFault: false });
        await (kind.release?.(job) ?? kind.retryLater(job)).catch(() => {});
        return;
      }
      span?.end("failed", { isFault: true });
      const willRetry = await kind.retryLater(job).catch(() => true);
      const about = { kind: kind.name, ...kind.describe(job) };
      logger.warn(willRetry ? "job failed" : "job given up", { ...about, ...describeError(error) });
      if (!kind.isOwnFault?.(error)) await health?.noteFailure(kind.name, error).catch(() => {});
      return;
    }
    await health?.noteSuccess(kind.name).catch(() => {});
  };
  const claimAll = async () => {
    while (!signal.aborted) {
      if (running.size >= kind.concurrency) {
        await Promise.race(running);
        continue;
      }
      const job = await kind.claim();
      if (job === null) return;
      const run = runJob(job).finally(() => running.delete(run));
      running.add(run);
    }
  };
  const subscription = feed.open();
  if (kind.topic) subscription.join(kind.topic);
  signal.addEventListener("abort", () => subscription.close());
  if (kind.startAfterMs) await wait(kind.startAfterMs, null, { signal, ref: false }).catch(() => null);
  while (!signal.aborted) {
    await claimAll().catch((error: unknown) => {
      // The database is unavailable: the next wake-up tries again.
      logger.warn("claiming jobs failed", { kind: kind.name, ...describeError(error) });
    });
    await subscription.next(AbortSignal.timeout(kind.pollMs));
  }
  await Promise.all(running);
}

/** What `throwIfAborted`, fetch and timers throw when their signal aborts. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
