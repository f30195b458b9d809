import {
  type CalendarDate,
  type DateDuration,
  endOfMonth,
  endOfWeek,
  parseDate,
  startOfMonth,
  startOfWeek,
} from "@internationalized/date";
import type { CalendarDay } from "@/lib/format";
import { lazily } from "@/lib/lazily";

/*
 * Calendar days and months as text, `YYYY-MM-DD` and `YYYY-MM`, without a time zone: nothing here reads a clock. Weeks begin on
 * Monday.
 */

/** `YYYY-MM`. */
export type CalendarMonth = string;

/** The range of days that the server accepts. */
const FIRST_DAY = "2000-01-01";
const LAST_DAY = "2100-12-31";
const LOCALE = "en-GB";

const format = (options: Intl.DateTimeFormatOptions) =>
  lazily(() => new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: "UTC" }));
const monthFormat = format({ month: "long", year: "numeric" });
const longDayFormat = format({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
const dayAndMonthFormat = format({ weekday: "long", day: "numeric", month: "long" });
const weekdayFormat = format({ weekday: "long" });
const shortMonthFormat = format({ day: "numeric", month: "short" });

/** The whole weeks of a month; the first and the last may include days of the neighbouring months. */
export function weeksOf(month: CalendarMonth): CalendarDay[][] {
  const first = startOfWeek(firstOf(month), LOCALE, "mon");
  const last = endOfWeek(endOfMonth(firstOf(month)), LOCALE, "mon");
  const weeks: CalendarDay[][] = [];
  for (let monday = first; monday.compare(last) <= 0; monday = monday.add({ weeks: 1 })) {
    weeks.push(Array.from({ length: 7 }, (_, days) => monday.add({ days }).toString()));
  }
  return weeks;
}

/** The first and the last day of those weeks, within the server's range. */
export function rangeOf(month: CalendarMonth): { from: CalendarDay; to: CalendarDay } {
  const days = weeksOf(month).flat();
  const [from = FIRST_DAY, to = LAST_DAY] = [days[0], days.at(-1)];
  return { from: from < FIRST_DAY ? FIRST_DAY : from, to: to > LAST_DAY ? LAST_DAY : to };
}

/** The days of the month itself. */
export function daysOf(month: CalendarMonth): CalendarDay[] {
  return weeksOf(month)
    .flat()
    .filter((day) => monthOf(day) === month);
}

export function monthOf(day: CalendarDay): CalendarMonth {
  return day.slice(0, 7);
}

/** Whether the server accepts dates of that month. */
export function isMonthInReach(month: CalendarMonth): boolean {
  return month >= monthOf(FIRST_DAY) && month <= monthOf(LAST_DAY);
}

export function shiftMonth(month: CalendarMonth, months: number): CalendarMonth {
  return monthOf(firstOf(month).add({ months }).toString());
}

/** Clamped to the last day of a shorter month. */
export function shiftDay(day: CalendarDay, by: DateDuration): CalendarDay {
  return parseDate(day).add(by).toString();
}

export function mondayOf(day: CalendarDay): CalendarDay {
  return startOfWeek(parseDate(day), LOCALE, "mon").toString();
}

export function sundayOf(day: CalendarDay): CalendarDay {
  return endOfWeek(parseDate(day), LOCALE, "mon").toString();
}

/** "November 2026". */
export function formatMonth(month: CalendarMonth): string {
  return formatDate(monthFormat, firstOf(month));
}

/** "Friday, 20 November 2026". */
export function formatLongDay(day: CalendarDay): string {
  return withComma(formatDate(longDayFormat, parseDate(day)));
}

/** "Today", "Yesterday", "Tomorrow", else "Friday, 20 November", with the year when it differs. */
export function describeDay(day: CalendarDay, today: CalendarDay): string {
  if (day === today) return "Today";
  if (day === shiftDay(today, { days: -1 })) return "Yesterday";
  if (day === shiftDay(today, { days: 1 })) return "Tomorrow";
  if (day.slice(0, 4) !== today.slice(0, 4)) return formatLongDay(day);
  return withComma(formatDate(dayAndMonthFormat, parseDate(day)));
}

/** "20", and "1 Dec" for the first of a month. */
export function dayNumber(day: CalendarDay): string {
  const date = parseDate(day);
  return date.day === 1 ? formatDate(shortMonthFormat, date) : String(date.day);
}

/** Monday to Sunday. */
export function weekdays(): string[] {
  const monday = startOfWeek(parseDate(FIRST_DAY), LOCALE, "mon");
  return Array.from({ length: 7 }, (_, days) => formatDate(weekdayFormat, monday.add({ days })));
}

function firstOf(month: CalendarMonth): CalendarDate {
  return startOfMonth(parseDate(`${month}-01`));
}

function formatDate(formatter: ReturnType<typeof format>, date: CalendarDate): string {
  return formatter().format(date.toDate("UTC"));
}

/** en-GB writes "Friday 20 November"; older engines "Friday, 20 November". */
function withComma(text: string): string {
  return text.replace(/^(\p{L}+),? /u, "$1, ");
}
