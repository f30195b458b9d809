import type { Page } from "@playwright/test";
import * as z from "zod/mini";

/*
 * What an interaction costs the page's main thread until it is answered on screen. Unlike a delay, this hardly changes when
 * other programs want the processor.
 */

const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel"];
/** By then the frame that answers has been committed. */
const REST_MS = 700;

const timingSchema = z.object({
  data: z.object({
    interactionId: z.number().check(z.positive()),
    timeStamp: z.number(),
    commitFinishTime: z.number(),
  }),
});
const eventSchema = z.object({
  name: z.string(),
  tid: z.number(),
  pid: z.number(),
  /** Microseconds, as the following. */
  ts: z.number(),
  dur: z._default(z.number(), 0),
  /** Of the thread's processor time. */
  tdur: z._default(z.number(), 0),
  args: z.unknown(),
});
type TraceEvent = z.infer<typeof eventSchema>;

/**
 * Milliseconds of the main thread from an event until the frame that answers it is committed: handlers, style, layout, paint,
 * and whatever comes in between. Of the events of the last interaction (pointerdown, click) the costliest, as in INP. The page
 * must not be throttled, which is done by work on the same thread.
 */
export async function processorTimeOf(page: Page, interact: () => Promise<void>): Promise<number> {
  const events: TraceEvent[] = [];
  const session = await page.context().newCDPSession(page);
  session.on("Tracing.dataCollected", ({ value }) => {
    events.push(...value.flatMap((one) => eventSchema.safeParse(one).data ?? []));
  });
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: CATEGORIES, excludedCategories: ["*"] },
  });
  await interact();
  await page.waitForTimeout(REST_MS);
  const ended = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await ended;
  await session.detach();
  return costliest(events);
}

function costliest(events: readonly TraceEvent[]): number {
  const timings = events.flatMap(({ name, pid, ts, args }) => {
    const timing = name === "EventTiming" ? timingSchema.safeParse(args).data?.data : undefined;
    return timing ? { ...timing, pid, ts, end: ts + (timing.commitFinishTime - timing.timeStamp) * 1_000 } : [];
  });
  const last = timings.toSorted((one, other) => one.ts - other.ts).at(-1);
  if (!last) throw new Error("The browser has timed no interaction.");
  // The trace holds the other pages of the browser too.
  const main = events.find(({ name, pid }) => name === "EventDispatch" && pid === last.pid);
  const tasks = events.filter(
    ({ name, pid, tid }) => name === "ThreadControllerImpl::RunTask" && pid === main?.pid && tid === main.tid,
  );
  const times = timings
    .filter(({ pid, interactionId }) => pid === last.pid && interactionId === last.interactionId)
    .map(({ ts, end }) => tasks.filter((task) => task.ts < end && task.ts + task.dur > ts))
    .map((between) => between.reduce((sum, { tdur }) => sum + tdur, 0) / 1_000);
  return Math.max(...times);
}
