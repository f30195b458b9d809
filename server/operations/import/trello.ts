import type { TaskStatus } from "@db/enums";
import * as z from "zod/mini";
import type { ImportRecord } from "./document";
import { readJsonParts } from "./json-parts";
import { changed, type ImportNote, type Subject, storable, unmatched } from "./notes";
import { flag, TRELLO_PATHS, type TrelloBoard, text } from "./trello-board";

/** What the person who imports says of a board. */
export interface TrelloMapping {
  /** By the id of a list. */
  statuses: ReadonlyMap<string, TaskStatus>;
  /** Emails by the id of a member. */
  emails: ReadonlyMap<string, string>;
  /** In which a moment's day is counted: Trello keeps no days. */
  timeZone: string;
}

const cardSchema = z.object({
  id: z.string(),
  name: text,
  desc: text,
  closed: flag,
  due: z.catch(z.nullable(z.string()), null),
  start: z.catch(z.nullable(z.string()), null),
  dueComplete: flag,
  idList: text,
  idMembers: z.catch(z.array(z.string()), []),
  labels: z.catch(z.array(z.object({ name: text, color: z.catch(z.nullable(z.string()), null) })), []),
  attachments: z.catch(z.array(z.unknown()), []),
  customFieldItems: z.catch(z.array(z.unknown()), []),
});

type Card = z.infer<typeof cardSchema>;

/**
 * A board as something to import: its members, itself as a project, and its cards as tasks. Cards in the archive are completed
 * tasks. What a task has no place for is noted: labels, attachments, comments, start dates and other changes.
 */
export async function* readTrelloRecords(
  chunks: AsyncIterable<Uint8Array>,
  { board, mapping }: { board: TrelloBoard; mapping: TrelloMapping },
): AsyncGenerator<ImportRecord[]> {
  yield [...board.members.map((member) => memberOf(member, mapping)), projectOf(board), ...boardNotes(board)];
  const cards = readJsonParts<ImportRecord[]>(chunks, {
    paths: TRELLO_PATHS,
    partOf: ([collection, place], value) =>
      collection === "cards" && place !== undefined ? cardRecords(value, { place, board, mapping }) : null,
  });
  for await (const records of cards) yield records.flat();
}

function memberOf({ id, name }: TrelloBoard["members"][number], { emails }: TrelloMapping): ImportRecord {
  return {
    kind: "member",
    id: storable(id),
    parentId: "",
    value: { name: storable(name), email: emails.get(id) ?? null },
  };
}

/** Everybody who may change the board is on the project, and its admins manage it. */
function projectOf({ id, name, description, isClosed, members }: TrelloBoard): ImportRecord {
  const managers = members.flatMap((member) => (member.role === "admin" ? member.id : []));
  const assignedTo = members.flatMap((member) => (member.role === "observer" ? [] : member.id));
  const status = isClosed ? "completed" : "inProgress";
  const value = {
    title: name,
    description,
    status,
    managers,
    assignedTo,
    createdBy: managers[0],
    createdAt: madeAt(id),
  };
  return { kind: "project", id, parentId: "", value };
}

function boardNotes({ id, members, otherActions, unreadable }: TrelloBoard): ImportRecord[] {
  const observers = members.filter(({ role }) => role === "observer");
  const history = { kind: "collection", id: "actions" } as const;
  const notes = [
    ...observers.map(({ name }) =>
      unmatched({ kind: "project", id }, "memberships", name, "an observer is not put on the project"),
    ),
    ...unreadable.map((place) =>
      unmatched({ kind: "project", id }, place, null, "it is not of the shape that Trello exports"),
    ),
    ...(otherActions > 0 ? [unmatched(history, "actions", otherActions, "a board's history is not imported")] : []),
  ];
  return notes.map((note) => ({ kind: "left-out", note }));
}

function cardRecords(
  value: unknown,
  { place, board, mapping }: { place: string; board: TrelloBoard; mapping: TrelloMapping },
): ImportRecord[] {
  const read = cardSchema.safeParse(value);
  // What is no card is noted as no object.
  if (!read.success) return [{ kind: "task", id: place, parentId: board.id, value: null }];
  const card = read.data;
  const id = storable(card.id);
  const status = mapping.statuses.get(card.idList) ?? "todo";
  const isArchived = card.closed || board.lists.some((list) => list.id === card.idList && list.isClosed);
  const description = [card.desc, ...(board.checklists.get(card.id) ?? [])].filter((part) => part !== "").join("\n\n");
  const task = {
    title: card.name,
    description,
    status: isArchived ? "completed" : status,
    ...(card.dueComplete && { completed: true }),
    dueDate: card.due === null ? null : dayOf(card.due, mapping.timeZone),
    assignedTo: card.idMembers,
    createdBy: board.creators.get(card.id),
    createdAt: madeAt(card.id),
  };
  const subject: Subject = { kind: "task", id: `${board.id}/${id}` };
  const why = "it is in the archive";
  const archived = isArchived ? [changed(subject, "closed", { from: true, to: "completed", why })] : [];
  const notes = [...archived, ...cardNotes(card, { subject, board })];
  return [
    { kind: "task", id, parentId: board.id, value: task },
    ...notes.map((note) => ({ kind: "left-out", note }) as const),
  ];
}

function cardNotes(card: Card, { subject, board }: { subject: Subject; board: TrelloBoard }): ImportNote[] {
  const { id, idList, labels, attachments, customFieldItems, start } = card;
  const comments = board.comments.get(id) ?? 0;
  const hasList = board.lists.some((list) => list.id === idList);
  const notes: (ImportNote | null)[] = [
    ...labels.map(({ name, color }) => unmatched(subject, "labels", name || color || "", "tasks have no labels")),
    attachments.length === 0 ? null : unmatched(subject, "attachments", attachments.length, "files are not imported"),
    comments === 0 ? null : unmatched(subject, "comments", comments, "tasks have no comments"),
    customFieldItems.length === 0
      ? null
      : unmatched(subject, "customFieldItems", customFieldItems.length, "tasks have no fields of one's own"),
    hasList ? null : changed(subject, "idList", { from: idList, to: "todo", why: "the board has no such list" }),
    start === null ? null : unmatched(subject, "start", start, "tasks have no start date"),
  ];
  return notes.filter((note) => note !== null);
}

/** When a thing was made: its id begins with the seconds. */
function madeAt(id: string): string | undefined {
  const seconds = Number.parseInt(id.slice(0, 8), 16);
  return /^[0-9a-f]{24}$/.test(id) ? new Date(seconds * 1000).toISOString() : undefined;
}

/** What is no moment stays as it is, and is noted. */
function dayOf(moment: string, timeZone: string): string {
  const ms = Date.parse(moment);
  return Number.isNaN(ms) ? moment : new Intl.DateTimeFormat("sv-SE", { timeZone }).format(ms);
}
