import { type CalendarDate, getDayOfWeek, parseDate, parseTime, toCalendarDateTime } from "@internationalized/date";
import type { Turn, TurnClock } from "../contract/views";

/** When the firm works: week days (1 for Monday) with times of day in a time zone, and calendar days on which it does not. */
export interface BusinessCalendar {
  timeZone: string;
  businessHours: { days: readonly number[]; from: string; to: string };
  holidays: readonly string[];
}

const MS_PER_MINUTE = 60_000;

/**
 * Whole minutes of business time between two instants; 0 when the second is not the later one. A business day lasts from the first
 * moment at which its clock shows `from` until the first at which it shows `to`, so it is shorter or longer by an hour when the
 * clocks change in between. A time that the change skips is read as in RFC 5545: as far from midnight as without the change.
 */
export function businessMinutesBetween(calendar: BusinessCalendar, { from, to }: { from: Date; to: Date }): number {
  let total = 0;
  for (let year = from.getUTCFullYear() - 1; year <= to.getUTCFullYear() + 1; year++) {
    const spans = spansOf(calendar, year);
    total += Math.max(0, openBefore(spans, to.getTime()) - openBefore(spans, from.getTime()));
  }
  return Math.floor(total / MS_PER_MINUTE);
}

/** The first instant by which so many minutes of business time have passed; `from` for none. */
export function afterBusinessMinutes(
  calendar: BusinessCalendar,
  { from, minutes }: { from: Date; minutes: number },
): Date {
  let [left, at] = [minutes * MS_PER_MINUTE, from.getTime()];
  // Each week has a business day and holidays are finitely many, so this comes to an end.
  for (let year = from.getUTCFullYear() - 1; left > 0; year++) {
    const spans = spansOf(calendar, year);
    for (const { open, close } of spans.slice(indexAfter(spans, at))) {
      const start = Math.max(open, at);
      at = Math.min(close, start + left);
      left -= at - start;
      if (left === 0) break;
    }
  }
  return new Date(at);
}

/** The calendar day on which so many further business days have begun; holidays are finitely many, so there is one. */
export function dayAfterBusinessDays(
  calendar: BusinessCalendar,
  { day, count }: { day: CalendarDate; count: number },
): CalendarDate {
  const off = new Set(calendar.holidays);
  let at = day;
  for (let left = count; left > 0; ) {
    at = at.add({ days: 1 });
    if (isBusinessDay(calendar, { day: at, off })) left -= 1;
  }
  return at;
}

/** The minutes of one business day: how "within 24 hours" is counted, from Friday 17:00 until Monday 17:00. */
export function minutesOfBusinessDay({ businessHours: { from, to } }: BusinessCalendar): number {
  const [opens, closes] = [parseTime(from), parseTime(to)];
  return (closes.hour - opens.hour) * 60 + closes.minute - opens.minute;
}

/** How a turn is shown: for how long it has been owed, and by when the firm has promised its move. */
export function turnOf(
  calendar: BusinessCalendar,
  { owes, since }: Pick<Turn, "owes"> & { since: Date | string | null },
  now: Date,
): Turn {
  if (owes === "nobody" || since === null) return NOBODYS_TURN;
  const from = new Date(since);
  const day = minutesOfBusinessDay(calendar);
  const businessMinutes = businessMinutesBetween(calendar, { from, to: now });
  const promised = owes === "firm" ? afterBusinessMinutes(calendar, { from, minutes: day }) : null;
  return {
    owes,
    since: from.toISOString(),
    businessMinutes,
    businessDays: Math.floor(businessMinutes / day),
    answerBy: promised?.toISOString() ?? null,
    clock: clockOf(calendar, { since: from, now }),
  };
}

/** What has passed before the business day that is now or comes next, and that day. */
function clockOf(calendar: BusinessCalendar, { since, now }: { since: Date; now: Date }): TurnClock {
  for (let year = now.getUTCFullYear() - 1; ; year++) {
    const spans = spansOf(calendar, year);
    const span = spans[indexAfter(spans, now.getTime())];
    if (!span) continue;
    const runsFrom = new Date(Math.max(span.open, since.getTime()));
    return {
      minutesBefore: businessMinutesBetween(calendar, { from: since, to: runsFrom }),
      runsFrom: runsFrom.toISOString(),
      runsUntil: new Date(span.close).toISOString(),
      minutesPerDay: minutesOfBusinessDay(calendar),
    };
  }
}

const NOBODYS_TURN: Turn = {
  owes: "nobody",
  since: null,
  businessMinutes: 0,
  businessDays: 0,
  answerBy: null,
  clock: null,
};

/** A business day, as milliseconds since the epoch, and how much business time its year had before it. */
interface Span {
  open: number;
  close: number;
  before: number;
}

/** How much of the spans' time had passed by an instant, in milliseconds. */
function openBefore(spans: readonly Span[], at: number): number {
  const last = spans[indexAfter(spans, at) - 1];
  const next = spans[indexAfter(spans, at)];
  const past = last ? last.before + last.close - last.open : 0;
  return past + (next ? Math.max(0, at - next.open) : 0);
}

/** The place of the first span that ends after an instant. */
function indexAfter(spans: readonly Span[], at: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.close ?? at) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/*
 * Finding an instant by its wall clock takes some 10 µs, and a list asks for thousands of them: the spans of a year are made once for
 * each calendar. An organisation has one; a few are kept, for those who change it, and for tests.
 */
const MAX_CALENDARS = 8;
const years = new Map<string, Map<number, Span[]>>();

function spansOf(calendar: BusinessCalendar, year: number): Span[] {
  const { timeZone, businessHours, holidays } = calendar;
  const key = JSON.stringify([timeZone, businessHours, holidays]);
  const known = years.get(key) ?? new Map<number, Span[]>();
  if (!years.has(key)) {
    const [oldest] = years.keys();
    if (years.size >= MAX_CALENDARS && oldest !== undefined) years.delete(oldest);
    years.set(key, known);
  }
  const spans = known.get(year) ?? makeSpans(calendar, year);
  known.set(year, spans);
  return spans;
}

function isBusinessDay(
  { businessHours }: BusinessCalendar,
  { day, off }: { day: CalendarDate; off: ReadonlySet<string> },
): boolean {
  return businessHours.days.includes(weekDayOf(day)) && !off.has(day.toString());
}

function makeSpans(calendar: BusinessCalendar, year: number): Span[] {
  const { timeZone, businessHours, holidays } = calendar;
  const { from, to } = businessHours;
  const [opens, closes, off] = [parseTime(from), parseTime(to), new Set(holidays)];
  const spans: Span[] = [];
  let before = 0;
  for (let day = parseDate(`${String(year).padStart(4, "0")}-01-01`); day.year === year; day = day.add({ days: 1 })) {
    if (!isBusinessDay(calendar, { day, off })) continue;
    const open = toCalendarDateTime(day, opens).toDate(timeZone).getTime();
    const close = toCalendarDateTime(day, closes).toDate(timeZone).getTime();
    // A day that the zone skipped has no time at all.
    if (close <= open) continue;
    spans.push({ open, close, before });
    before += close - open;
  }
  return spans;
}

/** 1 for Monday to 7 for Sunday. */
function weekDayOf(day: CalendarDate): number {
  return getDayOfWeek(day, "en-GB", "mon") + 1;
}
