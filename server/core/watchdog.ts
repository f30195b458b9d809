import type { Logger } from "./logger";

const CHECK_MS = 5_000;
/** Past its deadline. The deadline itself has rejected the call and destroyed its connection long before. */
const MAX_OVERDUE_MS = 60_000;

/**
 * The last resort: a process whose database calls no longer settle, whatever the reason, is replaced rather than left to answer
 * nobody. Runs `onStuck` once, after a line in the log.
 */
export function startWatchdog({
  overdueMs,
  logger,
  onStuck,
  checkMs = CHECK_MS,
  maxOverdueMs = MAX_OVERDUE_MS,
}: {
  /** How long the most overdue call has been pending past its deadline. */
  overdueMs: () => number;
  logger: Logger;
  onStuck: () => void;
  checkMs?: number;
  maxOverdueMs?: number;
}): { close(): void } {
  const timer = setInterval(() => {
    const pendingMs = Math.round(overdueMs());
    if (pendingMs < maxOverdueMs) return;
    clearInterval(timer);
    logger.error("a database call is stuck", { pastDeadlineMs: pendingMs });
    onStuck();
  }, checkMs);
  timer.unref();
  return { close: () => clearInterval(timer) };
}
