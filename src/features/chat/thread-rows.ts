import type { Message } from "@server/contract/views";
import { type CalendarDay, today as dayOf } from "@/lib/format";
import type { ThreadMessage } from "./chat-cache";

/** A message with what stands above it. */
export interface ThreadRow {
  message: ThreadMessage;
  /** The first of its day. */
  day: CalendarDay | null;
  /** The first that was not read when the conversation was opened. */
  isFirstNew: boolean;
  /** Not written right after another one of the same person. */
  startsGroup: boolean;
}

const GROUP_MS = 5 * 60_000;

/**
 * The thread with its date separators, its "New" line and its groups. `newFromSeq`: null without such a line, which is not
 * there either while the first new message is among those that have not been read.
 */
export function rowsOf(
  messages: readonly ThreadMessage[],
  { ownId, newFromSeq }: { ownId: string; newFromSeq: number | null },
): ThreadRow[] {
  const firstNew =
    newFromSeq === null || (messages[0]?.seq ?? 0) > newFromSeq
      ? undefined
      : messages.find(({ seq, senderId }) => seq !== null && seq >= newFromSeq && senderId !== ownId);
  return messages.map((message, at) => {
    const before = messages[at - 1];
    const day = dayOf(new Date(message.timestamp));
    const isNewDay = !before || dayOf(new Date(before.timestamp)) !== day;
    const isFirstNew = message === firstNew;
    return {
      message,
      day: isNewDay ? day : null,
      isFirstNew,
      startsGroup: isNewDay || isFirstNew || !before || !goesTogether(before, message),
    };
  });
}

const MAX_LINES = 20;

/**
 * What the other one has said since one came, at most 20 of them and then from none on: a list that only grows would be read
 * out again from its beginning by some screen readers. `messages` by seq.
 */
export function linesToRead(
  messages: readonly Message[],
  { newAfterSeq, ownId }: { newAfterSeq: number; ownId: string },
): readonly Message[] {
  const firstNew = messages.findLastIndex(({ seq }) => seq <= newAfterSeq) + 1;
  const lines = messages.slice(firstNew).filter(({ senderId }) => senderId !== ownId);
  return lines.slice(lines.length - (((lines.length - 1) % MAX_LINES) + 1));
}

function goesTogether(before: ThreadMessage, message: ThreadMessage): boolean {
  const apartMs = Date.parse(message.timestamp) - Date.parse(before.timestamp);
  return before.senderId === message.senderId && apartMs < GROUP_MS;
}
