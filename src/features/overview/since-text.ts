import type { ChangeKind } from "@server/contract/overview";
import type { SinceLastVisit } from "@server/contract/views";
import { type CalendarDay, formatDay, formatTime } from "@/lib/format";

const DAY_MS = 86_400_000;
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** In the order of the sentence: one thing, and several. Clients get words without the trade's own. */
const TEXTS: Record<ChangeKind, { firm: [one: string, several: string]; client: [one: string, several: string] }> = {
  tasksDone: { firm: ["task done", "tasks done"], client: ["task finished", "tasks finished"] },
  datesMoved: { firm: ["date moved", "dates moved"], client: ["date moved", "dates moved"] },
  commits: { firm: ["commit", "commits"], client: ["code change", "code changes"] },
  messages: { firm: ["message", "messages"], client: ["message", "messages"] },
};

export type Side = "firm" | "client";

/** The parts of the sentence, without those of which there is nothing. */
export function partsOf(news: SinceLastVisit, side: Side): { kind: ChangeKind; text: string }[] {
  const kinds: ChangeKind[] = ["tasksDone", "datesMoved", "commits", "messages"];
  return kinds.flatMap((kind) => {
    const count = news[kind]?.count ?? 0;
    return count > 0 ? [{ kind, text: describeCount(kind, { count, side }) }] : [];
  });
}

/** "3 tasks done", for a client "3 tasks finished". */
export function describeCount(kind: ChangeKind, { count, side }: { count: number; side: Side }): string {
  const [one, several] = TEXTS[kind][side];
  return `${count.toLocaleString("en-GB")} ${count === 1 ? one : several}`;
}

/** "10:42" of today, "yesterday", "Tuesday" within six days, else "14 Nov", with the year if it is not this one. */
export function describeSince(since: Date, { today, day }: { today: CalendarDay; day: CalendarDay }): string {
  const days = Math.round((Date.parse(today) - Date.parse(day)) / DAY_MS);
  if (days <= 0) return formatTime(since);
  if (days === 1) return "yesterday";
  if (days < 7) return WEEKDAYS[new Date(day).getUTCDay()] ?? day;
  return formatDay(day).replace(` ${today.slice(0, 4)}`, "");
}

const KINDS = Object.keys(TEXTS);

/** `tasksDone,2026-11-17T18:02:11.412Z`, as it stands in an address. */
export function toAddress({ kind, since }: { kind: ChangeKind; since: string }): string {
  return `${kind},${since}`;
}

/** Null for anything else. */
export function fromAddress(text: string | null): { kind: ChangeKind; since: string } | null {
  const [kind, since, ...rest] = text?.split(",") ?? [];
  if (!kind || !since || rest.length > 0 || !isKind(kind) || !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(since)) return null;
  return Number.isNaN(Date.parse(since)) ? null : { kind, since };
}

function isKind(text: string): text is ChangeKind {
  return KINDS.includes(text);
}
