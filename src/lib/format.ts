import { type CalendarDay, DAY_MS, dayMs, formatDay } from "@server/contract/days";
import { firstGrapheme } from "./graphemes";

export { type CalendarDay, formatDay };

/** How near a due day is, and its text. */
export type DueState = { kind: "none" | "later" | "soon" | "tomorrow" | "today" | "overdue"; label: string };

const SOON_DAYS = 7;

/** How many days later the second one is; negative when it is earlier. */
export function daysBetween(from: CalendarDay, to: CalendarDay): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** "1 server", "1,200 servers". */
export function plural(count: number, one: string, many = `${one}s`): string {
  // Most counts need none of the language's rules, which take a moment to be read.
  const digits = count < 1_000 ? String(count) : count.toLocaleString("en-GB");
  return `${digits} ${count === 1 ? one : many}`;
}

/** Today's calendar day where the reader is. */
export function today(now: Date = new Date()): CalendarDay {
  return `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`;
}

/**
 * A due day and how it stands to today: "No due date", "Overdue since 19 Nov", "20 Nov 2026 · today", "24 Nov 2026 · in 4 days"
 * (up to 7), else the date alone. Design 3.3.
 */
export function dueState(due: CalendarDay | null | undefined, now: CalendarDay = today()): DueState {
  const dueMs = due ? dayMs(due) : null;
  const nowMs = dayMs(now);
  if (!due || dueMs === null || nowMs === null) return { kind: "none", label: "No due date" };
  const days = Math.round((dueMs - nowMs) / DAY_MS);
  const date = formatDay(due);
  if (days < 0) return { kind: "overdue", label: `Overdue since ${date.replace(` ${now.slice(0, 4)}`, "")}` };
  if (days === 0) return { kind: "today", label: `${date} · today` };
  if (days === 1) return { kind: "tomorrow", label: `${date} · tomorrow` };
  if (days <= SOON_DAYS) return { kind: "soon", label: `${date} · in ${days} days` };
  return { kind: "later", label: date };
}

/** An instant in the reader's zone, where it stands by itself: "Today 10:42", else "20 Nov 2026". */
export function formatInstant(instant: string | Date, now: Date = new Date()): string {
  return formatInstantInText(instant, now).replace("today", "Today");
}

/** The same within a sentence: "today 10:42", else "20 Nov 2026". */
export function formatInstantInText(instant: string | Date, now: Date = new Date()): string {
  const at = new Date(instant);
  return today(at) === today(now) ? `today ${formatTime(at)}` : formatDate(at);
}

/** The day of an instant in the reader's zone, today's too: "20 Nov 2026". */
export function formatDate(instant: string | Date): string {
  return formatDay(today(new Date(instant)));
}

/** The time of an instant in the reader's zone, where something else gives the day: "10:42". */
export function formatTime(instant: string | Date): string {
  const at = new Date(instant);
  return `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

/** An instant with its time, for tooltips and lists that need both: "20 Nov 2026, 10:42". */
export function formatInstantLong(instant: string | Date): string {
  return `${formatDate(instant)}, ${formatTime(instant)}`;
}

/** Up to two initials, upper case: first and last word of the name, without what stands in brackets. "?" when there is no letter or digit. */
export function initials(name: string): string {
  const known = knownInitials.get(name);
  if (known !== undefined) return known;
  const made = initialsOf(name);
  // Bounded: a name is a person's own text, and a page may stay open for weeks.
  if (knownInitials.size >= 2_000) knownInitials.clear();
  knownInitials.set(name, made);
  return made;
}

/** A board shows a few people some hundred times, and cutting by grapheme costs more than the rest of a card. */
const knownInitials = new Map<string, string>();

function initialsOf(name: string): string {
  const bare = name.replace(/\([^)]*\)/g, " ");
  const label = bare.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu) ?? [];
  const picked = label.length > 1 ? [label[0], label[label.length - 1]] : label;
  const letters = picked.map((word) => firstGrapheme(word ?? "")).join("");
  return letters.toLocaleUpperCase("en-GB") || "?";
}

/** A count for a badge: above 99 it is "99+". */
export function formatCount(count: number): string {
  return count > 99 ? "99+" : String(count);
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
