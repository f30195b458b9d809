import type { Visibility } from "@db/enums";
import type { CommentDelivered, CommentItem, CommentRow, DiscussionRead, NotificationRow } from "./comment-history";
import { goodHistory, send } from "./good-history";
import type { AtRest, DiscussionDisplay, Entry, History, Operation, Rows } from "./history";

/*
 * The same history with comments on one task: Asha wrote 1 for the team and 3, Meera, the client, 2 and 4, which Meera counts as
 * 1, 2 and 3. Asha edited 3, and Meera deleted 4.
 */

const TASK = "task";
const written: readonly (readonly [authorId: string, visibility: Visibility])[] = [
  ["asha", "team"],
  ["meera", "client"],
  ["asha", "client"],
  ["meera", "client"],
];
const LABELS = ["comment 1", "comment 2", "comment 3, edited", ""];

export const comments: readonly CommentRow[] = written.map(([authorId, visibility], at) => ({
  id: `id ${at + 1}`,
  taskId: TASK,
  seq: at + 1,
  clientSeq: visibility === "client" ? at : null,
  authorId,
  key: `comment key ${at + 1}`,
  label: LABELS[at] ?? "",
  visibility,
}));

/** Each of them was told of what the other wrote and they may see. */
export const notifications: readonly NotificationRow[] = [
  { userId: "asha", commentId: "id 2" },
  { userId: "meera", commentId: "id 3" },
  { userId: "asha", commentId: "id 4" },
];

const rows: Pick<Rows, "discussions" | "comments" | "notifications"> = {
  discussions: [{ taskId: TASK, lastSeq: 4, lastClientSeq: 3 }],
  comments,
  notifications,
};

/** Comment `seq` is written from 10 × seq on and acknowledged 5 later. */
export function comment(seq: number, change: Partial<Operation> = {}): Operation {
  const [personId = "asha", visibility = "team"] = written[seq - 1] ?? [];
  const answer = { placeId: TASK, seq: personId === "meera" ? seq - 1 : seq };
  const said = { key: `comment key ${seq}`, label: `comment ${seq}`, visibility, answer };
  return send(seq, {
    operation: "comment",
    personId,
    tab: `${personId}/1`,
    partnerId: null,
    taskId: TASK,
    ...said,
    ...change,
  });
}

export function edit(seq: number, label: string, change: Partial<Operation> = {}): Operation {
  const said = { operation: "edit", key: `id ${seq}`, label, visibility: null, answer: null } as const;
  return comment(seq, { ...said, start: 46, end: 47, ...change });
}

export function deletion(seq: number, change: Partial<Operation> = {}): Operation {
  return edit(seq, "", { operation: "delete", label: null, ...change });
}

export const calls = (): Operation[] => [
  ...[1, 2, 3, 4].map((seq) => comment(seq)),
  edit(3, "comment 3, edited"),
  deletion(4),
];

/** What a person sees in the end. */
export function shownTo(personId: string): CommentItem[] {
  return comments.flatMap(({ id, seq, clientSeq, label, visibility }) => {
    const number = personId === "meera" ? clientSeq : seq;
    return number === null ? [] : [{ seq: number, id, label, visibility }];
  });
}

export function showing(personId: string, items: readonly CommentItem[]): DiscussionDisplay {
  const discussion = { taskId: TASK, items, isWhole: true };
  return { type: "discussion", tab: `${personId}/1`, personId, life: 0, visit: 1, at: 50, discussion };
}

export function delivered(personId: string, change: Partial<CommentDelivered> = {}): CommentDelivered {
  const side = personId === "meera" ? "client" : "team";
  const [item] = shownTo(personId).filter(({ id }) => id === "id 2");
  if (!item) throw new Error("everybody sees it");
  const ids = { eventId: `${side}-2`, previousEventId: `${side}-1` };
  return {
    type: "comment-delivered",
    tab: `${personId}/1`,
    personId,
    at: 50,
    taskId: TASK,
    ...item,
    ...ids,
    ...change,
  };
}

interface Changes {
  rows?: Partial<Rows>;
  calls?: readonly Operation[];
  early?: readonly Entry[];
  /** What Meera's screen shows in the end. */
  shown?: readonly CommentItem[];
  streamed?: readonly CommentItem[];
  read?: DiscussionRead["items"];
}

export function goodDiscussion(changes: Changes = {}): History {
  const { shown = shownTo("meera"), streamed = shownTo("meera"), read = shownTo("meera") } = changes;
  const history = goodHistory({
    rows: { ...rows, ...changes.rows },
    more: changes.calls ?? calls(),
    early: changes.early ?? [],
  });
  const discussion = { taskId: TASK, items: shown, isWhole: true };
  const entries = history.entries.map((entry): Entry => {
    if (entry.type !== "at-rest") return entry;
    const [asha, vikram] = entry.screens;
    if (!asha || !vikram) throw new Error("there are two screens");
    // Meera's is Asha's, as far as messages go.
    const meera = { ...asha, tab: "meera/1", personId: "meera", thread: null };
    const open = { ...meera, discussion, streamed: { fromSeq: 1, items: streamed } };
    const reads = [{ tab: "meera/1", personId: "meera", taskId: TASK, items: read }];
    return { ...entry, screens: [asha, vikram, open], reads } satisfies AtRest;
  });
  return { ...history, entries };
}
