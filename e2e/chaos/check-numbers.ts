import type { History, MessageRow, Operation, Violation } from "./history";

/* What holds for messages and comments alike: keys, numbers and their order. */

export type Tries = ReadonlyMap<string, readonly Operation[]>;

/** All attempts to send a message or a comment, by sender and key. */
export function triesByKey({ entries }: History, operations: readonly Operation["operation"][]): Tries {
  const tries = new Map<string, Operation[]>();
  for (const entry of entries) {
    if (entry.type !== "operation" || !operations.includes(entry.operation)) continue;
    const key = `${entry.personId} ${entry.key}`;
    tries.set(key, [...(tries.get(key) ?? []), entry]);
  }
  return tries;
}

export const keyOf = ({ senderId, key }: MessageRow) => `${senderId} ${key}`;

/** Each key and each text stands in one row. */
export function checkKeys(tries: Tries, messages: readonly MessageRow[]): Violation[] {
  const twice = (nameOf: (row: MessageRow) => string) => {
    const counts = new Map<string, number>();
    for (const row of messages) counts.set(nameOf(row), (counts.get(nameOf(row)) ?? 0) + 1);
    return [...counts].filter(([, count]) => count > 1);
  };
  const keys = twice(keyOf).map(
    ([key, count]) => `key ${key} has ${count} rows (${tries.get(key)?.length ?? 0} tries)`,
  );
  const labels = twice(({ label }) => label)
    .filter(([label]) => label !== "")
    .map(([label, count]) => `"${label}" has ${count} rows`);
  return [...keys, ...labels].map((detail) => ({ kind: "doubled", detail }));
}

/** Numbers count from 1 without gaps. */
export function checkNumbers(
  places: readonly { id: string; lastSeq: number }[],
  messages: readonly MessageRow[],
): Violation[] {
  return places.flatMap(({ id, lastSeq }): Violation[] => {
    const seqs = messages.filter(({ conversationId }) => conversationId === id).map(({ seq }) => seq);
    const isWhole = seqs.length === lastSeq && seqs.toSorted((a, b) => a - b).every((seq, at) => seq === at + 1);
    return isWhole ? [] : [{ kind: "lost", detail: `${id} counts up to ${lastSeq} and holds ${seqs.length}` }];
  });
}

/** A message first written after another was acknowledged has the higher number. */
export function checkRealTime(tries: Tries, messages: readonly MessageRow[]): Violation[] {
  return [...new Set(messages.map(({ conversationId }) => conversationId))].flatMap((id): Violation[] => {
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
