/** Of UTC, where days have no changes of the clock. */
export const DAY_MS = 86_400_000;

/** A calendar day as `YYYY-MM-DD`, without a time zone: the same day wherever it is read. */
export type CalendarDay = string;

/**
 * As `Intl` has them for en-GB. The first formatter of a cold browser takes 18 to 40 ms before anything can be used, on a phone
 * four times that, and other versions of its data say "Sep".
 */
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"];

/** `2026-11-20` as "20 Nov 2026". Anything that is no calendar day comes back as it is. */
export function formatDay(day: CalendarDay): string {
  if (dayMs(day) === null) return day;
  const [year, month, date] = day.split("-").map(Number);
  return `${date} ${MONTHS[(month ?? 0) - 1]} ${year}`;
}

/** Its first instant in UTC; null for what is no calendar day. */
export function dayMs(day: CalendarDay): number | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!parts) return null;
  const at = Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]));
  return new Date(at).toISOString().startsWith(day) ? at : null;
}
