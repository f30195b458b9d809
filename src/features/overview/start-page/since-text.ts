import type { ChangeKind } from "@server/contract/overview";
import type { SinceLastVisit } from "@server/contract/views";
import { CHANGE_KINDS } from "@/features/overview/since-search";
import { type CalendarDay, daysBetween, formatDay, formatTime, plural } from "@/lib/format";

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** One thing, and several. Clients get words without the trade's own. */
const TEXTS: Record<ChangeKind, { firm: [one: string, several: string]; client: [one: string, several: string] }> = {
  tasksDone: { firm: ["task done", "tasks done"], client: ["task finished", "tasks finished"] },
  datesMoved: { firm: ["date moved", "dates moved"], client: ["date moved", "dates moved"] },
  commits: { firm: ["commit", "commits"], client: ["code change", "code changes"] },
  messages: { firm: ["message", "messages"], client: ["message", "messages"] },
};

export type Side = "firm" | "client";

/** The parts of the sentence, without those of which there is nothing. */
export function partsOf(news: SinceLastVisit, side: Side): { kind: ChangeKind; text: string }[] {
  return CHANGE_KINDS.flatMap((kind) => {
    const count = news[kind]?.count ?? 0;
    return count > 0 ? [{ kind, text: describeCount(kind, { count, side }) }] : [];
  });
}

/** "3 tasks done", for a client "3 tasks finished". */
export function describeCount(kind: ChangeKind, { count, side }: { count: number; side: Side }): string {
  const [one, several] = TEXTS[kind][side];
  return plural(count, one, several);
}

/**
 * "10:42" of today, "yesterday", "Tuesday" within six days, else "14 Nov", with the year if it is not this one. null where the time
 * is not known yet: "today".
 */
export function describeSince(since: Date | null, { today, day }: { today: CalendarDay; day: CalendarDay }): string {
  const days = daysBetween(day, today);
  if (days <= 0) return since ? formatTime(since) : "today";
  if (days === 1) return "yesterday";
  if (days < 7) return WEEKDAYS[new Date(day).getUTCDay()] ?? day;
  return formatDay(day).replace(` ${today.slice(0, 4)}`, "");
}
