import { expect, test } from "vitest";
import { checkOverviews } from "./check-overviews";
import { NO_OVERVIEW_ROWS, type OverviewAnswer, type OverviewRows } from "./overview-history";

const asha = { id: "asha", name: "Asha", partnerIds: ["meera"], isClient: false, isAdmin: true, isInProject: true };
const meera = { id: "meera", name: "Meera", partnerIds: ["asha"], isClient: true, isAdmin: false, isInProject: true };
const message = (seq: number, senderId: string) => ({
  id: `message ${seq}`,
  conversationId: "talk",
  seq,
  senderId,
  kind: "text",
  at: seq * 1_000_000,
});
const moment = (seq: number) => new Date(seq * 1_000).toISOString();
const rows: OverviewRows = {
  ...NO_OVERVIEW_ROWS,
  visits: [{ personId: "asha", seenUpTo: 1_500_000 }],
  conversations: [{ id: "talk", personIds: ["asha", "meera"] }],
  messages: [message(1, "meera"), message(2, "asha"), message(3, "meera"), message(4, "meera")],
  tasks: [{ id: "berths", status: "completed", dueDate: "2027-01-12", doneAt: 5_000_000 }],
  projects: [{ id: "harbour", dueDate: "2027-02-02" }],
  commits: [
    { id: "c1", at: 1_000_000 },
    { id: "c2", at: 2_000_000 },
  ],
  signOffs: [signOff("first", "changes-requested", 6), signOff("second", "asked", null)],
  requests: [
    request("filed", "new", []),
    request("asked back", "asked", [
      { authorId: "asha", at: 8_000_000 },
      { authorId: "asha", at: 9_000_000 },
    ]),
    request("answered", "new", [
      { authorId: "asha", at: 8_000_000 },
      { authorId: "meera", at: 9_000_000 },
    ]),
  ],
  events: [
    event(3, "meera", "dueDate", "2027-01-10", "2027-01-11"),
    event(4, "asha", "dueDate", "2027-01-11", "2027-01-12"),
    { ...event(4, "meera", "dueDate", "2027-02-01", "2027-02-02"), subjectId: "harbour" },
    { subjectId: "berths", actorId: "meera", kind: "task.completed", at: 5_000_000, changes: [] },
  ],
};
const answer: OverviewAnswer = {
  since: moment(1.5),
  messages: ["message 4", "message 3"],
  tasksDone: ["berths"],
  datesMoved: ["berths", "harbour"],
  commits: ["c2"],
  counts: countsOf(2, 1, 2, 1),
  turns: [{ id: "talk", owes: "firm", since: moment(3) }],
  signOffTurns: [
    { id: "first", owes: "firm", since: moment(6) },
    { id: "second", owes: "client", since: moment(5) },
  ],
  requestTurns: [
    { id: "filed", owes: "firm", since: moment(7) },
    { id: "asked back", owes: "client", since: moment(8) },
    { id: "answered", owes: "firm", since: moment(9) },
  ],
  waiting: [
    { id: "talk", since: moment(3) },
    { id: "first", since: moment(6) },
    { id: "filed", since: moment(7) },
    { id: "answered", since: moment(9) },
  ],
};

function request(
  id: string,
  status: "new" | "asked",
  replies: OverviewRows["requests"][number]["replies"],
): OverviewRows["requests"][number] {
  return { id, status, replies, createdAt: 7_000_000, project: { isOpen: true, managerIds: [] } };
}

function signOff(id: string, status: "asked" | "changes-requested", decidedAt: number | null) {
  const project = { isOpen: true, isCompleted: false, managerIds: [] };
  return {
    ...{ id, status, project, signerId: "meera", askedAt: 5_000_000 },
    decidedAt: decidedAt === null ? null : decidedAt * 1_000_000,
  };
}

function event(at: number, actorId: string, field: string, from: string, to: string): OverviewRows["events"][number] {
  return { subjectId: "berths", actorId, kind: "task.updated", at: at * 1_000_000, changes: [{ field, from, to }] };
}
function found(changes: Partial<OverviewAnswer>, stored: Partial<OverviewRows> = {}) {
  const reads = [{ personId: "asha", answer: { ...answer, ...changes } }];
  return checkOverviews(reads, { rows: { ...rows, ...stored }, people: [asha, meera] }).map(({ kind }) => kind);
}

test("an answer that the rows bear out breaks no promise", () => {
  expect(found({})).toEqual([]);
});

test.each([
  ["a message too few", { messages: ["message 4"] }],
  ["a message twice", { messages: ["message 4", "message 3", "message 3"] }],
  ["a wrong count", { counts: answer.counts.map((one) => ({ ...one, count: 2 })) }],
  ["one's own message", { messages: ["message 4", "message 3", "message 2"] }],
  ["a task that was not told of", { tasksDone: [] }],
  ["a date that was not told of", { datesMoved: [] }],
  ["the other side's turn", { turns: [{ id: "talk", owes: "client", since: moment(3) }] as const }],
  [
    "a turn since the last message instead of the first",
    { turns: [{ id: "talk", owes: "firm", since: moment(4) }] as const },
  ],
  ["a sign-off that is wanted changed, and nobody's", { signOffTurns: answer.signOffTurns.slice(1) }],
  ["a conversation that waits and is not listed", { waiting: answer.waiting.slice(1) }],
  ["a sign-off that waits and is not listed", { waiting: answer.waiting.filter(({ id }) => id !== "first") }],
  ["a request that waits and is not listed", { waiting: answer.waiting.filter(({ id }) => id !== "filed") }],
  ["a request's turn since its last text", { requestTurns: turnOfAskedBack("client", 9) }],
  ["a request's turn of the side that was asked", { requestTurns: turnOfAskedBack("firm", 8) }],
  ["a project's date that was not told of", { datesMoved: ["berths"] }],
  ["a commit that was not told of", { commits: [] }],
  ["a commit from before", { commits: ["c1", "c2"] }],
])("%s is found", (_, wrong) => {
  expect(found(wrong)).toEqual(["recount"]);
});

test("what one completed oneself is no news", () => {
  const events = rows.events.map((one) => (one.kind === "task.completed" ? { ...one, actorId: "asha" } : one));
  expect(found({}, { events })).toEqual(["recount", "recount"]);
  expect(found({ tasksDone: [], counts: countsOf(2, 0, 2, 1) }, { events })).toEqual([]);
});

test("of more than 500 messages the newest are named, and all of them counted", () => {
  const messages = [...rows.messages, ...Array.from({ length: 500 }, (_, at) => message(at + 5, "meera"))];
  const listed = { messages: messages.slice(-500).map(({ id }) => id), counts: countsOf(502, 1, 2, 1) };
  expect(found(listed, { messages })).toEqual([]);
  expect(found({ ...listed, messages: messages.slice(-501, -1).map(({ id }) => id) }, { messages })).toEqual([
    "recount",
  ]);
  expect(found({ ...listed, counts: countsOf(500, 1, 2, 1) }, { messages })).toEqual(["recount"]);
});

function turnOfAskedBack(owes: "firm" | "client", seq: number): OverviewAnswer["requestTurns"] {
  const asked = { id: "asked back", owes, since: moment(seq) };
  return answer.requestTurns.map((one) => (one.id === asked.id ? asked : one));
}

function countsOf(messages: number, tasksDone: number, datesMoved: number, commits: number): OverviewAnswer["counts"] {
  return [
    { of: "messages", count: messages },
    { of: "tasksDone", count: tasksDone },
    { of: "datesMoved", count: datesMoved },
    { of: "commits", count: commits },
  ];
}

test("a settled conversation is nobody's turn until the next message", () => {
  const settlements = [{ conversationId: "talk", upToSeq: 4 }];
  expect(found({}, { settlements })).toEqual(["recount", "recount"]);
  const turns = [{ id: "talk", owes: "nobody", since: null }] as const;
  expect(found({ turns, waiting: answer.waiting.slice(1) }, { settlements })).toEqual([]);
});

test("clients are listed what of their own waits for the firm, and what they sent back", () => {
  const own = { ...answer, messages: [], tasksDone: [], datesMoved: [], commits: [], counts: countsOf(0, 0, 0, 0) };
  const check = (waiting: OverviewAnswer["waiting"]) =>
    checkOverviews([{ personId: "meera", answer: { ...own, waiting } }], { rows, people: [asha, meera] });
  expect(check(own.waiting)).toEqual([]);
  expect(check(own.waiting.slice(0, 1))).toMatchObject([{ kind: "recount" }]);
});

test("no answer at all is found", () => {
  expect(checkOverviews([{ personId: "asha", answer: null }], { rows, people: [asha] })).toMatchObject([
    { kind: "late" },
  ]);
});

test("a sign-off that was sent back is nobody's turn once the firm has asked again after it, and has not taken that back", () => {
  const settled = {
    signOffTurns: [{ id: "first", owes: "nobody", since: null } as const, ...answer.signOffTurns.slice(1)],
    waiting: answer.waiting.filter(({ id }) => id !== "first"),
  };
  const again = { ...signOff("second", "asked", null), askedAt: 7_000_000 };
  const second = { id: "second", owes: "client", since: moment(7) } as const;
  const signOffTurns = [...settled.signOffTurns.slice(0, 1), second];
  const [first] = rows.signOffs;
  const signOffs = first ? [first, again] : [];
  expect(found({ ...settled, signOffTurns }, { signOffs })).toEqual([]);
  expect(found({}, { signOffs })).toEqual(["recount", "recount"]);
});
