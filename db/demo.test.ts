import { createHash } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cheapHash, createTestCallers } from "../server/test/caller";
import { createTestDatabase, type TestDatabase } from "../server/test/db";
import { REQUEST_STATUSES } from "./client-enums";
import { DEMO_PEOPLE } from "./demo-people";
import { files, notifications, type users } from "./schema";
import { seedDemo } from "./seed";

let database: TestDatabase;
let people: (typeof users.$inferSelect)[];
const stored = new Map<string, Uint8Array>();

beforeAll(async () => {
  database = await createTestDatabase();
  await seedDemo({
    db: database.db,
    hashPassword: async (password) => cheapHash(password),
    storeContents: async (contents) => {
      for (const { hash, bytes } of contents) stored.set(hash, bytes);
    },
  });
  people = await database.db.query.users.findMany();
});
afterAll(() => database.close());

const as = async (name: string) => {
  const person = people.find(({ username }) => username === name);
  if (!person) throw new Error(`the demo has no ${name}`);
  return createTestCallers(database.db).as(person);
};

test("everybody of the demo who may sign in has something read and something unread, sees all of it, and is mailed nothing", async () => {
  const rows = await database.db.select().from(notifications);
  for (const { username, accountStatus } of DEMO_PEOPLE) {
    const person = people.find((one) => one.username === username);
    const own = rows.filter(({ userId }) => userId === person?.id);
    if (!person || accountStatus !== "active") {
      expect(own).toEqual([]);
      continue;
    }
    const { items, unread } = await (await as(username)).notifications.list({});
    expect([username, items.length]).toEqual([username, own.length]);
    expect(unread).toBeGreaterThan(0);
    expect(unread).toBeLessThan(own.length);
    expect(new Set(own.map(({ kind }) => kind)).size).toBeGreaterThan(person.accountType === "client" ? 0 : 1);
  }
  expect(rows.filter(({ mailDueAt, pushDueAt }) => mailDueAt ?? pushDueAt)).toEqual([]);
});

test("exactly two projects of the demo have client collaboration on, HBP and SC", async () => {
  const rows = await database.db.query.projects.findMany();
  const on = rows.filter(({ clientCollaboration }) => clientCollaboration);
  expect(on.map(({ key }) => key).toSorted()).toEqual(["HBP", "SC"]);
});

test("the demo has requests in every state, one of them late, and each side has some that wait for it", async () => {
  const list = await (await as("asha")).requests.list({});
  expect(new Set(list.map(({ status }) => status))).toEqual(new Set(REQUEST_STATUSES));
  expect(list.some(({ turn }) => turn.owes === "firm" && turn.businessDays > 0)).toBe(true);
  for (const { status, taskKey, reason, duplicateOfTitle, decidedAt } of list) {
    expect([status, taskKey !== null, reason !== null, duplicateOfTitle !== null, decidedAt !== null]).toEqual([
      status,
      status === "accepted",
      status === "declined",
      status === "duplicate",
      status !== "new" && status !== "asked",
    ]);
  }
  expect(await (await as("meera")).requests.counts({})).toMatchObject({ asked: 1 });
  expect(await (await as("mitali")).requests.counts({})).toMatchObject({ new: 1 });
  // One of the client people of Leela's project.
  expect(await (await as("kabir")).requests.list({})).toEqual(await (await as("leela")).requests.list({}));
});

test("a client of the demo has a sign-off that waits, and one that was approved and has changed since", async () => {
  const [waiting, signed, ...others] = await (await as("leela")).signOffs.list({});
  expect(others).toEqual([]);
  expect(waiting).toMatchObject({ status: "asked", canDecide: true });
  expect(signed?.status).toBe("approved");
  expect(signed?.changedAfter?.map(({ kind }) => kind)).toContain("task-due-date");
});

test("sign-offs of the demo have notified as the product does, and one that was sent back waits for the firm", async () => {
  const leela = await as("leela");
  const inbox = async () =>
    (await leela.notifications.list({})).items
      .filter(({ kind }) => kind === "sign-off-asked")
      .map(({ subject, readAt }) => [subject.signOffId, readAt !== null]);
  const [asked, approved] = await leela.signOffs.list({});
  expect(await inbox()).toEqual([
    [asked?.id, false],
    [approved?.id, true],
  ]);
  const decided = (await (await as("mitali")).notifications.list({})).items.filter(
    ({ kind }) => kind === "sign-off-decided",
  );
  expect(decided).toMatchObject([{ subject: { signOffId: approved?.id }, actor: { name: "Leela Thomas" } }]);
  const [sentBack, ...others] = (await (await as("meera")).signOffs.list({})).map(({ id, turn }) => ({ id, turn }));
  expect([sentBack?.turn.owes, others]).toEqual(["firm", []]);
  const asha = await as("asha");
  expect((await asha.notifications.list({})).items.filter(({ kind }) => kind === "sign-off-decided")).toMatchObject([
    { subject: { signOffId: sentBack?.id }, actor: { name: "Meera Rao" }, readAt: null },
  ]);
  expect((await asha.overview.waiting()).map(({ subject }) => subject)).toContainEqual({ signOffId: sentBack?.id });
  await leela.signOffs.approve({ signOffId: asked?.id ?? "" });
  expect(await inbox()).toContainEqual([asked?.id, true]);
});

test("the demo has files that are in the store as their rows say, and the client sees all but the team's", async () => {
  const rows = await database.db.select().from(files);
  expect(rows.length).toBe(stored.size);
  for (const { hash, thumbnailHash, size, type, width, height } of rows) {
    const bytes = stored.get(hash) ?? new Uint8Array();
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(hash);
    expect(bytes.byteLength).toBe(size);
    if (type === "text/plain") expect([width, height, thumbnailHash]).toEqual([null, null, null]);
    else
      expect({ ...(await sharp(bytes).metadata()), thumbnailHash }).toMatchObject({
        width,
        height,
        thumbnailHash: hash,
      });
  }
  const asha = await as("asha");
  const { items } = await asha.projects.list({ scope: "all", q: "Harbour booking portal" });
  const task = await asha.tasks.byKey({ key: "HBP-1" });
  const subjects = [{ projectId: items[0]?.id ?? "" }, { taskId: task.id }];
  const namesFor = async (name: string) => {
    const caller = await as(name);
    const lists = await Promise.all(subjects.map((subject) => caller.files.list({ subject })));
    return lists.map((list) => list.map((file) => file.name));
  };
  expect(await namesFor("meera")).toEqual([["Review on Thursday.md"], ["Berths.csv"]]);
  expect(await namesFor("asha")).toEqual([
    ["Review on Thursday.md", "Test cards.txt"],
    ["Berths.csv", "Long names.txt"],
  ]);
});
