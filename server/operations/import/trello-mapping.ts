import { TASK_STATUSES, type TaskStatus } from "@db/enums";
import { emailSchema } from "../../contract/accounts";
import type { TrelloMapping } from "./trello";
import type { TrelloBoard } from "./trello-board";

/** What was asked for cannot be done with this board; the message says what to do. */
export class TrelloMappingError extends Error {}

/** Asks the person who imports; null where nobody is there to answer. */
export type Ask = ((question: string) => Promise<string>) | null;

const WORDS = `${TASK_STATUSES.slice(0, -1).join(", ")} or ${TASK_STATUSES.at(-1)}`;

/**
 * Which list stands for which status, and who the members are: `--map "List=status"` and `--map-member "Name=email"`. Asks for the
 * lists that are left, where there is somebody to ask. Throws TrelloMappingError.
 */
export async function mapTrelloBoard(
  board: TrelloBoard,
  {
    maps,
    mapMembers,
    ask,
    timeZone,
  }: { maps: readonly string[]; mapMembers: readonly string[]; ask: Ask; timeZone: string },
): Promise<TrelloMapping> {
  const statuses = new Map<string, TaskStatus>();
  const lists = board.lists.filter(({ isClosed }) => !isClosed);
  for (const map of maps) {
    const { name, value } = halvesOf(map, "--map");
    const status = statusOf(value);
    if (!status) throw new TrelloMappingError(`--map "${map}": a status is ${WORDS}.`);
    const named = lists.filter((list) => isSame(list.name, name));
    if (named.length === 0) throw new TrelloMappingError(`--map "${map}": the board has ${quoted(lists)}.`);
    for (const { id } of named) statuses.set(id, status);
  }
  const left = lists.filter(({ id }) => !statuses.has(id));
  if (!ask && left.length > 0) throw new TrelloMappingError(unmappedSentence(left));
  for (const { id, name } of left) statuses.set(id, await askFor(name, ask));
  return { statuses, emails: emailsOf(board, mapMembers), timeZone };
}

function emailsOf({ members }: TrelloBoard, mapMembers: readonly string[]): Map<string, string> {
  return new Map(
    mapMembers.flatMap((map) => {
      const { name, value } = halvesOf(map, "--map-member");
      const email = emailSchema.safeParse(value);
      if (!email.success) throw new TrelloMappingError(`--map-member "${map}": that is no email.`);
      const named = members.filter((member) => isSame(member.name, name) || isSame(member.username, name));
      if (named.length === 0) throw new TrelloMappingError(`--map-member "${map}": the board has ${quoted(members)}.`);
      return named.map(({ id }) => [id, email.data] as const);
    }),
  );
}

function halvesOf(map: string, option: string): { name: string; value: string } {
  const at = map.lastIndexOf("=");
  if (at < 1) throw new TrelloMappingError(`${option} "${map}": write ${option} "Name=value".`);
  return { name: map.slice(0, at), value: map.slice(at + 1).trim() };
}

async function askFor(name: string, ask: Ask): Promise<TaskStatus> {
  const guess = guessOf(name);
  for (;;) {
    const answer = (await ask?.(`Status of the cards in "${name}": ${WORDS}? [${guess}] `)) ?? "";
    const status = answer.trim() === "" ? guess : statusOf(answer.trim());
    if (status) return status;
  }
}

function unmappedSentence(lists: readonly { name: string }[]): string {
  const options = lists.map(({ name }) => `--map "${name}=${guessOf(name)}"`);
  return `Say which status the cards of each list get, for example:\n  ${options.join(" ")}\nA status is ${WORDS}.`;
}

/** What most firms mean by a list of that name. */
function guessOf(name: string): TaskStatus {
  if (/\b(done|complete|completed|finished|shipped|released|closed|live)\b/i.test(name)) return "completed";
  return /\b(doing|progress|working|review|testing|test|qa|blocked)\b/i.test(name) ? "inProgress" : "todo";
}

function statusOf(word: string): TaskStatus | undefined {
  return TASK_STATUSES.find((status) => isSame(status, word));
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function quoted(named: readonly { name: string }[]): string {
  return named.map(({ name }) => `"${name}"`).join(", ") || "none";
}
