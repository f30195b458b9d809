import { afterAll, beforeAll, expect, test } from "vitest";
import { createVault } from "../core/vault";
import { findGrant } from "../github/token";
import { createTestCallers, type TestCaller } from "./caller";
import type { TestDatabase } from "./db";
import { demoPerson, readDump, type Tables, upgradeDump, writeRows } from "./dumps";
import { startLiveServer } from "./live-server";
import { sessionCookie } from "./session-cookie";

/*
 * dumps/0.1.0.sql.gz: a database of version 0.1.0 (commit 8d5d583) with its demo, and what was then done in it through the API of that
 * version: a message, a task that was completed, a sign-up that was approved, an inquiry, a repository token and an API key.
 */
const DUMP = readDump("0.1.0");
const API_KEY = "sgm_jEl1BVEMEwtGPR5Iiz2Qnkg1iCpApQj4Qkn4bgzZ12g";
const TOKEN_KEY = "the-encryption-key-of-version-0-1-0";
const PASSWORD = "sangam-demo";

let database: TestDatabase;
let before: Tables;
let after: Tables;
let asha: TestCaller;

beforeAll(async () => {
  ({ database, before, after } = await upgradeDump(DUMP));
  asha = await createTestCallers(database.db).as(await person("asha"));
});
afterAll(() => database.close());

test("every row of 0.1.0 is there after the upgrade, with every value that it had", () => {
  expect(before.size).toBe(21);
  for (const [table, { rows }] of before) expect(after.get(table)?.rows, table).toEqual(rows);
});

test("people, projects, tasks, messages, commits, inquiries and the audit of 0.1.0 are read by today's version", async () => {
  expect((await asha.users.list({ q: "tara@firm.example" })).items).toMatchObject([{ accountStatus: "active" }]);
  const people = await asha.users.list({});
  expect(new Set(people.items.map(({ accountType }) => accountType))).toEqual(new Set(["admin", "user", "client"]));
  expect(people.items.map(({ accountStatus }) => accountStatus)).toContain("pending");
  const rohan = await createTestCallers(database.db).as(await person("rohan"));
  const projects = await rohan.projects.list({ scope: "mine" });
  const lists = await Promise.all(projects.items.map(({ id }) => rohan.tasks.list({ projectId: id })));
  const kept = lists.flat().find(({ title }) => title === "Written with version 0.1.0");
  expect(kept).toMatchObject({ status: "completed", description: "Kept through every upgrade." });
  expect(projects.items.map(({ taskCounts }) => taskCounts.total)).toEqual(lists.map(({ length }) => length));
  const conversations = await asha.chat.conversations();
  const texts = await Promise.all(conversations.map(({ id }) => asha.chat.messages({ conversationId: id })));
  expect(texts.flatMap(({ items }) => items.map(({ text }) => text))).toContain(
    "Sent with version 0.1.0: the tide gate opens at nine.",
  );
  expect((await asha.github.commits()).items.length).toBeGreaterThan(20);
  expect((await asha.inquiries.list({})).items.map(({ name }) => name)).toContain("Vik Visitor");
  expect((await asha.audit.list({})).items.length).toBeGreaterThan(10);
});

test("whoever signed up with 0.1.0 can be approved, and its conversations go on", async () => {
  await asha.users.approve({ userId: (await person("nikhil")).id, accountType: "user" });
  const [conversation] = await asha.chat.conversations();
  const sent = { conversationId: conversation?.id ?? "", text: "And on.", clientMessageId: crypto.randomUUID() };
  expect(await asha.chat.send(sent)).toMatchObject({ seq: (conversation?.lastSeq ?? 0) + 1 });
});

test("passwords, sessions, API keys and the sealed repository token of 0.1.0 go on", async () => {
  const { db, sql, connection } = database;
  const server = await startLiveServer({ db, sql, connection });
  try {
    const read = (headers: Record<string, string>) => fetch(`${server.base}/api/trpc/auth.me`, { headers });
    const signIn = await fetch(`${server.base}/api/trpc/auth.signIn`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ json: { email: "meera@sangam.example", password: PASSWORD, rememberMe: true } }),
    });
    expect(signIn.status).toBe(200);
    const [session] = await sql`select token from sessions where token not like 'key-%' order by created_at limit 1`;
    const cookie = sessionCookie(String(session?.token));
    expect(await (await read({ cookie })).text()).toContain("asha@sangam.example");
    expect(await (await read({ authorization: `Bearer ${API_KEY}` })).text()).toContain("rohan@sangam.example");
    expect((await findGrant(db, createVault([TOKEN_KEY])))?.owners).toEqual(["sangam"]);
  } finally {
    await server.close();
  }
});

test("today's schema takes each row as 0.1.0 writes it, so that going back is starting it", async () => {
  const written = await writeRows(DUMP, before);
  for (const [table, { rows }] of before) expect(written.get(table)?.rows, table).toEqual(rows);
});

function person(name: string): Promise<{ id: string }> {
  return demoPerson(database, name);
}
