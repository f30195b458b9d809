import { checkComments } from "./check-comments";
import { checkKeys, checkNumbers, checkRealTime, keyOf, type Tries, triesByKey } from "./check-numbers";
import type { History, MessageRow, Operation, Rows, Violation } from "./history";

/** What must hold between calls and rows, whatever any screen showed. */
export function checkRows(history: History, rows: Rows): Violation[] {
  const tries = triesByKey(history, ["send", "start"]);
  return [
    ...checkKeys(tries, rows.messages),
    ...checkAcknowledged(tries, rows),
    ...checkStored(tries, rows),
    ...checkNumbers(rows.conversations, rows.messages),
    ...checkRealTime(tries, rows.messages),
    ...checkReadMarks(history, rows),
    ...checkComments(history, rows),
    ...checkRefusals(history),
  ];
}

const positionOf = ({ conversationId, seq }: Pick<MessageRow, "conversationId" | "seq">) =>
  `${seq} of ${conversationId}`;

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
      const acknowledged = answer && positionOf({ conversationId: answer.placeId, seq: answer.seq });
      if (acknowledged && acknowledged !== positionOf(row)) {
        return [{ kind: "changed", detail: `${what} as ${acknowledged}, is stored as ${positionOf(row)}` }];
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
    const isExpected = (mustFailWith !== null && code === mustFailWith) || isLateEdit(entry, entries);
    if (outcome === "failed" && !isExpected) return [{ kind: "refused", detail: `${what} was refused: ${code}` }];
    if (outcome === "ok" && mustFailWith === "NOT_FOUND") return [{ kind: "foreign", detail: `${what} was answered` }];
    if (outcome === "ok" && mustFailWith !== null) return [{ kind: "doubled", detail: `${what} was taken` }];
    return [];
  });
}

/** A comment that has been deleted, or is being deleted, refuses another text. */
function isLateEdit({ operation, key, code, end }: Operation, entries: History["entries"]): boolean {
  if (operation !== "edit" || code !== "CONFLICT") return false;
  return entries.some(
    (one) => one.type === "operation" && one.operation === "delete" && one.key === key && one.start <= end,
  );
}
