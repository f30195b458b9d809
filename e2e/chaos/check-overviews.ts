import type { Participant, Violation } from "./history";
import type { OverviewAnswer, OverviewRead, OverviewRows } from "./overview-history";

/** Every number of "since you were here" and every turn is what the rows say, counted one by one. */
export function checkOverviews(
  reads: readonly OverviewRead[],
  { rows, people }: { rows: OverviewRows; people: readonly Participant[] },
): Violation[] {
  return reads.flatMap(({ personId, answer }) => {
    const person = people.find(({ id }) => id === personId);
    if (!person) return [];
    if (!answer) return [{ kind: "late" as const, detail: `${person.name} was not answered what happened since` }];
    return differences(answer, recount(person, { rows, people })).map(
      (detail): Violation => ({ kind: "recount", detail: `${person.name}: ${detail}` }),
    );
  });
}

type Recount = Omit<OverviewAnswer, "since">;

/** As many as an answer names of each. */
const MAX_LISTED = 500;
const MAX_SHOWN = 3;

function differences(answer: OverviewAnswer, counted: Recount): string[] {
  const names = [
    ...(["messages", "tasksDone", "datesMoved", "commits", "counts"] as const),
    ...(["turns", "signOffTurns", "requestTurns", "waiting"] as const),
  ];
  return names.flatMap((name) => {
    const [answered, stored] = [answer[name].map(textOf), counted[name].map(textOf)];
    const wrong = answered.filter((text) => !stored.includes(text));
    const missing = stored.filter((text) => !answered.includes(text));
    if (wrong.length === 0 && missing.length === 0 && answered.length === stored.length) return [];
    return [`${name} since ${answer.since}: wrong are ${someOf(wrong)}; missing are ${someOf(missing)}`];
  });
}

function textOf(value: unknown): string {
  return JSON.stringify(value);
}

function someOf(texts: readonly string[]): string {
  const shown = texts.slice(0, MAX_SHOWN).join(", ");
  return texts.length > MAX_SHOWN ? `${shown} and ${texts.length - MAX_SHOWN} more` : shown || "none";
}

type Counting = { rows: OverviewRows; people: readonly Participant[] };

function recount(person: Participant, { rows, people }: Counting): Recount {
  const seenUpTo = rows.visits.find(({ personId }) => personId === person.id)?.seenUpTo ?? Number.POSITIVE_INFINITY;
  const own = rows.conversations.filter(({ personIds }) => personIds.includes(person.id));
  const isOwn = (id: string) => own.some((one) => one.id === id);
  const isNew = ({ at }: { at: number }) => at > seenUpTo;
  // Admins see every project.
  const isAllowed = person.isInProject || !person.isClient;
  const tasks = isAllowed ? rows.tasks : [];
  const turns = own.map(({ id, personIds }) => ({ id, ...turnIn(id, { personIds, rows, people }) }));
  const signOffs = isAllowed ? rows.signOffs : [];
  const signOffTurns = signOffs.map((one) => ({ id: one.id, ...turnOfSignOff(one, signOffs) }));
  const requests = isAllowed ? rows.requests : [];
  const requestTurns = requests.map((one) => ({ id: one.id, ...turnOfRequest(one, people) }));
  // Clients see what of their own waits for the firm.
  const isListed = (id: string) =>
    person.isAdmin ||
    person.isClient ||
    [...signOffs, ...requests].some((one) => one.id === id && one.project.managerIds.includes(person.id));
  const messages = rows.messages
    .filter((one) => isOwn(one.conversationId) && one.kind === "text" && one.senderId !== person.id && isNew(one))
    .toSorted((one, other) => other.at - one.at);
  const tasksDone = tasks.filter(({ id, status, doneAt }) => {
    if (status !== "completed" || doneAt === null || doneAt <= seenUpTo) return false;
    return rows.events.findLast((event) => event.subjectId === id && isCompletion(event))?.actorId !== person.id;
  });
  const datesMoved = [...tasks, ...(isAllowed ? rows.projects : [])].filter(({ id, dueDate }) => {
    const moves = rows.events
      .filter((event) => event.subjectId === id && event.actorId !== person.id && isNew(event))
      .flatMap(({ changes }) => changes.filter(({ field, from }) => field === "dueDate" && from !== null));
    return moves.length > 0 && moves[0]?.from !== dueDate;
  });
  const commits = isAllowed && (person.isAdmin || person.isClient) ? rows.commits.filter(isNew) : [];
  const idsOf = (all: readonly { id: string }[]) => all.slice(0, MAX_LISTED).map(({ id }) => id);
  return {
    ...{ messages: idsOf(messages), tasksDone: idsOf(tasksDone), datesMoved: idsOf(datesMoved) },
    commits: idsOf(commits),
    counts: [
      { of: "messages", count: messages.length },
      { of: "tasksDone", count: tasksDone.length },
      { of: "datesMoved", count: datesMoved.length },
      { of: "commits", count: commits.length },
    ],
    turns,
    signOffTurns,
    requestTurns,
    waiting: [...turns, ...[...signOffTurns, ...requestTurns].filter(({ id }) => isListed(id))].flatMap(
      ({ id, owes, since }) => (owes === "firm" && since !== null ? [{ id, since }] : []),
    ),
  };
}

function isCompletion({ kind, changes }: OverviewRows["events"][number]): boolean {
  return kind === "task.completed" || changes.some(({ field, to }) => field === "status" && to === "completed");
}

/** The side that did not write last owes, since the first of the other side's last messages; nobody without a client, or once settled. */
function turnIn(
  conversationId: string,
  { personIds, rows, people }: Counting & { personIds: readonly string[] },
): { owes: "firm" | "client" | "nobody"; since: string | null } {
  const clientIds = people.filter(({ isClient }) => isClient).map(({ id }) => id);
  const settled = Math.max(
    0,
    ...rows.settlements.filter((one) => one.conversationId === conversationId).map(({ upToSeq }) => upToSeq),
  );
  const open = rows.messages
    .filter((one) => one.conversationId === conversationId && one.kind === "text" && one.seq > settled)
    .toSorted((a, b) => a.seq - b.seq);
  const last = open.at(-1);
  if (!last || !personIds.some((id) => clientIds.includes(id))) return { owes: "nobody", since: null };
  const other = open.findLast(({ senderId }) => senderId !== last.senderId);
  const first = open.find(({ seq }) => seq > (other?.seq ?? 0));
  return { owes: clientIds.includes(last.senderId) ? "firm" : "client", since: first ? momentOf(first.at) : null };
}

/** The client's while it is asked; the firm's once it is sent back, until another question that stands, or the project is completed. */
function turnOfSignOff(
  { status, askedAt, decidedAt, project }: OverviewRows["signOffs"][number],
  all: OverviewRows["signOffs"],
): { owes: "firm" | "client" | "nobody"; since: string | null } {
  if (status === "asked" && project.isOpen) return { owes: "client", since: momentOf(askedAt) };
  const sentBackAt = status === "changes-requested" ? decidedAt : null;
  if (sentBackAt === null || project.isCompleted) return { owes: "nobody", since: null };
  const isAskedAgain = all.some((other) => other.askedAt > sentBackAt && other.status !== "withdrawn");
  return isAskedAgain ? { owes: "nobody", since: null } : { owes: "firm", since: momentOf(sentBackAt) };
}

/** The firm's until it asks back, then the client's until they answer; each counts from its first text. Nobody's once it is decided. */
function turnOfRequest(
  { status, createdAt, replies, project }: OverviewRows["requests"][number],
  people: readonly Participant[],
): { owes: "firm" | "client" | "nobody"; since: string | null } {
  if (status !== "new" && status !== "asked") return { owes: "nobody", since: null };
  const isByClient = (authorId: string) => people.some(({ id, isClient }) => id === authorId && isClient);
  let turn: { owes: "firm" | "client"; at: number } = { owes: "firm", at: createdAt };
  for (const { authorId, at } of replies) {
    const owes = isByClient(authorId) ? "firm" : "client";
    if (owes !== turn.owes) turn = { owes, at };
  }
  return { owes: project.isOpen ? turn.owes : "firm", since: momentOf(turn.at) };
}

/** Of microseconds. */
function momentOf(at: number): string {
  return new Date(Math.floor(at / 1_000)).toISOString();
}
