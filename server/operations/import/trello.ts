import type { TaskStatus } from "@db/enums";
import * as z from "zod/mini";
import type { ImportRecord } from "./document";
import { dayIn } from "./fields";
import { readJsonParts } from "./json-parts";
import { changed, type ImportNote, type Subject, storable, unmatched } from "./notes";
import { flag, TRELLO_PATHS, type TrelloBoard, type TrelloComment, text } from "./trello-board";
import { labelsOf } from "./trello-labels";

/** What the person who imports says of a board. */
export interface TrelloMapping {
  /** By the id of a list. */
  statuses: ReadonlyMap<string, TaskStatus>;
  /** Emails by the id of a member. */
  emails: ReadonlyMap<string, string>;
  /** In which a moment's day is counted: Trello keeps no days. */
  timeZone: string;
}

const many = z.catch(z.array(z.unknown()), []);
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
  attachments: z.catch(z.array(z.object({ name: text, url: text, isUpload: flag })), []),
  customFieldItems: many,
  pluginData: many,
  idMembersVoted: many,
  address: z.catch(z.nullable(z.string()), null),
  locationName: z.catch(z.nullable(z.string()), null),
  badges: z.catch(z.object({ comments: z.catch(z.number(), 0) }), { comments: 0 }),
});

type Card = z.infer<typeof cardSchema>;

/**
 * A board as something to import: its members, itself as a project, and its cards as tasks with their labels and, for the team, their
 * comments. Cards in the archive are completed tasks. What a task has no place for is noted, such as uploads, start dates and votes.
 */
export async function* readTrelloRecords(
  chunks: AsyncIterable<Uint8Array>,
  { board, mapping }: { board: TrelloBoard; mapping: TrelloMapping },
): AsyncGenerator<ImportRecord[]> {
  yield [...board.members.map((member) => memberOf(member, mapping)), projectOf(board), ...boardNotes(board)];
  const known = new Set<string>();
  const cards = readJsonParts<ImportRecord[]>(chunks, {
    paths: TRELLO_PATHS,
    partOf: ([collection, place], value) =>
      collection === "cards" && place !== undefined ? cardRecords(value, { place, board, mapping, known }) : null,
  });
  for await (const records of cards) yield records.flat();
  yield board.comments.map((comment) => commentOf(comment, board));
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
      unmatched<string>({ kind: "project", id }, "memberships", name, "an observer is not put on the project"),
    ),
    ...unreadable.map((place) =>
      unmatched<string>({ kind: "project", id }, place, null, "it is not of the shape that Trello exports"),
    ),
    ...(otherActions > 0
      ? [unmatched<string>(history, "actions", otherActions, "a board's history is not imported")]
      : []),
  ];
  return notes.map((note) => ({ kind: "left-out", note }));
}

function cardRecords(
  value: unknown,
  { place, board, mapping, known }: { place: string; board: TrelloBoard; mapping: TrelloMapping; known: Set<string> },
): ImportRecord[] {
  const read = cardSchema.safeParse(value);
  // What is no card is noted as no object.
  if (!read.success) return [{ kind: "task", id: place, parentId: board.id, value: null }];
  const card = read.data;
  const id = storable(card.id);
  const status = mapping.statuses.get(card.idList) ?? "todo";
  const isArchived = card.closed || board.lists.some((list) => list.id === card.idList && list.isClosed);
  const links = card.attachments.filter(isLink).map(({ name, url }) => `- ${name === url ? "" : `${name}: `}${url}`);
  const parts = [card.desc, ...(board.checklists.get(card.id) ?? []), links.join("\n")];
  const description = parts.filter((part) => part !== "").join("\n\n");
  const subject: Subject = { kind: "task", id: `${board.id}/${id}` };
  const { labels, notes: labelNotes } = labelsOf(card.labels, { subject, known });
  const task = {
    title: card.name,
    description,
    status: isArchived ? "completed" : status,
    ...(card.dueComplete && { completed: true }),
    dueDate: card.due === null ? null : dueDay(card.due, mapping.timeZone),
    labels,
    assignedTo: card.idMembers,
    createdBy: board.creators.get(card.id),
    createdAt: madeAt(card.id),
  };
  const why = "it is in the archive";
  const archived = isArchived ? [changed<string>(subject, "closed", { from: true, to: "completed", why })] : [];
  const notes = [...archived, ...labelNotes, ...cardNotes(card, { subject, board })];
  return [
    { kind: "task", id, parentId: board.id, value: task },
    ...notes.map((note) => ({ kind: "left-out", note }) as const),
  ];
}

function cardNotes(card: Card, { subject, board }: { subject: Subject; board: TrelloBoard }): ImportNote[] {
  const { id, idList, attachments, start } = card;
  const lost = card.badges.comments - board.comments.filter(({ cardId }) => cardId === id).length;
  const hasList = board.lists.some((list) => list.id === idList);
  const left = (field: string, value: unknown, why: string) => {
    const isNone = value === null || value === 0 || value === "";
    return isNone ? [] : [unmatched<string>(subject, field, value, why)];
  };
  return [
    ...attachments
      .filter((one) => !isLink(one))
      .map(({ name, url }) =>
        unmatched<string>(subject, "attachments", `${name} ${url}`.trim(), "uploads are not in the export"),
      ),
    ...left("comments", Math.max(lost, 0), "the export holds the latest changes of a board only"),
    ...left("checklists", board.plannedItems.get(id) ?? 0, "items of a checklist have no dates and no people"),
    ...left("customFieldItems", card.customFieldItems.length, "tasks have no fields of one's own"),
    ...left("pluginData", card.pluginData.length, "what power-ups keep is not imported"),
    ...left("idMembersVoted", card.idMembersVoted.length, "tasks have no votes"),
    ...left("locationName", card.locationName || card.address, "tasks have no place"),
    ...(hasList
      ? []
      : [changed<string>(subject, "idList", { from: idList, to: "todo", why: "the board has no such list" })]),
    ...left("start", start, "tasks have no start date"),
  ];
}

/** What is attached by its address stays a link. */
function isLink({ url, isUpload }: Card["attachments"][number]): boolean {
  return !isUpload && /^https?:\/\//.test(url);
}

/** For the team, as everything on a board is. */
function commentOf({ id, cardId, authorId, authorName, text, at }: TrelloComment, board: TrelloBoard): ImportRecord {
  const name = authorName || board.members.find((member) => member.id === authorId)?.name;
  const value = { taskId: storable(cardId), authorId, authorName: name, text, visibility: "team", createdAt: at };
  return { kind: "comment", id: storable(id), parentId: board.id, value };
}

/** When a thing was made: its id begins with the seconds. */
function madeAt(id: string): string | undefined {
  const seconds = Number.parseInt(id.slice(0, 8), 16);
  return /^[0-9a-f]{24}$/.test(id) ? new Date(seconds * 1000).toISOString() : undefined;
}

/** What is no moment stays as it is, and is noted. */
function dueDay(moment: string, timeZone: string): string {
  const ms = Date.parse(moment);
  return Number.isNaN(ms) ? moment : dayIn(ms, timeZone);
}
