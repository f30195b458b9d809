import { ACCOUNT_TYPE_LABELS } from "@server/contract/labels";
import { CHAT_MESSAGES } from "@server/contract/messages/chat";
import type { Conversation } from "@server/contract/views";
import { isWebUrl } from "@server/contract/web-url";
import { type CalendarDay, today as dayOf, daysBetween, formatDate, formatTime } from "@/lib/format";
import { graphemesOf } from "@/lib/graphemes";
import { lazily } from "@/lib/lazily";

const PREVIEW_LENGTH = 30;
const weekdayFormat = lazily(() => new Intl.DateTimeFormat("en-GB", { weekday: "short" }));
const longWeekdayFormat = lazily(() => new Intl.DateTimeFormat("en-GB", { weekday: "long" }));
const dayFormat = lazily(
  () => new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" }),
);

/** The first 30 letters on one line, then "...". Never cuts a letter or emoji in two. */
export function previewOf(text: string): string {
  let preview = "";
  let length = 0;
  for (const letter of graphemesOf(text.replace(/\s+/g, " "))) {
    if (length === PREVIEW_LENGTH) return `${preview.trimEnd()}...`;
    preview += letter;
    length += 1;
  }
  return preview;
}

/** In the list: "10:42" today, "Wed" within six days, else "14 Nov", with the year if it is not this one. */
export function formatListTime(timestamp: string, today: CalendarDay): string {
  const at = new Date(timestamp);
  const day = dayOf(at);
  if (day === today) return formatTime(at);
  const days = daysBetween(day, today);
  if (days > 0 && days < 7) return weekdayFormat().format(at);
  const date = formatDate(at);
  return day.slice(0, 4) === today.slice(0, 4) ? date.slice(0, -" 2026".length) : date;
}

/** Above the messages of a day: "Today", "Yesterday", "Wednesday, 18 November", with the year if it is not this one. */
export function formatDay(day: CalendarDay, today: CalendarDay): string {
  const days = daysBetween(day, today);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  const parts = dayFormat().formatToParts(Date.parse(day));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  const date = `${part("weekday")}, ${part("day")} ${part("month")}`;
  return day.slice(0, 4) === today.slice(0, 4) ? date : `${date} ${day.slice(0, 4)}`;
}

/** Until when somebody covers, after "until": "18:30" today, "tomorrow", "Friday" within a week, else "4 Dec 2026". */
export function formatUntil(until: string, today: CalendarDay): string {
  const at = new Date(until);
  const days = daysBetween(today, dayOf(at));
  if (days <= 0) return formatTime(at);
  if (days === 1) return "tomorrow";
  return days < 7 ? longWeekdayFormat().format(at) : formatDate(at);
}

/** The accessible name of a row in the list: "Meera Rao, client, 2 unread, last message Can we move…, online". */
export function conversationName(
  { otherUser, unreadCount, lastMessage, coversFor }: Conversation,
  { isOnline = false }: { isOnline?: boolean } = {},
): string {
  return [
    otherUser.name,
    ACCOUNT_TYPE_LABELS[otherUser.accountType].toLowerCase(),
    coversFor && `you cover for ${coversFor.name}`,
    unreadCount > 0 && CHAT_MESSAGES.unread(unreadCount),
    lastMessage && `last message ${previewOf(lastMessage.text)}`,
    isOnline && "online",
  ]
    .filter(Boolean)
    .join(", ");
}

/** Splits the text into web addresses and the rest. Joined, the pieces are the text. */
export function withLinks(text: string): { text: string; href: string | null }[] {
  const pieces: { text: string; href: string | null }[] = [];
  let from = 0;
  for (const match of text.matchAll(/\bhttps?:\/\/[^\s<>"]+/gi)) {
    const address = trimAddress(match[0]);
    if (!isWebUrl(address)) continue;
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), href: null });
    pieces.push({ text: address, href: address });
    from = match.index + address.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), href: null });
  return pieces;
}

/** Leaves out the punctuation after an address, and a bracket that was opened before it. */
function trimAddress(address: string): string {
  const bare = address.replace(/[.,;:!?'’”*_~]+$/, "");
  return bare.endsWith(")") && !bare.includes("(") ? trimAddress(bare.slice(0, -1)) : bare;
}
