import { checkKeys, checkNumbers, checkRealTime, keyOf, type Tries, triesByKey } from "./check-numbers";
import type { CommentRow } from "./comment-history";
import type { History, MessageRow, Operation, Participant, Rows, Violation } from "./history";

/** What must hold between calls and the rows of comments. */
export function checkComments(history: History, rows: Rows): Violation[] {
  const tries = triesByKey(history, ["comment"]);
  const numbered = rows.comments.map(asMessage);
  const places = rows.discussions.map(({ taskId, lastSeq }) => ({ id: taskId, lastSeq }));
  const changes = changesOf(history);
  const clientIds = new Set(history.people.filter(({ isClient }) => isClient).map(({ id }) => id));
  return [
    ...checkKeys(tries, numbered),
    ...checkNumbers(places, numbered),
    ...checkRealTime(tries, numbered),
    ...checkAcknowledged(tries, rows, clientIds),
    ...rows.comments.flatMap((row) => [
      ...checkWritten(row, tries.get(keyOf(asMessage(row))) ?? [], clientIds),
      ...checkText(row, tries.get(keyOf(asMessage(row))) ?? [], changes.get(row.id) ?? []),
    ]),
    ...checkClientNumbers(rows),
    ...checkNotifications(history.people, rows),
  ];
}

function asMessage({ taskId, seq, authorId, key, label }: CommentRow): MessageRow {
  return { conversationId: taskId, seq, senderId: authorId, key, label };
}

const nameOf = ({ seq, taskId, label }: CommentRow) => `comment ${seq} of ${taskId} ("${label}")`;

/** Edits and deletions that were not refused, by comment. */
function changesOf({ entries }: History): ReadonlyMap<string, readonly Operation[]> {
  const changes = new Map<string, Operation[]>();
  for (const entry of entries) {
    if (entry.type !== "operation" || (entry.operation !== "edit" && entry.operation !== "delete")) continue;
    if (entry.outcome !== "failed") changes.set(entry.key, [...(changes.get(entry.key) ?? []), entry]);
  }
  return changes;
}

/** An acknowledged comment is stored where the answer said, by the numbers of its author's side. */
function checkAcknowledged(tries: Tries, { comments }: Rows, clientIds: ReadonlySet<string>): Violation[] {
  const rows = new Map(comments.map((row) => [keyOf(asMessage(row)), row]));
  return [...tries].flatMap(([key, attempts]) =>
    attempts.flatMap(({ outcome, label, answer, tab, end }): Violation[] => {
      if (outcome !== "ok") return [];
      const row = rows.get(key);
      const what = `comment "${label}" of ${tab}, acknowledged at ${end}`;
      if (!row) return [{ kind: "lost", detail: `${what}, has no row` }];
      const seq = clientIds.has(row.authorId) ? row.clientSeq : row.seq;
      if (!answer || (answer.placeId === row.taskId && answer.seq === seq)) return [];
      return [{ kind: "changed", detail: `${what} as ${answer.seq} of ${answer.placeId}, is ${nameOf(row)}` }];
    }),
  );
}

/** A stored comment was written by its author, on that task, for those who see it. */
function checkWritten(row: CommentRow, tries: readonly Operation[], clientIds: ReadonlySet<string>): Violation[] {
  const written = tries.filter(({ mustFailWith }) => mustFailWith === null);
  const [first] = written;
  if (!first) return [{ kind: "invented", detail: `${nameOf(row)} was written by nobody` }];
  if (written.every(({ outcome }) => outcome === "failed"))
    return [{ kind: "invented", detail: `${nameOf(row)} is stored although it was refused (${first.code})` }];
  if (first.taskId !== row.taskId)
    return [{ kind: "foreign", detail: `${nameOf(row)} was written on ${first.taskId}` }];
  const visibility = clientIds.has(row.authorId) ? "client" : first.visibility;
  if (visibility === row.visibility) return [];
  return [
    { kind: "foreign", detail: `${nameOf(row)} is for the ${row.visibility}, and was written for the ${visibility}` },
  ];
}

/** Its text is what was written last; a deletion is the last change. */
function checkText(row: CommentRow, tries: readonly Operation[], changes: readonly Operation[]): Violation[] {
  const deletions = changes.filter(({ operation }) => operation === "delete");
  if (row.label === "") {
    return deletions.length > 0 ? [] : [{ kind: "lost", detail: `${nameOf(row)} is gone, and nobody deleted it` }];
  }
  if (deletions.some(({ outcome }) => outcome === "ok")) {
    return [{ kind: "changed", detail: `${nameOf(row)} is there, and its deletion was acknowledged` }];
  }
  const edits = changes.filter(({ operation }) => operation === "edit");
  const acknowledged = edits.filter(({ outcome }) => outcome === "ok");
  const asEdited = edits.find(({ label }) => label === row.label);
  if (!asEdited && !tries.some(({ label }) => label === row.label)) {
    return [{ kind: "invented", detail: `${nameOf(row)} has a text that nobody gave it` }];
  }
  // An edit without an answer may have come late; the first text was there before all edits.
  const end = asEdited ? (asEdited.outcome === "ok" ? asEdited.end : Number.POSITIVE_INFINITY) : 0;
  const later = acknowledged.find(({ start }) => start > end);
  return later ? [{ kind: "changed", detail: `${nameOf(row)} had been changed to "${later.label}" after that` }] : [];
}

/** Clients count what they see from 1, in the order of all, and nothing else moves their numbers. */
function checkClientNumbers({ discussions, comments }: Rows): Violation[] {
  return discussions.flatMap(({ taskId, lastClientSeq }): Violation[] => {
    const own = comments.filter((row) => row.taskId === taskId).toSorted((one, other) => one.seq - other.seq);
    const shown = own.filter(({ visibility }) => visibility === "client");
    const isCounted = shown.every(({ clientSeq }, at) => clientSeq === at + 1) && shown.length === lastClientSeq;
    const hidden = own.filter(({ visibility, clientSeq }) => visibility === "team" && clientSeq !== null);
    return [
      ...(isCounted
        ? []
        : [{ kind: "reordered" as const, detail: `clients do not count ${taskId} from 1 to ${shown.length}` }]),
      ...hidden.map((row) => ({ kind: "foreign" as const, detail: `${nameOf(row)} has a number that clients count` })),
    ];
  });
}

/** Everybody in the project but the author is notified once; of the team's comments no client. */
function checkNotifications(people: readonly Participant[], { comments, notifications }: Rows): Violation[] {
  const counts = new Map<string, number>();
  for (const { userId, commentId } of notifications) {
    const key = `${userId} ${commentId}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return comments.flatMap((row) =>
    people.flatMap(({ id, name, isClient, isInProject }): Violation[] => {
      const mayKnow = isInProject && id !== row.authorId && !(isClient && row.visibility === "team");
      const count = counts.get(`${id} ${row.id}`) ?? 0;
      if (count === (mayKnow ? 1 : 0)) return [];
      return [{ kind: "notified", detail: `${name} was notified ${count} times of ${nameOf(row)}` }];
    }),
  );
}
