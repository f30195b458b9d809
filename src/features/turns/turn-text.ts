import type { Turn } from "@server/contract/views";
import { type CalendarDay, daysBetween, formatDate, formatDay, formatTime, today } from "@/lib/format";

const MS_PER_MINUTE = 60_000;
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

type Counted = Pick<Turn, "businessMinutes" | "businessDays" | "clock">;
/** For whom it is put into words, and what the firm calls the client. */
export type TurnReader = { side: "firm"; clientName: string | undefined } | { side: "client" };

/** Who owes the next move, in the words of each side; null when nobody does. `now` is null where the time is not known yet. */
export function describeTurn(turn: Turn, { reader, now }: { reader: TurnReader; now: Date | null }): string | null {
  if (turn.owes === "nobody") return null;
  if (reader.side === "client") return turn.owes === "client" ? "Waiting for your answer" : describePromise(turn, now);
  const whom = turn.owes === "firm" ? "us" : (reader.clientName?.split(" ")[0] ?? "the client");
  const age = describeWait(turn, now);
  return age === null ? `Waiting for ${whom}` : `Waiting for ${whom} · ${age}`;
}

/** How long something has waited, in business time. Null for what came outside of business hours, and has not waited yet. */
export function describeWait(turn: Counted, now: Date | null): string | null {
  return countAt(turn, now).minutes > 0 ? describeAge(turn, now) : null;
}

/** Business time: "40 min", "5 h", "2 d". */
export function describeAge(turn: Counted, now: Date | null): string {
  const { minutes, days } = countAt(turn, now);
  if (days > 0) return `${days} d`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}

/** Past a business day: late, where an answer was promised (`answerBy`). */
export function isPastDay(turn: Counted, now: Date | null): boolean {
  return countAt(turn, now).days > 0;
}

/** Above what has waited for less than a business day; null above nothing. Of changes that a client wants no time is promised. */
export function describeYoung(turns: readonly Pick<Turn, "answerBy">[]): string | null {
  if (turns.length === 0) return null;
  const isPromised = turns.every(({ answerBy }) => answerBy !== null);
  return isPromised ? "Within the promised business day" : "Less than a business day";
}

/** The business time at a moment after the answer; that of the answer where the moment is not known. */
function countAt(
  { businessMinutes, businessDays, clock }: Counted,
  now: Date | null,
): { minutes: number; days: number } {
  if (!now || !clock) return { minutes: businessMinutes, days: businessDays };
  const [from, until] = [Date.parse(clock.runsFrom), Date.parse(clock.runsUntil)];
  const run = Math.floor(Math.max(0, Math.min(now.getTime(), until) - from) / MS_PER_MINUTE);
  const minutes = clock.minutesBefore + run;
  return { minutes, days: Math.floor(minutes / clock.minutesPerDay) };
}

/** Of a promise that was missed the client reads no time. Nothing is promised of changes that they want. */
function describePromise({ answerBy }: Turn, now: Date | null): string {
  if (answerBy === null) return "We are working on it";
  if (now && Date.parse(answerBy) < now.getTime()) return "We answer soon";
  return `We answer by ${now ? formatMoment(answerBy, today(now)) : formatDay(answerBy.slice(0, 10))}`;
}

/** "today 17:00", "tomorrow 17:00", "Monday 17:00" within six days, else "1 Dec 2026". */
function formatMoment(moment: string, day: CalendarDay): string {
  const at = new Date(moment);
  const days = daysBetween(day, today(at));
  if (days >= 7) return formatDate(at);
  const name = days === 0 ? "today" : days === 1 ? "tomorrow" : WEEKDAYS[at.getDay()];
  return `${name} ${formatTime(at)}`;
}
