import { checkRead, discussionDifferences } from "./check-discussions";
import { checkOverviews } from "./check-overviews";
import type { AtRest, ConversationRow, History, MessageRow, Screen, ThreadView, Violation } from "./history";

const MAX_NAMED = 5;

/** Once all faults have healed, every screen matches the rows, within the bound. */
export function checkAtRest(history: History, atRest: AtRest): Violation[] {
  const { at, screens, rows, reads, overviews } = atRest;
  const { people } = history;
  return [
    ...screens.flatMap((screen) => differences(screen, { rows, at, people })),
    ...reads.flatMap((read) => checkRead(read, { rows, people, where: `at ${at}` })),
    ...checkOverviews(overviews.reads, { rows: overviews.rows, people }),
    ...screens.flatMap((screen) => checkTime(history, atRest, screen)),
  ];
}

/** The one violation of a round that was given up before it came to rest, with the first few things that were pending. */
export function checkRest({ people }: History, { at, rows, screens }: AtRest): Violation {
  const pending = screens.flatMap((screen) => differences(screen, { rows, at, people }));
  const first = pending.slice(0, MAX_NAMED).map(({ detail }) => detail);
  const counted = `${pending.length} differences between screens and rows`;
  return { kind: "late", detail: [`the round had not come to rest at ${at}: ${counted}`, ...first].join("; ") };
}

/** Where a screen differs from the rows. */
export function differences(
  screen: Screen,
  { rows, at, people }: Pick<AtRest, "rows" | "at"> & Pick<History, "people">,
): Violation[] {
  const own = rows.conversations.filter(({ personIds }) => personIds.includes(screen.personId));
  const where = `${screen.tab} at ${at}`;
  const thread = screen.thread;
  const row = own.find(({ personIds }) => thread !== null && personIds.includes(thread.partnerId));
  return [
    ...compareInbox({ screen, own, messages: rows.messages, where }),
    ...discussionDifferences(screen, { rows, people, where }),
    ...(thread && row ? compareThread({ screen, thread, row, messages: rows.messages, where }) : []),
    ...(thread && !row && thread.items.length > 0
      ? [{ kind: "lost" as const, detail: `${where} shows ${thread.items.length} messages of no conversation` }]
      : []),
  ];
}

type InboxCase = { screen: Screen; own: readonly ConversationRow[]; messages: readonly MessageRow[]; where: string };

function compareInbox({ screen: { inbox, personId, unreadTotal }, own, messages, where }: InboxCase): Violation[] {
  const found: Violation[] = [];
  for (const { id } of inbox) {
    if (!own.some((row) => row.id === id)) found.push({ kind: "foreign", detail: `${where} lists ${id}, not theirs` });
  }
  let total = 0;
  for (const row of own) {
    const line = inbox.find(({ id }) => id === row.id);
    const readSeq = row.readSeqs[personId] ?? 0;
    const unread = messages.filter(
      ({ conversationId, seq, senderId }) => conversationId === row.id && seq > readSeq && senderId !== personId,
    ).length;
    total += unread;
    if (!line) found.push({ kind: "lost", detail: `${where} does not list ${row.id}` });
    else if (line.lastSeq !== row.lastSeq) {
      found.push({
        kind: "lost",
        detail: `${where} lists ${row.id} up to ${line.lastSeq}, the rows go to ${row.lastSeq}`,
      });
    } else if (line.unread !== unread) {
      found.push({ kind: "unread", detail: `${where} counts ${line.unread} unread in ${row.id}, the rows ${unread}` });
    }
  }
  if (total !== unreadTotal)
    found.push({ kind: "unread", detail: `${where} counts ${unreadTotal} in all, not ${total}` });
  if (!isNewestFirst(inbox.map(({ id }) => own.find((row) => row.id === id)?.updatedAtMs ?? 0))) {
    found.push({ kind: "reordered", detail: `${where} does not list the newest conversation first` });
  }
  return found;
}

function isNewestFirst(times: readonly number[]): boolean {
  return times.every((time, at) => time <= (times[at - 1] ?? Number.POSITIVE_INFINITY));
}

type ThreadCase = {
  screen: Screen;
  thread: ThreadView;
  row: ConversationRow;
  messages: readonly MessageRow[];
  where: string;
};

function compareThread({ screen: { personId }, thread, row, messages, where }: ThreadCase): Violation[] {
  const shown = new Map(thread.items.flatMap((item) => (item[0] === null ? [] : [[item[0], item] as const])));
  const first = thread.isWhole ? 1 : Math.min(...shown.keys());
  const stored = messages.filter(({ conversationId, seq }) => conversationId === row.id && seq >= first);
  const readSeq = Math.max(
    ...Object.entries(row.readSeqs).flatMap(([reader, seq]) => (reader === personId ? [] : [seq])),
  );
  const waiting = thread.items.filter(([seq]) => seq === null);
  return [
    ...stored.flatMap(({ seq, label, senderId }): Violation[] => {
      const item = shown.get(seq);
      if (!item) return [{ kind: "lost", detail: `"${label}" (${seq}) is not on ${where}` }];
      if (item[1] !== label) return [{ kind: "changed", detail: `${seq} is "${label}", on ${where} "${item[1]}"` }];
      if (senderId !== personId || (item[2] === "read") === seq <= readSeq) return [];
      return [{ kind: "tick", detail: `"${label}" (${seq}) is ${item[2]} on ${where}, and read up to ${readSeq}` }];
    }),
    ...[...shown.keys()].flatMap((seq): Violation[] =>
      seq <= row.lastSeq ? [] : [{ kind: "invented", detail: `${where} shows ${seq}, the rows go to ${row.lastSeq}` }],
    ),
    ...waiting.map(([, label]): Violation => ({ kind: "lost", detail: `"${label}" still waits on ${where}` })),
  ];
}

/** A screen must be right within the bound after the faults healed, its connection was back and the last call was answered. */
function checkTime({ entries }: History, atRest: AtRest, { tab }: Screen): Violation[] {
  let since = atRest.healedAt;
  let changedAt = 0;
  for (const entry of entries) {
    if (entry === atRest) break;
    if (entry.type === "operation" && entry.operation !== "probe") since = Math.max(since, entry.end);
    if (entry.type === "connection" && entry.tab === tab && entry.isOpen) since = Math.max(since, entry.at);
    const isDisplay = entry.type === "thread" || entry.type === "inbox" || entry.type === "discussion";
    if (isDisplay && entry.tab === tab) changedAt = entry.at;
  }
  const lateMs = Math.round(changedAt - since);
  if (lateMs <= atRest.boundMs) return [];
  return [{ kind: "late", detail: `${tab} was right ${lateMs} ms after all was healed, not ${atRest.boundMs}` }];
}
