/**
 * Runs `work` once at a time. Asked for while it runs, it runs once more afterwards, however often it was asked: what each
 * caller gets has begun after it asked.
 */
export function coalesce(work: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let queued: Promise<void> | null = null;

  function run(): Promise<void> {
    queued = null;
    running = Promise.resolve(work())
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        if (!queued) running = null;
      });
    return running;
  }
  return () => {
    if (!running) return run();
    queued ??= running.then(run);
    return queued;
  };
}
