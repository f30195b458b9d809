import { setTimeout as sleep } from "node:timers/promises";

/** Does the work and answers no sooner than after `minimumMs`, also when the work fails. */
export async function atLeast<Result>(minimumMs: number, work: () => Promise<Result>): Promise<Result> {
  const [outcome] = await Promise.allSettled([work(), sleep(minimumMs)]);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
