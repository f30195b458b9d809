import * as z from "zod/mini";
import { ImportFileError, readJsonParts } from "./json-parts";
import { storable } from "./notes";

/** What is known of a board before its cards are read. */
export interface TrelloBoard {
  id: string;
  name: string;
  description: string;
  isClosed: boolean;
  /** In the order of the file; those in the archive too. */
  lists: { id: string; name: string; isClosed: boolean }[];
  members: { id: string; name: string; username: string; role: string }[];
  /** Of each card, in their order. */
  checklists: Map<string, string[]>;
  /** Of each card that was made lately: the member. */
  creators: Map<string, string>;
  /** The oldest first. */
  comments: TrelloComment[];
  /** Of each card: so many items of its checklists have a date or a person. */
  plannedItems: Map<string, number>;
  /** Changes of the board that the export has besides comments. */
  otherActions: number;
  /** Where something stands that is not of Trello's shape, such as "lists/3". */
  unreadable: string[];
}

/** What somebody wrote on a card. */
export interface TrelloComment {
  id: string;
  cardId: string;
  /** The member, who may have left the board, and their name. */
  authorId: string;
  authorName: string;
  text: string;
  at: string;
}

/** A text; "" where the board has another thing. */
export const text = z.catch(z.string(), "");
/** False where the board has another thing. */
export const flag = z.catch(z.boolean(), false);
const listSchema = z.object({ id: z.string(), name: text, closed: flag });
const memberSchema = z.object({ id: z.string(), fullName: text, username: text });
const membershipSchema = z.object({ idMember: z.string(), memberType: text });
const itemSchema = z.object({
  name: text,
  state: text,
  pos: z.catch(z.number(), 0),
  due: z.catch(z.nullable(z.string()), null),
  idMember: z.catch(z.nullable(z.string()), null),
});
const checklistSchema = z.object({
  idCard: z.string(),
  name: text,
  pos: z.catch(z.number(), 0),
  checkItems: z.catch(z.array(itemSchema), []),
});
const actionSchema = z.object({
  id: text,
  type: z.string(),
  date: text,
  idMemberCreator: text,
  memberCreator: z.catch(z.object({ fullName: text, username: text }), { fullName: "", username: "" }),
  data: z.object({ card: z.object({ id: z.string() }), text }),
});

const COLLECTIONS = ["lists", "members", "memberships", "checklists", "actions", "cards"];
/** Whatever is read, all of them: what stands at none of the paths would stay in memory. */
export const TRELLO_PATHS = ["$", "$.*", ...COLLECTIONS.map((collection) => `$.${collection}.*`)];

/** Reads everything but the cards of a board that Trello has exported as JSON. Throws ImportFileError. */
export async function readTrelloBoard(chunks: AsyncIterable<Uint8Array>): Promise<TrelloBoard> {
  const plain = new Map<string, unknown>();
  const parts: { collection: string; place: string; value: unknown }[] = [];
  const board = emptyBoard();
  const roles = new Map<string, string>();
  const checklists: z.infer<typeof checklistSchema>[] = [];
  const read = readJsonParts(chunks, {
    paths: TRELLO_PATHS,
    partOf([collection, place], value) {
      if (collection === undefined) requireBoard(value, plain);
      else if (place === undefined) plain.set(collection, value);
      else if (collection !== "cards") parts.push({ collection, place, value });
      return null;
    },
  });
  for await (const _ of read);
  const takers: Record<string, (value: unknown) => boolean> = {
    lists: (value) => take(listSchema, value, ({ closed, ...list }) => board.lists.push({ ...list, isClosed: closed })),
    members: (value) =>
      take(memberSchema, value, ({ id, fullName, username }) =>
        board.members.push({ id, name: fullName || username, username, role: "normal" }),
      ),
    memberships: (value) =>
      take(membershipSchema, value, ({ idMember, memberType }) => roles.set(idMember, memberType)),
    checklists: (value) => take(checklistSchema, value, (checklist) => checklists.push(checklist)),
    actions: (value) => takeAction(board, value),
  };
  for (const { collection, place, value } of parts) {
    if (takers[collection]?.(value) === false) board.unreadable.push(`${collection}/${place}`);
  }
  board.comments.sort((one, other) => (one.at < other.at ? -1 : 1));
  for (const member of board.members) member.role = roles.get(member.id) ?? member.role;
  for (const { idCard, ...checklist } of checklists.sort((one, other) => one.pos - other.pos)) {
    board.checklists.set(idCard, [...(board.checklists.get(idCard) ?? []), linesOf(checklist)]);
    const planned = checklist.checkItems.filter((item) => item.due !== null || item.idMember !== null).length;
    board.plannedItems.set(idCard, (board.plannedItems.get(idCard) ?? 0) + planned);
  }
  const { id, name, desc, closed } = z
    .object({ id: text, name: text, desc: text, closed: flag })
    .parse(Object.fromEntries(plain));
  return { ...board, id: storable(id), name, description: desc, isClosed: closed };
}

function emptyBoard(): Omit<TrelloBoard, "id" | "name" | "description" | "isClosed"> {
  return {
    lists: [],
    members: [],
    checklists: new Map(),
    creators: new Map(),
    comments: [],
    plannedItems: new Map(),
    otherActions: 0,
    unreadable: [],
  };
}

function requireBoard(value: unknown, plain: ReadonlyMap<string, unknown>): void {
  const isBoard = typeof value === "object" && ["id", "name", "lists", "cards"].every((key) => plain.has(key));
  if (!isBoard) throw new ImportFileError("this is no board that Trello has exported as JSON");
}

/** Whether it is of that shape. */
function take<Value>(schema: z.ZodMiniType<Value>, value: unknown, use: (value: Value) => unknown): boolean {
  const read = schema.safeParse(value);
  if (read.success) use(read.data);
  return read.success;
}

const COMMENTS: ReadonlySet<string> = new Set(["commentCard", "copyCommentCard"]);

/** Of whatever shape: what is neither a comment nor a card's beginning is only counted. */
function takeAction(board: Pick<TrelloBoard, "comments" | "creators" | "otherActions">, value: unknown): true {
  const read = actionSchema.safeParse(value);
  const { id = "", type = "", date = "", idMemberCreator = "", memberCreator, data } = read.data ?? {};
  const cardId = data?.card.id;
  if (cardId !== undefined && id !== "" && COMMENTS.has(type)) {
    const authorName = memberCreator?.fullName || memberCreator?.username || "";
    board.comments.push({ id, cardId, authorId: idMemberCreator, authorName, text: data?.text ?? "", at: date });
    return true;
  }
  board.otherActions += 1;
  if (cardId !== undefined && ["createCard", "copyCard"].includes(type)) board.creators.set(cardId, idMemberCreator);
  return true;
}

function linesOf({ name, checkItems }: { name: string; checkItems: { name: string; state: string; pos: number }[] }) {
  const items = checkItems.sort((one, other) => one.pos - other.pos);
  return [name, ...items.map((item) => `- [${item.state === "complete" ? "x" : " "}] ${item.name}`)].join("\n");
}
