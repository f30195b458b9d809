import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../db/client";
import { makeProject, makeUser } from "../../db/factories";
import { createTestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("connections that end under writes fail those calls, settle all of them, and leave the pool and the process whole", async () => {
  const { db, sql, connection } = database;
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on("uncaughtException", note);
  const killer = connect(connection, { max: 1 });
  await killer`select 1`;
  const user = await makeUser(db);
  const project = await makeProject(db, { createdBy: user.id });
  const caller = await createTestCallers(db).as(user);
  for (let round = 0; round < 5; round += 1) {
    const calls = Array.from({ length: 12 }, (_, at) =>
      caller.tasks.create({ projectId: project.id, title: `Task ${at}`, description: "Written in a storm." }),
    );
    const settled = Promise.allSettled(calls);
    await new Promise((resolve) => setTimeout(resolve, 5 + round * 4));
    // Waits until they are gone: one that ends later would take a call of the round below with it.
    await killer`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where pid <> pg_backend_pid() and datname = current_database() and backend_type = 'client backend'`;
    await settled;
    const reads = await Promise.allSettled(Array.from({ length: 12 }, () => sql`select 1`));
    await Promise.all(Array.from({ length: 12 }, () => sql`select pg_sleep(0.01)`));
    expect(reads).toHaveLength(12);
  }
  // Numbers are taken in the transaction of their row: none is doubled, and none of a failed call is left.
  const [row] = await sql`select count(*)::int as tasks, count(distinct number)::int as numbers from tasks`;
  expect(row?.tasks).toBe(row?.numbers);
  await killer.end();
  process.off("uncaughtException", note);
  expect(uncaught).toEqual([]);
}, 60_000);
