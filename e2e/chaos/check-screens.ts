import type {
  Delivered,
  History,
  InboxDisplay,
  MessageRow,
  Operation,
  Rows,
  ThreadDisplay,
  Violation,
} from "./history";

/** What every screen must show at any time, even during a fault. */
export function checkScreens(history: History, rows: Rows): Violation[] {
  const known = learn(history, rows);
  const before = new Map<string, ThreadDisplay>();
  return history.entries.flatMap((entry): Violation[] => {
    if (entry.type === "inbox") return checkInbox(entry, known);
    if (entry.type === "delivered") return checkDelivered(entry);
    if (entry.type !== "thread") return [];
    const line = `${entry.tab} ${entry.life} ${entry.visit} ${entry.thread.conversationId}`;
    const earlier = before.get(line);
    before.set(line, entry);
    return [
      ...checkOrder(entry),
      ...checkBelonging(entry, known),
      ...checkTicks(entry, known),
      ...(earlier ? checkContinuity(earlier, entry, known) : []),
    ];
  });
}

/** A stream delivers every number once, in order, whatever happens to its connection. */
function checkDelivered({ tab, at, conversationId, seq, previousSeq }: Delivered): Violation[] {
  if (seq === previousSeq + 1) return [];
  const detail = `the stream of ${tab} told ${seq} of ${conversationId} after ${previousSeq} at ${at}`;
  return [{ kind: seq > previousSeq ? "lost" : "doubled", detail }];
}

interface Known {
  /** Who takes part, by conversation. */
  pairs: ReadonlyMap<string, readonly string[]>;
  rows: ReadonlyMap<string, MessageRow>;
  rowsByLabel: ReadonlyMap<string, MessageRow>;
  marks: readonly Operation[];
}

function learn({ entries }: History, { conversations, messages }: Rows): Known {
  return {
    pairs: new Map(conversations.map(({ id, personIds }) => [id, personIds])),
    rows: new Map(messages.map((row) => [`${row.conversationId} ${row.seq}`, row])),
    rowsByLabel: new Map(messages.map((row) => [row.label, row])),
    marks: entries.flatMap((entry) => (entry.type === "operation" && entry.operation === "markRead" ? [entry] : [])),
  };
}

const whereOf = ({ tab, life, at }: { tab: string; life: number; at: number }) => `${tab} (life ${life}) at ${at}`;

function checkInbox(display: InboxDisplay, { pairs, rows }: Known): Violation[] {
  const { inbox, personId } = display;
  const where = `the list of ${whereOf(display)}`;
  const doubled = new Set(inbox.map(({ partnerId }) => partnerId)).size < inbox.length;
  return [
    ...(doubled ? [{ kind: "doubled" as const, detail: `${where} shows a conversation twice` }] : []),
    ...inbox.flatMap(({ id, partnerId, unread, lastSeq, lastLabel }): Violation[] => {
      const pair = pairs.get(id) ?? [];
      if (!pair.includes(personId) || !pair.includes(partnerId)) {
        return [{ kind: "foreign", detail: `${where} shows ${id}, which is not theirs` }];
      }
      const last = rows.get(`${id} ${lastSeq}`)?.label ?? null;
      if (last !== lastLabel) {
        return [
          { kind: "changed", detail: `${where} says that ${lastSeq} of ${id} is "${lastLabel}", the row "${last}"` },
        ];
      }
      const max = [...rows.values()].filter((row) => row.conversationId === id && row.senderId !== personId).length;
      if (unread >= 0 && unread <= max) return [];
      return [{ kind: "unread", detail: `${where} counts ${unread} unread in ${id}, of ${max} there ever were` }];
    }),
  ];
}

/** By number, each once, then unacknowledged messages. */
function checkOrder(display: ThreadDisplay): Violation[] {
  const { items } = display.thread;
  const found: Violation[] = [];
  const labels = new Set<string>();
  let highest = 0;
  for (const [seq, label] of items) {
    const what = `"${label}" (${seq ?? "unsent"}) on ${whereOf(display)}`;
    if (labels.has(label)) found.push({ kind: "doubled", detail: `${what} is shown twice` });
    labels.add(label);
    if ((seq ?? Number.POSITIVE_INFINITY) < highest)
      found.push({ kind: "reordered", detail: `${what} stands too low` });
    highest = Math.max(highest, seq ?? Number.POSITIVE_INFINITY);
  }
  return found;
}

/** A message with a number is stored under it, in a conversation of the viewer. */
function checkBelonging(display: ThreadDisplay, { pairs, rows, rowsByLabel }: Known): Violation[] {
  const { personId, thread } = display;
  const { conversationId, partnerId } = thread;
  const pair = conversationId === null ? null : (pairs.get(conversationId) ?? []);
  if (pair && !(pair.includes(personId) && pair.includes(partnerId))) {
    return [{ kind: "foreign", detail: `${whereOf(display)} shows ${conversationId}, which is not theirs` }];
  }
  return thread.items.flatMap(([seq, label]): Violation[] => {
    if (seq === null) return [];
    const row = rowsByLabel.get(label);
    const what = `"${label}" (${seq}) on ${whereOf(display)}`;
    if (!row) return [{ kind: "lost", detail: `${what} has no row` }];
    if (row.conversationId !== conversationId)
      return [{ kind: "foreign", detail: `${what} is of ${row.conversationId}` }];
    if (row.seq !== seq) return [{ kind: "changed", detail: `${what} is number ${row.seq} by the rows` }];
    return rows.has(`${conversationId} ${seq}`) ? [] : [{ kind: "lost", detail: `${what} has no row` }];
  });
}

/** Two ticks need a `markRead` call that had begun. */
function checkTicks(display: ThreadDisplay, { marks, rowsByLabel }: Known): Violation[] {
  const { personId, at, thread } = display;
  const highest = Math.max(
    0,
    ...thread.items.flatMap(([seq, label, state]) =>
      state === "read" && rowsByLabel.get(label)?.senderId === personId ? [seq ?? Number.POSITIVE_INFINITY] : [],
    ),
  );
  const readUpTo = marks.reduce(
    (max, { key, personId: reader, start, upToSeq }) =>
      key === thread.conversationId && reader !== personId && start <= at ? Math.max(max, upToSeq ?? 0) : max,
    0,
  );
  if (highest <= readUpTo) return [];
  const detail = `${whereOf(display)} shows two ticks at ${highest}, when nobody had read beyond ${readUpTo}`;
  return [{ kind: "tick", detail }];
}

/** While a conversation is open, messages and second ticks stay, except above the first message shown. */
function checkContinuity(earlier: ThreadDisplay, now: ThreadDisplay, { rowsByLabel }: Known): Violation[] {
  const states = new Map(now.thread.items.flatMap(([seq, , state]) => (seq === null ? [] : [[seq, state] as const])));
  const first = Math.min(...states.keys());
  return earlier.thread.items.flatMap(([seq, label, state]): Violation[] => {
    if (seq === null || seq < first) return [];
    const what = `"${label}" (${seq})`;
    if (!states.has(seq)) return [{ kind: "vanished", detail: `${what} has gone from ${whereOf(now)}` }];
    const isOwn = rowsByLabel.get(label)?.senderId === now.personId;
    const isUnread = isOwn && state === "read" && states.get(seq) !== "read";
    return isUnread ? [{ kind: "tick", detail: `${what} has lost a tick on ${whereOf(now)}` }] : [];
  });
}
