import { afterAll, beforeAll, expect, test } from "vitest";
import { makeConversation, makeFile, makeProject, makeUser, type UserRow } from "../../db/factories";
import { files, userPhotos } from "../../db/schema";
import { createTestCallers, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

/*
 * What a search finds among the names of files, against a plain filter over all of them. There are more files than the newest that are
 * looked through one by one, and the newest are another project's.
 */

interface Named {
  id: string;
  name: string;
  at: number;
  readers: readonly Who[];
}
const WHO = ["member", "client", "admin", "outsider"] as const;
type Who = (typeof WHO)[number] | "otherMember";

/** Names by their number: the last word of a rule stands in every name of it. */
const NAMES: [every: number, nameOf: (n: number) => string][] = [
  [97, (n) => `back\\slash ${n}.txt`],
  [89, (n) => `100% a_b ${n}.txt`],
  [83, (n) => `Élan ${n}.pdf`],
  [50, (n) => `Zanzibar ${n}.pdf`],
  [7, (n) => `quay-of-zanzibar-${n}.png`],
  [3, (n) => `QUAY ${n}.pdf`],
  [1, (n) => `IMG_${n} of the quay.jpg`],
];
const QUERIES = [
  ...[
    "quay",
    "QUAY",
    "quay 3",
    "img",
    "IMG_",
    "jpg",
    "pdf",
    ".pdf",
    "zanzibar",
    "anziba",
    "zanzibar 400.pdf",
    "of the",
  ],
  ...["élan", "ÉLAN", "elan", "100%", "%", "_", "a_b", "a%b", "back\\slash", "\\", "q", "z", "i", "x9", "nowhere", "'"],
];

let database: TestDatabase;
let callers: TestCallers;
let people: Record<Who, UserRow>;
const named: Named[] = [];

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
  const ofOwn = { projectId: own.id, uploadedBy: member.id };
  await insert(450, 1_000, ofOwn, (n) =>
    n % 4 === 0
      ? { visibility: "client", readers: ["member", "client", "admin"] }
      : { visibility: "team", readers: ["member", "admin"] },
  );
  const ofOther = { projectId: other.id, uploadedBy: otherMember.id, visibility: "client" as const };
  await insert(450, 5_000, ofOther, () => ({ readers: ["otherMember", "admin"] }));
  for (const between of [
    ["client", "admin"],
    ["otherMember", "admin"],
  ] as const) {
    const [one] = between;
    const messages = [{ senderId: people[one].id, text: "See below" }];
    const { id } = await makeConversation(db, { between: [people[one].id, admin.id], messages });
    const sent = await db.query.messages.findFirst({ where: (row, { eq }) => eq(row.conversationId, id) });
    const ofMessage = { messageId: sent?.id ?? null, uploadedBy: people[one].id };
    await insert(120, one === "client" ? 1_000 : 6_000, ofMessage, () => ({ readers: between }));
  }
  // Pictures of people and what nobody has attached are found by nobody, though whoever uploaded them may read them.
  const photo = await makeFile(db, { uploadedBy: member.id, name: "quay of a face.png", attachedAt: new Date() });
  await db.insert(userPhotos).values({ userId: member.id, fileId: photo.id });
  await makeFile(db, { uploadedBy: member.id, name: "quay unattached.pdf" });
  await db.execute("analyze");
});
afterAll(() => database.close());

test.each(WHO)(
  "a search finds the eight files that the %s sees: names that begin with it, then the newest",
  async (who) => {
    const caller = await callers.as(people[who]);
    // After five times PostgreSQL may plan for any value.
    for (const q of [...QUERIES, ...Array.from({ length: 6 }, () => "zanzibar")]) {
      const found = await caller.search.all({ q });
      expect(
        found.files.map(({ name }) => name),
        q,
      ).toEqual(expected({ q, who }).map(({ name }) => name));
      expect(found.files.map(({ id }) => id)).toEqual(expected({ q, who }).map(({ id }) => id));
    }
  },
);

test("those searches find something, but for who sees nothing", () => {
  const counts = WHO.map((who) => QUERIES.filter((q) => expected({ q, who }).length > 0).length);
  expect(counts).toEqual([23, 23, 23, 0]);
});

/** Three at a time: then their ids decide. */
async function insert(
  count: number,
  from: number,
  given: Partial<typeof files.$inferInsert> & { uploadedBy: string },
  seenBy: (n: number) => { readers: readonly Who[]; visibility?: "client" | "team" },
): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => {
    const { readers: _readers, ...shown } = seenBy(n);
    const createdAt = new Date(Date.UTC(2026, 0, 1) + (from + Math.floor(n / 3)) * 60_000);
    const name = NAMES.find(([every]) => n % every === 0)?.[1](n) ?? "";
    const bytes = { hash: "a".repeat(64), size: 1, type: "text/plain" };
    return { ...bytes, name, createdAt, attachedAt: createdAt, ...given, ...shown };
  });
  const inserted = await database.db.insert(files).values(rows).returning();
  for (const [n, { id, name, createdAt }] of inserted.entries()) {
    named.push({ id, name, at: createdAt.getTime(), readers: seenBy(n).readers });
  }
}

function expected({ q, who }: { q: string; who: Who }): Named[] {
  const begins = ({ name }: Named) => name.toLowerCase().startsWith(q.toLowerCase());
  return named
    .filter(({ name, readers }) => readers.includes(who) && name.toLowerCase().includes(q.toLowerCase()))
    .sort(
      (one, other) => Number(begins(other)) - Number(begins(one)) || other.at - one.at || (one.id < other.id ? 1 : -1),
    )
    .slice(0, 8);
}
