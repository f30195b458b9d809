import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../server/test/db";
import { createDb, type Db } from "./client";
import { makeProject, makeUser } from "./factories";
import { projects } from "./schema";

let database: TestDatabase;
/** One connection, so that what is prepared can be counted. */
let db: Db;
let close: () => Promise<void>;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ db, close } = createDb(database.connection, { max: 1 }));
  const user = await makeUser(db);
  projectId = (await makeProject(db, { createdBy: user.id })).id;
});
afterAll(async () => {
  await close();
  await database.close();
});

const titles = () => db.select({ title: projects.title }).from(projects).where(eq(projects.id, projectId));
const rename = (title: string) =>
  db.transaction(async (tx) => {
    await tx.update(projects).set({ title }).where(eq(projects.id, projectId));
    return tx.select({ title: projects.title }).from(projects).where(eq(projects.id, projectId));
  });

test("a statement is prepared once, and one with a long list not at all", async () => {
  for (let time = 0; time < 5; time += 1) await titles();
  const before = await prepared();
  for (let time = 0; time < 5; time += 1) await titles();
  expect(before).toBeGreaterThan(0);
  expect(await prepared()).toBe(before);
  for (const length of [50, 60, 70]) {
    const ids = Array.from({ length }, () => projectId);
    await db.query.projects.findMany({ where: (row, { inArray }) => inArray(row.id, ids) });
  }
  expect(await prepared()).toBe(before);
});

test("calls one after the other stay on one connection, however many a burst has opened", async () => {
  const burst = await Promise.all(Array.from({ length: 4 }, processOfCall));
  expect(new Set(burst).size).toBe(4);
  const later: number[] = [];
  for (let time = 0; time < 8; time += 1) later.push(await processOfCall());
  expect(new Set(later).size).toBe(1);
});

test("a column whose type changes under a running server is read again, also within a transaction", async () => {
  await titles();
  await rename("Before");
  await database.sql.unsafe("alter table projects alter column title type varchar(400)");
  expect(await rename("After")).toEqual([{ title: "After" }]);
  expect(await titles()).toEqual([{ title: "After" }]);
});

/** Which of PostgreSQL's processes answers a call, long enough for others that begin with it to need their own. */
async function processOfCall(): Promise<number> {
  const [row] = await database.sql`select pg_backend_pid() as pid from pg_sleep(0.05)`;
  return row?.pid;
}

/** Of the statements that drizzle has sent on the one connection; the count itself has no parameters and is not one. */
async function prepared(): Promise<number> {
  const rows = await db.execute<{ count: number }>("select count(*)::int as count from pg_prepared_statements");
  return rows[0]?.count ?? 0;
}

test("after a COPY of any size its connection goes on", async () => {
  for (const rows of [10, 100, 200, 400, 800, 3_000, 20_000]) {
    const count = await database.sql.begin(async (tx) => {
      const copy = await tx
        .unsafe(`copy (select repeat('x', 99) from generate_series(1, ${rows})) to stdout`)
        .readable();
      let bytes = 0;
      for await (const chunk of copy) bytes += chunk.length;
      expect(bytes).toBe(rows * 100);
      const [row] = await tx`select 1 as one`;
      return row?.one;
    });
    expect(count).toBe(1);
  }
}, 20_000);
