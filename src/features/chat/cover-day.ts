import { type CalendarDay, today as dayOf } from "@/lib/format";

/** The first day until which somebody can cover: a day's cover ends as the day begins, which today's has. */
export function firstCoverDay(now: Date = new Date()): CalendarDay {
  return dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1));
}

/** What is wrong with a day until which somebody shall cover; nothing with none. */
export function checkCoverDay(day: CalendarDay, now: Date = new Date()): { until?: string } {
  return day !== "" && day < firstCoverDay(now) ? { until: "Choose a day after today." } : {};
}
