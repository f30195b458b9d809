import type { History, MessageRow, Operation, Rows, Violation } from "./history";

/** What must hold between calls and rows, whatever any screen showed. */
export function checkRows(history: History, rows: Rows): Violation[] {
  const tries = triesByKey(history);
  return [
    ...checkKeys(tries, rows),
    ...checkAcknowledged(tries, rows),
    ...checkStored(tries, rows),
    ...checkNumbers(rows),
    ...checkRealTime(tries, rows),
    ...checkReadMarks(history, rows),
    ...checkRefusals(history),
  ];
}

type Tries = ReadonlyMap<string, readonly Operation[]>;

/** All attempts to send a message, by sender and key. */
function triesByKey({ entries }: History): Tries {
  const tries = new Map<string, Operation[]>();
  for (const entry of entries) {
    if (entry.type !== "operation" || (entry.operation !== "send" && entry.operation !== "start")) continue;
    const key = `${entry.personId} ${entry.key}`;
    tries.set(key, [...(tries.get(key) ?? []), entry]);
  }
  return tries;
}

const keyOf = ({ senderId, key }: MessageRow) => `${senderId} ${key}`;
const positionOf = ({ conversationId, seq }: { conversationId: string; seq: number }) => `${seq} of ${conversationId}`;

function checkKeys(tries: Tries, { messages }: Rows): Violation[] {
  const twice = (nameOf: (row: MessageRow) => string) => {
    const counts = new Map<string, number>();
    for (const row of messages) counts.set(nameOf(row), (counts.get(nameOf(row)) ?? 0) + 1);
    return [...counts].filter(([, count]) => count > 1);
  };
  const keys = twice(keyOf).map(
    ([key, count]) => `key ${key} has ${count} rows (${tries.get(key)?.length ?? 0} tries)`,
  );
  const labels = twice(({ label }) => label).map(([label, count]) => `"${label}" has ${count} rows`);
  return [...keys, ...labels].map((detail) => ({ kind: "doubled", detail }));
}

/** An acknowledged message is stored as it was written, where the answer said. */
function checkAcknowledged(tries: Tries, { messages }: Rows): Violation[] {
  const rows = new Map(messages.map((row) => [keyOf(row), row]));
  return [...tries].flatMap(([key, attempts]): Violation[] =>
    attempts.flatMap(({ outcome, label, answer, tab, end }): Violation[] => {
      if (outcome !== "ok") return [];
      const row = rows.get(key);
      const what = `"${label}" of ${tab}, acknowledged at ${end}`;
      if (!row) return [{ kind: "lost", detail: `${what}, has no row` }];
      if (row.label !== label) return [{ kind: "changed", detail: `${what}, is stored as "${row.label}"` }];
      if (answer && positionOf(answer) !== positionOf(row)) {
        return [{ kind: "changed", detail: `${what} as ${positionOf(answer)}, is stored as ${positionOf(row)}` }];
      }
      return [];
    }),
  );
}

/** A stored message was written by its sender, to that partner, and not refused. */
function checkStored(tries: Tries, { messages, conversations }: Rows): Violation[] {
  const people = new Map(conversations.map(({ id, personIds }) => [id, personIds]));
  return messages.flatMap((row): Violation[] => {
    const written = (tries.get(keyOf(row)) ?? []).filter(({ label }) => label === row.label);
    const [first] = written;
    const what = `"${row.label}", ${positionOf(row)}`;
    if (!first) return [{ kind: "invented", detail: `${what}, was written by nobody` }];
    if (written.every(({ outcome }) => outcome === "failed")) {
      return [{ kind: "invented", detail: `${what}, is stored although it was refused (${first.code})` }];
    }
    const pair: readonly string[] = people.get(row.conversationId) ?? [];
    const isTheirs = pair.includes(row.senderId) && first.partnerId !== null && pair.includes(first.partnerId);
    return isTheirs ? [] : [{ kind: "foreign", detail: `${what}, lies in a conversation of others` }];
  });
}

/** Numbers count from 1 without gaps. */
function checkNumbers({ conversations, messages }: Rows): Violation[] {
  return conversations.flatMap(({ id, lastSeq }): Violation[] => {
    const seqs = messages.filter(({ conversationId }) => conversationId === id).map(({ seq }) => seq);
    const isWhole = seqs.length === lastSeq && seqs.toSorted((a, b) => a - b).every((seq, at) => seq === at + 1);
    return isWhole ? [] : [{ kind: "lost", detail: `${id} counts up to ${lastSeq} and holds ${seqs.length} messages` }];
  });
}

/** A message first written after another was acknowledged has the higher number. */
function checkRealTime(tries: Tries, { conversations, messages }: Rows): Violation[] {
  return conversations.flatMap(({ id }): Violation[] => {
    const found: Violation[] = [];
    // Of those with higher numbers, the one that was acknowledged first.
    let later = { label: "", end: Number.POSITIVE_INFINITY };
    const rows = messages.filter(({ conversationId }) => conversationId === id);
    for (const row of rows.toSorted((one, other) => other.seq - one.seq)) {
      const attempts = tries.get(keyOf(row)) ?? [];
      const start = Math.min(...attempts.map((attempt) => attempt.start));
      const end = Math.min(...attempts.filter(({ outcome }) => outcome === "ok").map((attempt) => attempt.end));
      if (start > later.end) {
        const detail = `"${row.label}" was begun at ${start}, after "${later.label}" was acknowledged at ${later.end}, and stands before it`;
        found.push({ kind: "reordered", detail });
      }
      if (end < later.end) later = { label: row.label, end };
    }
    return found;
  });
}

/** A read mark is at least where an answer said, and at most where a call asked for. */
function checkReadMarks({ entries }: History, { conversations }: Rows): Violation[] {
  const marks = entries.filter((entry) => entry.type === "operation" && entry.operation === "markRead");
  return conversations.flatMap(({ id, readSeqs }) =>
    Object.entries(readSeqs).flatMap(([personId, readSeq]): Violation[] => {
      const own = marks.filter((mark) => mark.type === "operation" && mark.key === id && mark.personId === personId);
      const seqs = (outcomes: readonly string[]) =>
        own.flatMap((mark) =>
          mark.type === "operation" && outcomes.includes(mark.outcome) ? [mark.upToSeq ?? 0] : [],
        );
      const min = Math.max(0, ...seqs(["ok"]));
      const max = Math.max(0, ...seqs(["ok", "unknown"]));
      if (readSeq >= min && readSeq <= max) return [];
      const detail = `${personId} has read ${id} up to ${readSeq} by the rows, and between ${min} and ${max} by the calls`;
      return [{ kind: "read mark", detail }];
    }),
  );
}

function checkRefusals({ entries }: History): Violation[] {
  return entries.flatMap((entry): Violation[] => {
    if (entry.type === "stream-end") {
      return [{ kind: "refused", detail: `a stream of ${entry.tab} ended for good at ${entry.at} with ${entry.code}` }];
    }
    if (entry.type !== "operation" || entry.outcome === "unknown") return [];
    const { operation, key, tab, outcome, code, mustFailWith, start } = entry;
    const what = `${operation} ${key} of ${tab} at ${start}`;
    const isExpected = mustFailWith !== null && code === mustFailWith;
    if (outcome === "failed" && !isExpected) return [{ kind: "refused", detail: `${what} was refused: ${code}` }];
    if (outcome === "ok" && mustFailWith === "NOT_FOUND") return [{ kind: "foreign", detail: `${what} was answered` }];
    if (outcome === "ok" && mustFailWith !== null) return [{ kind: "doubled", detail: `${what} was taken` }];
    return [];
  });
}
