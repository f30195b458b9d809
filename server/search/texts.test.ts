import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeComments, makeConversation, makeFile, makeProject, makeUser, type UserRow } from "../../db/factories";
import { requests } from "../../db/schema";
import { createTestCallers, refusal, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

/*
 * What a search finds in comments, messages and requests, against a plain filter over all that was written. There are more texts than the
 * newest that are looked through one by one, and the newest are another project's: so both steps of the search are compared.
 */

interface Written {
  id: string;
  text: string;
  /** Of a request, with whose words it comes before others among those that are shown. */
  title?: string;
  at: number;
  isSeenBy: (who: Who) => boolean;
}
/** Who searches. */
const WHO = ["member", "client", "admin", "outsider"] as const;
type Who = (typeof WHO)[number] | "otherMember";

const LONG = "Ebb and flow ".repeat(16).slice(0, 200).trim();
const MENTION = "the word between";
/** Each in texts that the other ones are not in; the number says in every how many of them. */
const PARTS: [every: number, part: string][] = [
  [1, "pier"],
  [2, "of stone"],
  [3, "quay"],
  [50, "zanzibar"],
  [31, "Élan vital"],
  [37, "at 100% load"],
  [41, "call a_b here"],
  [43, 'he said "mind the gap"'],
  [47, "the skipper's hat"],
  [53, "back\\slash"],
  [59, LONG],
  [61, "go to v2 now"],
  [67, "50 🚢 afloat"],
];
const QUERIES = [
  ...[
    "pier",
    "PIER",
    "quay pier",
    "pier stone quay",
    "ie",
    "of",
    "of pier",
    "st",
    "zanzibar",
    "zanz bar",
    "anziba pier",
  ],
  ...[
    "Élan",
    "élan",
    "ÉLAN VITAL",
    "elan",
    "100%",
    "%",
    "10_%",
    "a_b",
    "_",
    "a%b",
    '"mind',
    '"',
    "'",
    "skipper's",
    "\\",
    "back\\slash",
  ],
  ...[LONG, "v2", "go v2", "🚢", "nowhere", "pier nowhere", "(", "*", "; drop", MENTION],
];

let database: TestDatabase;
let callers: TestCallers;
let people: Record<Who, UserRow>;
const comments: Written[] = [];
const messages: Written[] = [];
const asked: Written[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  callers = createTestCallers(db);
  const [member, outsider, otherMember] = [await makeUser(db), await makeUser(db), await makeUser(db)];
  const client = await makeUser(db, { accountType: "client" });
  const admin = await makeUser(db, { accountType: "admin" });
  people = { member, client, admin, outsider, otherMember };
  const own = await makeProject(db, { createdBy: member.id, clientId: client.id });
  const other = await makeProject(db, { createdBy: otherMember.id });
  await writeComments({
    projectId: own.id,
    authorId: member.id,
    count: 450,
    from: 1_000,
    team: ["member", "admin"],
    all: ["client"],
  });
  await writeComments({
    projectId: other.id,
    authorId: otherMember.id,
    count: 450,
    from: 5_000,
    team: ["otherMember", "admin"],
    all: [],
  });
  await writeMessages({ between: ["client", "admin"], count: 450, from: 1_000 });
  await writeMessages({ between: ["otherMember", "admin"], count: 450, from: 5_000 });
  const ofClient = { projectId: own.id, authorId: client.id, readers: ["member", "client", "admin"] as const };
  await writeRequests({ ...ofClient, count: 450, from: 1_000 });
  const ofOther = { projectId: other.id, authorId: otherMember.id, readers: ["otherMember", "admin"] as const };
  await writeRequests({ ...ofOther, count: 450, from: 5_000 });
  await db.execute("analyze");
});
afterAll(() => database.close());

test.each(WHO)(
  "a search finds the newest eight that the %s sees and that hold its words, newest first",
  async (who) => {
    const caller = await callers.as(people[who]);
    // After five times PostgreSQL may plan for any value.
    for (const q of [...QUERIES, ...Array.from({ length: 6 }, () => "quay pier")]) {
      const found = await caller.search.all({ q });
      expect(
        found.comments.map(({ id }) => id),
        q,
      ).toEqual(expected(comments, { q, who }));
      expect(
        found.messages.map(({ id }) => id),
        q,
      ).toEqual(expected(messages, { q, who }));
      expect(
        found.requests.map(({ id }) => id),
        q,
      ).toEqual(expected(asked, { q, who }));
    }
  },
);

test("most of those searches do find something, but for who sees nothing", () => {
  const counts = WHO.map((who) => QUERIES.filter((q) => expected(comments, { q, who }).length > 0).length);
  expect(counts).toEqual([27, 27, 27, 0]);
});

async function writeComments({
  projectId,
  authorId,
  count,
  from,
  team,
  all,
}: {
  projectId: string;
  authorId: string;
  count: number;
  from: number;
  team: Who[];
  all: Who[];
}): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({
    authorId,
    text: n % 71 === 0 ? `the word @[](person:${authorId}) between ${textOf(n)}` : textOf(n),
    mentions: n % 71 === 0 ? [authorId] : [],
    visibility: n % 4 === 0 ? ("client" as const) : ("team" as const),
    createdAt: instantOf(from, n),
  }));
  const ids = await makeComments(database.db, { projectId, comments: rows });
  for (const [n, id] of ids.entries()) {
    const readers = n % 4 === 0 ? [...team, ...all] : team;
    const text = rows[n]?.text.replace(/@\[\]\(.*?\)/, "") ?? "";
    comments.push({ id, text, at: instantOf(from, n).getTime(), isSeenBy: (who) => readers.includes(who) });
  }
}

async function writeMessages({
  between,
  count,
  from,
}: {
  between: [Who, Who];
  count: number;
  from: number;
}): Promise<void> {
  const [one, other] = between;
  const rows = Array.from({ length: count }, (_, n) => ({
    senderId: people[n % 2 ? one : other].id,
    text: textOf(n),
    createdAt: instantOf(from, n),
  }));
  const { id } = await makeConversation(database.db, { between: [people[one].id, people[other].id], messages: rows });
  const stored = await database.db.query.messages.findMany({
    where: (message, { eq }) => eq(message.conversationId, id),
  });
  for (const { id: messageId, text, createdAt } of stored) {
    messages.push({ id: messageId, text, at: createdAt.getTime(), isSeenBy: (who) => between.includes(who) });
  }
}

/** Every other one has its words in its title. */
async function writeRequests({
  projectId,
  authorId,
  count,
  from,
  readers,
}: {
  projectId: string;
  authorId: string;
  count: number;
  from: number;
  readers: readonly Who[];
}): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => {
    const isTitle = n % 2 === 1 && textOf(n).length <= 200;
    const [title, text] = isTitle ? [textOf(n), "Asked again"] : ["Asked", textOf(n)];
    return { projectId, createdBy: authorId, title, text, createdAt: instantOf(from, n) };
  });
  for (const { id, title, text, createdAt } of await database.db.insert(requests).values(rows).returning()) {
    const isSeenBy = (who: Who) => readers.includes(who);
    asked.push({ id, title, text: `${title} ${text}`, at: createdAt.getTime(), isSeenBy });
  }
}

function textOf(n: number): string {
  return PARTS.filter(([every]) => n % every === 0)
    .map(([, part]) => part)
    .join(", ");
}

/** Three at a time: then their ids decide. */
function instantOf(from: number, n: number): Date {
  return new Date(Date.UTC(2026, 0, 1) + (from + Math.floor(n / 3)) * 60_000);
}

function expected(written: Written[], { q, who }: { q: string; who: Who }): string[] {
  return written
    .filter(({ text, isSeenBy }) => isSeenBy(who) && holds(text, q))
    .sort((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
    .slice(0, 8)
    .sort((one, other) => Number(holds(other.title ?? "", q)) - Number(holds(one.title ?? "", q)))
    .map(({ id }) => id);
}

function holds(text: string, q: string): boolean {
  const words = q.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length === 0) return text.includes(q);
  const whole = new Set(text.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  return words.every((word) =>
    [...word].length < 3 ? whole.has(word.toLowerCase()) : text.toLowerCase().includes(word.toLowerCase()),
  );
}

describe("an admin who looks at the portal as a client", () => {
  test("finds to the byte what that client finds, but for messages and their files", async () => {
    const { db } = database;
    const { client, admin, member } = people;
    const project = await makeProject(db, { createdBy: member.id, clientId: client.id, title: "Pier of stone" });
    const shown = { uploadedBy: member.id, visibility: "client" as const, projectId: project.id };
    await makeFile(db, { ...shown, name: "pier.txt" });
    await makeFile(db, { ...shown, name: "pier-team.txt", visibility: "team" });
    const conversation = await makeConversation(db, {
      between: [client.id, (await makeUser(db, { accountType: "admin" })).id],
      messages: [{ senderId: client.id, text: "Pier between two" }],
    });
    const message = await db.query.messages.findFirst({
      where: (row, { eq }) => eq(row.conversationId, conversation.id),
    });
    await makeFile(db, { uploadedBy: client.id, messageId: message?.id ?? null, name: "pier-between-two.txt" });
    const [asClient, asAdmin] = [await callers.as(client), await callers.as(admin)];
    for (const q of ["pier", "of", "élan", "stone pier", member.username ?? "a"]) {
      const own = await asClient.search.all({ q });
      const seen = await asAdmin.search.all({ q, asClientId: client.id });
      const files = own.files.filter(({ name }) => name !== "pier-between-two.txt");
      expect(JSON.stringify(seen)).toBe(JSON.stringify({ ...own, messages: [], files }));
    }
    expect((await asClient.search.all({ q: "pier" })).files.map(({ name }) => name).sort()).toEqual([
      "pier-between-two.txt",
      "pier.txt",
    ]);
    expect((await asAdmin.search.all({ q: "pier", asClientId: client.id })).comments).toHaveLength(8);
  });

  test("nobody else may, and nobody's portal is that of a colleague", async () => {
    const { client, admin, member } = people;
    for (const who of [client, member]) {
      const call = (await callers.as(who)).search.all({ q: "pier", asClientId: client.id });
      expect((await refusal(call)).code).toBe("FORBIDDEN");
    }
    const call = (await callers.as(admin)).search.all({ q: "pier", asClientId: member.id });
    expect((await refusal(call)).code).toBe("NOT_FOUND");
  });
});
