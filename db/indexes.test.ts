import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../server/test/db";
import { lowerCase, requestText, searchedText, wordsOf } from "./expressions";
import { makeProject, makeUser } from "./factories";
import { comments, files, messages, requests } from "./schema";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const user = await makeUser(db, { accountStatus: "active" });
  await makeProject(db, { createdBy: user.id });
  await db.execute(sql`
    insert into users (name, username, email, account_status, created_at)
    select 'Person', 'many' || n, 'many' || n || '@firm.example', 'active', now() - n * interval '1 hour'
    from generate_series(1, 3000) as n`);
  await db.execute(sql`
    insert into projects (key, title, description, created_by, start_date, created_at)
    select 'KEY' || n, 'Title', 'Words', ${user.id}, '2026-01-01', now() - n * interval '1 hour' from generate_series(1, 3000) as n`);
  await db.execute(sql`
    insert into project_events (project_id, actor_id, kind, changes)
    select id, created_by, 'project.created', '[]' from projects, generate_series(1, 30)`);
  await db.execute(sql`
    insert into inquiries (kind, name, email, subject, message, status, created_at)
    select 'contact', 'Person', 'many@firm.example', 'other', 'Words', (array['new', 'closed']::inquiry_status[])[1 + n % 2],
      now() - n * interval '1 hour' from generate_series(1, 3000) as n`);
  await db.execute(sql`
    insert into requests (project_id, title, text, created_by, created_at)
    select id, 'Title', 'Words', created_by, created_at from projects`);
  await db.execute(sql`
    insert into audit_events (actor_id, subject_id, kind)
    select ${user.id}::uuid, ${user.id}::uuid, (array['session.ended', 'password.reset'])[1 + n % 2] from generate_series(1, 3000) as n`);
  await db.execute("analyze");
});
afterAll(() => database.close());

// An index "desc nulls last", as drizzle writes `.desc()`, serves none of these.
test.each([
  ["people", "select id from users order by created_at desc, id desc limit 20"],
  [
    "people of a status",
    "select id from users where account_status = 'active' order by created_at desc, id desc limit 20",
  ],
  ["projects", "select id from projects order by created_at desc, id desc limit 20"],
  [
    "a project's history",
    "select id from project_events where project_id = (select id from projects order by key limit 1) order by id desc limit 20",
  ],
  ["requests", "select id from requests order by created_at desc, id desc limit 20"],
  ["inquiries", "select id from inquiries order by created_at desc, id desc limit 20"],
  ["inquiries of a status", "select id from inquiries where status = 'new' order by created_at desc, id desc limit 20"],
  ["audit events", "select kind from audit_events order by id desc limit 20"],
  ["audit events of a kind", "select id from audit_events where kind = 'password.reset' order by id desc limit 20"],
  [
    "audit events by a person",
    "select id from audit_events where actor_id = (select id from users order by email limit 1) order by id desc limit 20",
  ],
  [
    "audit events about a person",
    "select id from audit_events where subject_id = (select id from users order by email limit 1) order by id desc limit 20",
  ],
])("the newest of %s are read from an index, without sorting", async (_name, query) => {
  const plan = (await database.db.execute(sql.raw(`explain ${query}`)))
    .map((row) => String(row["QUERY PLAN"]))
    .join("\n");
  expect(plan).toContain("Index");
  expect(plan).not.toContain("Sort");
});

// Words of three letters and more are looked for as pieces of a text, shorter ones as words.
test.each([
  ["comments", searchedText(comments.text)],
  ["messages", messages.text],
  ["requests", requestText(requests)],
] as const)("%s are searched by an index of their letters, and by one of their words", async (table, text) => {
  const { db } = database;
  for (const [index, condition] of [
    [`${table}_letters_idx`, sql`${text} ilike (select ${"%zanzibar%"}::text)`],
    [`${table}_words_idx`, sql`${wordsOf(text)} @@ plainto_tsquery('simple', (select ${"an"}::text))`],
  ] as const) {
    const plan = await db.transaction(async (tx) => {
      await tx.execute("set local enable_seqscan = off");
      return tx.execute(sql`explain select 1 from ${sql.identifier(table)} where ${condition}`);
    });
    expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain(index);
  }
});

test.each([
  ["files_name_letters_idx", sql`${files.name} ilike ${"%zanzibar%"}`],
  ["files_name_start_idx", sql`${lowerCase(files.name)} ^@ lower(${"Zanzibar"})`],
])("names of files are searched by %s", async (index, condition) => {
  const plan = await database.db.transaction(async (tx) => {
    await tx.execute("set local enable_seqscan = off");
    return tx.execute(sql`explain select 1 from ${files} where ${condition}`);
  });
  expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain(index);
});
