import { parseDate } from "@internationalized/date";
import { DUE_SOON_BUSINESS_DAYS } from "../contract/findings";
import { type BusinessCalendar, dayAfterBusinessDays } from "../organisation/business-time";

/** A day that is near, and since when it has been: from the first moment of the day from which it was near. */
export interface NearDay {
  day: string;
  since: string;
}

/** A holiday of more than a year has no near days before it. */
const MAX_DAYS = 400;

/** The days from a day on that are at most some business days away. On a Friday that is Saturday to Tuesday too. */
export function nearDays(calendar: BusinessCalendar, today: string): NearDay[] {
  const lastOf = (day: ReturnType<typeof parseDate>) =>
    dayAfterBusinessDays(calendar, { day, count: DUE_SOON_BUSINESS_DAYS });
  const first = parseDate(today);
  const last = lastOf(first);
  const days: NearDay[] = [];
  for (let day = first; day.compare(last) <= 0 && days.length < MAX_DAYS; day = day.add({ days: 1 })) {
    let since = first;
    for (let back = 0; back < MAX_DAYS; back += 1) {
      const before = since.subtract({ days: 1 });
      if (lastOf(before).compare(day) < 0) break;
      since = before;
    }
    days.push({ day: day.toString(), since: since.toDate(calendar.timeZone).toISOString() });
  }
  return days;
}
