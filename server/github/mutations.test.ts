import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeProject, makeUser } from "../../db/factories";
import { makeRepository } from "../../db/repository-factory";
import { notifications } from "../../db/schema";
import { createTestDatabase, type TestDatabase } from "../test/db";
import type { Reading } from "./client";
import type { FetchedCommit } from "./commits";
import { saveReading, storeHistory } from "./mutations";
import { claimRepository } from "./sync-runs";

let database: TestDatabase;
let repositoryId: string;
let other: string;
let counter = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  counter += 1;
  const made = (name: string, sha: string) =>
    makeRepository(database.db, {
      fullName: `konkan/${name}-${counter}`,
      commits: [{ sha, message: sha, authorName: "R" }],
    });
  repositoryId = (await made("one", "below")).id;
  other = (await made("other", "elsewhere")).id;
  // As after a page that was full: what lies below it is not on the next one either.
  await read("f e d c b a");
});
afterAll(() => database.close());

/** Commits by name, the newest first. */
function commitsOf(names: string): FetchedCommit[] {
  return names.split(" ").map((sha) => ({
    sha,
    message: `HBP-1 ${sha}`,
    htmlUrl: `https://github.com/konkan/one/commit/${sha}`,
    authorName: "Rohan",
    authoredAt: new Date("2026-11-20T09:00:00Z"),
    authorLogin: null,
    authorAvatarUrl: null,
  }));
}

const read = (names: string, given: { isWhole?: boolean; isOpenNow?: boolean } = {}) =>
  database.db.transaction((tx) =>
    storeHistory(tx, {
      repositoryId,
      page: { commits: names === "" ? [] : commitsOf(names), isWhole: given.isWhole ?? false },
      isOpenNow: given.isOpenNow ?? false,
    }),
  );

/** What is stored, the newest first. */
async function stored(id = repositoryId): Promise<string> {
  const rows = await database.sql`select sha from commits where repository_id = ${id} order by id desc`;
  return rows.map(({ sha }) => sha).join(" ");
}

async function startRun() {
  const { db, sql } = database;
  await sql`update repositories set due_at = case when id = ${repositoryId} then now() else now() + interval '1 hour' end`;
  const run = await claimRepository(db);
  if (!run) throw new Error("no repository is due");
  return run;
}

test("who was notified that a repository can't be read has nothing to read and gets no mail once it can be", async () => {
  const { db } = database;
  const admin = await makeUser(db, { accountType: "admin" });
  await makeProject(db, { createdBy: admin.id, repositoryId });
  const save = async (reading: Reading) => saveReading(db, { run: await startRun(), reading, grant: null });
  const trouble = () => db.select().from(notifications).where(eq(notifications.userId, admin.id));
  await save({ outcome: "problem", problem: { kind: "auth", status: 401 }, retryAt: null });
  expect(await trouble()).toMatchObject([{ readAt: null, mailDueAt: expect.any(Date) }]);
  await save({ outcome: "unchanged", retryAt: null });
  expect(await trouble()).toMatchObject([{ readAt: expect.any(Date), mailDueAt: null }]);
});

test("what went wrong is saved while a project is deleted: neither waits for the other in a circle", async () => {
  const { db, sql } = database;
  const admin = await makeUser(db, { accountType: "admin" });
  const { id: projectId } = await makeProject(db, { createdBy: admin.id, repositoryId });
  const run = await startRun();
  const reading = { outcome: "problem", problem: { kind: "not-found", status: 404 }, retryAt: null } as const;
  let saving: Promise<boolean> | undefined;
  await sql.begin(async (deleting) => {
    await deleting`select 1 from projects where id = ${projectId} for update`;
    saving = saveReading(db, { run, reading, grant: null });
    const waiting = () => sql`select 1 from pg_locks where not granted`;
    await expect.poll(waiting).not.toHaveLength(0);
    // As whoever deletes a project leaves its repository.
    await deleting`delete from projects where id = ${projectId}`;
    await deleting`update repositories set wanted_at = null where id = ${repositoryId}`;
  });
  expect(await saving).toBe(true);
});

test("new commits push others off the page, which stay", async () => {
  const change = await read("i h g f e d");
  expect(change).toEqual({ added: ["HBP-1 g", "HBP-1 h", "HBP-1 i"], gone: [] });
  expect(await stored()).toBe("i h g f e d c b a below");
  await read("o n m l k i");
  await read("u t s r q p");
  expect(await stored()).toBe("u t s r q p o n m l k i h g f e d c b a below");
});

test("an older branch that is merged in takes nothing away, although its commits came last", async () => {
  await read("m f y e x d");
  await read("o n m f y e");
  expect(await stored()).toContain("x");
  await read("p o n m f y");
  expect(new Set((await stored()).split(" "))).toEqual(new Set("p o n m f y e x d c b a below".split(" ")));
});

test("what a forced push took back goes, with its mentions, and what lies below stays", async () => {
  const change = await read("g2 d c b a below");
  expect(change).toEqual({ added: ["HBP-1 g2"], gone: expect.arrayContaining(["HBP-1 f", "HBP-1 e"]) });
  expect(await stored()).toBe("g2 d c b a below");
  const mentions = await database.sql`select 1 from commit_mentions where repository_id = ${repositoryId}`;
  expect(mentions).toHaveLength(5);
  await read("h2 g2 d c b a");
  await read("d c b a below x");
  expect((await stored()).split(" ").sort()).toEqual("d c b a below x".split(" ").sort());
});

test("what lay below the stored commits is no news when a shorter history shows it, and what is above or between them is", async () => {
  const newsAmong = async (names: string) => {
    const rows = await database.sql`select sha from commits where repository_id = ${repositoryId}
      and arrived_at <> authored_at and sha in ${database.sql(names.split(" "))} order by id desc`;
    return rows.map(({ sha }) => sha).join(" ");
  };
  await read("g d n c b a below x y");
  expect(await newsAmong("g n x y")).toBe("g n");
  // Nothing says that it was there before.
  await read("u t s");
  expect(await newsAmong("u t s")).toBe("u t s");
});

test("commits that come back are there again", async () => {
  await read("d c b a below x");
  await read("f e d c b a");
  expect((await stored()).split(" ").sort()).toEqual("a b below c d e f x".split(" "));
});

test("a history that is there as a whole is all there is", async () => {
  await read("g f c", { isWhole: true });
  expect(await stored()).toBe("g f c");
  await read("", { isWhole: true });
  expect(await stored()).toBe("");
  expect(await stored(other)).toBe("elsewhere");
});

test("after a hundred new commits no deletion is detected: all stay, unless they were read with the token", async () => {
  await read("r q p o n m");
  expect(await stored()).toBe("r q p o n m f e d c b a below");
  await read("s r q p o n", { isOpenNow: true });
  expect(await stored()).toContain("below");
  const { gone } = await read("z y x w v u", { isOpenNow: true });
  expect(gone).toHaveLength(14);
  expect(await stored()).toBe("z y x w v u");
});

test("a commit that is listed twice is stored once, and no sha is executed as SQL", async () => {
  await read(`g g "g {g} 'g,g f`);
  await read(`h g "g {g} 'g,g f`);
  expect(await stored()).toBe(`h g "g {g} 'g,g f e d c b a below`);
});
