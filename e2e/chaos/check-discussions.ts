import type { CommentDelivered, CommentItem, CommentRow, DiscussionRead } from "./comment-history";
import type { AtRest, DiscussionDisplay, History, Rows, Screen, Violation } from "./history";

/** What every open discussion must show at any time, and what its stream may deliver. */
export function checkDiscussions(history: History, rows: Rows): Violation[] {
  const known = learn(history, rows);
  const before = new Map<string, DiscussionDisplay>();
  return history.entries.flatMap((entry): Violation[] => {
    if (entry.type === "comment-delivered") return checkDelivered(entry, known);
    if (entry.type !== "discussion") return [];
    const line = `${entry.tab} ${entry.life} ${entry.visit}`;
    const earlier = before.get(line);
    before.set(line, entry);
    const { items, taskId } = entry.discussion;
    const where = `${entry.tab} (life ${entry.life}) at ${entry.at}`;
    return [
      ...checkOrder(items, where),
      ...items.flatMap((item) => checkItem(item, { ...entry, taskId, where, known })),
      ...(earlier ? checkContinuity(earlier, entry, where) : []),
    ];
  });
}

interface Known {
  rows: ReadonlyMap<string, CommentRow>;
  clientIds: ReadonlySet<string>;
  /** What a comment may be called, by its id: its texts, and nothing once somebody began to delete it. */
  labels: ReadonlyMap<string, ReadonlySet<string>>;
}

function learn({ entries, people }: History, { comments }: Rows): Known {
  const labels = new Map(comments.map(({ id, label }) => [id, new Set([label])]));
  const byKey = new Map(comments.map((row) => [`${row.authorId} ${row.key}`, row.id]));
  for (const entry of entries) {
    if (entry.type !== "operation") continue;
    const { operation, personId, key, label } = entry;
    const id = operation === "comment" ? byKey.get(`${personId} ${key}`) : key;
    if (id !== undefined && operation !== "probe") labels.get(id)?.add(label ?? "");
  }
  return {
    rows: new Map(comments.map((row) => [row.id, row])),
    clientIds: new Set(people.filter(({ isClient }) => isClient).map(({ id }) => id)),
    labels,
  };
}

/** A stream tells each change once, in order, by the numbers of its reader's side. */
function checkDelivered(delivered: CommentDelivered, known: Known): Violation[] {
  const { tab, at, personId, taskId, eventId, previousEventId } = delivered;
  const where = `the stream of ${tab} at ${at}`;
  const side = known.clientIds.has(personId) ? "client" : "team";
  const [change, previous] = [eventId, previousEventId].map((id) => Number(id.replace(`${side}-`, "")));
  const isNext = change !== undefined && previous !== undefined && change > previous;
  const isTwice = change !== undefined && previous !== undefined && change <= previous;
  return [
    ...(isTwice ? [{ kind: "doubled" as const, detail: `${where} told ${eventId} after ${previousEventId}` }] : []),
    ...(isNext || isTwice ? [] : [{ kind: "foreign" as const, detail: `${where} told ${eventId}, not of its side` }]),
    ...checkItem(delivered, { personId, taskId, where, known }),
  ];
}

/** By number, each once, then what is not acknowledged. */
function checkOrder(items: readonly CommentItem[], where: string): Violation[] {
  const found: Violation[] = [];
  const shown = new Set<string>();
  let highest = 0;
  for (const { seq, id, label } of items) {
    const what = `comment "${label}" (${seq ?? "unsent"}) on ${where}`;
    const isTwice = shown.has(id) || (label !== "" && shown.has(label));
    if (isTwice) found.push({ kind: "doubled", detail: `${what} is shown twice` });
    shown.add(id).add(label);
    const place = seq ?? Number.POSITIVE_INFINITY;
    if (place < highest) found.push({ kind: "reordered", detail: `${what} stands too low` });
    highest = Math.max(highest, place);
  }
  return found;
}

interface ItemCase {
  personId: string;
  taskId: string;
  where: string;
  known: Known;
}

/** A comment with a number is stored under it, and its reader may see it. */
function checkItem(
  { seq, id, label, visibility }: CommentItem,
  { personId, taskId, where, known }: ItemCase,
): Violation[] {
  if (seq === null) return [];
  const isClient = known.clientIds.has(personId);
  const row = known.rows.get(id);
  const what = `comment "${label}" (${seq}) on ${where}`;
  if (isClient && (visibility === "team" || row?.visibility === "team"))
    return [{ kind: "foreign", detail: `${what} is the team's` }];
  if (!row) return [{ kind: "lost", detail: `${what} has no row` }];
  if (row.taskId !== taskId) return [{ kind: "foreign", detail: `${what} is of ${row.taskId}` }];
  const number = numberFor(row, isClient);
  if (number !== seq) return [{ kind: "changed", detail: `${what} is number ${number} by the rows` }];
  if (known.labels.get(id)?.has(label)) return [];
  return [{ kind: "invented", detail: `${what} has a text that nobody gave it` }];
}

function numberFor(row: CommentRow, isClient: boolean): number | null {
  return isClient ? row.clientSeq : row.seq;
}

/** While a discussion is open, comments stay, except above the first one shown, and what is deleted stays deleted. */
function checkContinuity(earlier: DiscussionDisplay, now: DiscussionDisplay, where: string): Violation[] {
  const shown = new Map(now.discussion.items.map((item) => [item.id, item]));
  const first = Math.min(...now.discussion.items.flatMap(({ seq }) => seq ?? []));
  return earlier.discussion.items.flatMap(({ seq, id, label }): Violation[] => {
    if (seq === null || seq < first) return [];
    const item = shown.get(id);
    if (!item) return [{ kind: "vanished", detail: `comment "${label}" (${seq}) has gone from ${where}` }];
    const isBack = label === "" && item.label !== "";
    return isBack
      ? [{ kind: "changed", detail: `comment ${seq} was deleted, and is "${item.label}" on ${where}` }]
      : [];
  });
}

/** Where an open discussion, or what its stream alone has brought, differs from the rows. */
export function discussionDifferences(screen: Screen, { rows, people, where }: Compared): Violation[] {
  const { personId, discussion, streamed } = screen;
  if (!discussion || !streamed) return [];
  const { taskId, items, isWhole } = discussion;
  const isClient = people.some((person) => person.id === personId && person.isClient);
  const on = { rows, taskId, isClient };
  const fromSeq = isWhole ? 1 : Math.min(...items.flatMap(({ seq }) => seq ?? []));
  const waiting = items.filter(({ seq }) => seq === null);
  return [
    ...waiting.map(({ label }): Violation => ({ kind: "lost", detail: `comment "${label}" still waits on ${where}` })),
    ...compare(items, { ...on, fromSeq, where }),
    ...compare(streamed.items, { ...on, fromSeq: streamed.fromSeq, where: `the stream of ${where}` }),
  ];
}

interface Compared extends Pick<AtRest, "rows">, Pick<History, "people"> {
  where: string;
}

/** A discussion that was read anew is what its rows are. */
export function checkRead(
  { tab, personId, taskId, items }: DiscussionRead,
  { rows, people, where }: Compared,
): Violation[] {
  const what = `what ${tab} read anew, ${where}`;
  if (items === null) return [{ kind: "refused", detail: `${what}: there was no answer` }];
  const isClient = people.some((person) => person.id === personId && person.isClient);
  return compare(items, { rows, taskId, isClient, fromSeq: 1, where: what });
}

interface Expected extends Pick<AtRest, "rows"> {
  taskId: string;
  isClient: boolean;
  /** From here on all of them are there. */
  fromSeq: number;
  where: string;
}

function compare(items: readonly CommentItem[], { rows, taskId, isClient, fromSeq, where }: Expected): Violation[] {
  const shown = new Map(items.map((item) => [item.id, item]));
  const visible = rows.comments.filter((row) => row.taskId === taskId && numberFor(row, isClient) !== null);
  const ids = new Set(visible.map(({ id }) => id));
  return [
    ...visible.flatMap((row): Violation[] => {
      const seq = numberFor(row, isClient) ?? 0;
      const item = shown.get(row.id);
      if (!item) {
        return seq < fromSeq ? [] : [{ kind: "lost", detail: `comment "${row.label}" (${seq}) is not on ${where}` }];
      }
      if (item.label === row.label && item.seq === seq && item.visibility === row.visibility) return [];
      return [
        { kind: "changed", detail: `comment ${seq} is "${row.label}", on ${where} "${item.label}" (${item.seq})` },
      ];
    }),
    ...items.flatMap(({ seq, id, label }): Violation[] =>
      seq === null || ids.has(id)
        ? []
        : [{ kind: "foreign", detail: `${where} shows "${label}" (${seq}), not theirs` }],
    ),
  ];
}
