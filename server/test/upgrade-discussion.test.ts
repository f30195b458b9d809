import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestCallers, type TestCaller } from "./caller";
import type { TestDatabase } from "./db";
import { demoPerson, readDump, type Tables, upgradeDump, writeRows } from "./dumps";

/*
 * dumps/0028.sql.gz: a database of commit 75517069, whose newest migration was 0028, the first with comments, files and notifications:
 * its demo, and what was then done in it through the procedures of that version. On task HBP-1 Rohan mentioned the client in a comment with
 * a file and edited it, mentioned an admin in one of the team with another, and deleted one; the client answered, and read the first
 * comment and her notification. Files were attached to the task, to its project and to a message of hers.
 */
const DUMP = readDump("0028");

let database: TestDatabase;
let before: Tables;
let after: Tables;
let callers: Record<"rohan" | "meera" | "asha", TestCaller>;
let subject: { taskId: string };

beforeAll(async () => {
  ({ database, before, after } = await upgradeDump(DUMP));
  const signedIn = createTestCallers(database.db);
  const as = async (name: string) => signedIn.as(await demoPerson(database, name));
  callers = { rohan: await as("rohan"), meera: await as("meera"), asha: await as("asha") };
  subject = { taskId: (await callers.rohan.tasks.byKey({ key: "HBP-1" })).id };
});
afterAll(() => database.close());

test("every row is there after the upgrade, with every value that it had", () => {
  for (const table of ["comments", "files", "notifications", "comment_reads"])
    expect(before.get(table)?.rows.length, table).toBeGreaterThan(0);
  for (const [table, { rows }] of before) expect(after.get(table)?.rows, table).toEqual(rows);
});

test("comments are read and go on, those of the team by the team alone", async () => {
  const textsOf = async (who: TestCaller) => (await who.comments.list({ subject })).items.map(({ text }) => text);
  const [ofTeam, ofClient] = [await textsOf(callers.rohan), await textsOf(callers.meera)];
  for (const texts of [ofTeam, ofClient]) {
    expect(texts).toContainEqual(expect.stringContaining("the berth plan is attached, second edition."));
    expect(texts).not.toContain("Sent too early.");
  }
  const ofTheTeam = expect.stringContaining("the rates are attached for the team.");
  expect(ofTeam).toContainEqual(ofTheTeam);
  expect(ofClient).not.toContainEqual(ofTheTeam);
  const { items } = await callers.meera.comments.list({ subject });
  const said = { subject, text: "And on.", visibility: "client" as const, clientCommentId: crypto.randomUUID() };
  expect(await callers.meera.comments.create(said)).toMatchObject({
    seq: Math.max(...items.map(({ seq }) => seq)) + 1,
  });
});

test("files are listed where they hang, found by name, and those of the team are the team's", async () => {
  const { rohan, meera } = callers;
  const { projectId } = await rohan.tasks.byKey({ key: "HBP-1" });
  const namesOf = (files: { name: string }[]) => files.map(({ name }) => name);
  expect(namesOf(await rohan.files.list({ subject }))).toEqual(["estimate-team.pdf"]);
  expect(namesOf(await meera.files.list({ subject }))).toEqual([]);
  expect(namesOf(await meera.files.list({ subject: { projectId } }))).toEqual(["contract.pdf"]);
  const attached = (await meera.comments.list({ subject })).items.flatMap(({ files }) => namesOf(files));
  expect(attached).toEqual(["berth-plan.pdf"]);
  const found = async (who: TestCaller) => namesOf((await who.search.all({ q: ".pdf" })).files).sort();
  expect(await found(meera)).toEqual(["berth-plan.pdf", "contract.pdf", "tide-table.pdf"]);
  expect(await found(rohan)).toEqual(["berth-plan.pdf", "contract.pdf", "estimate-team.pdf", "rates-team.pdf"]);
});

test("notifications are listed with what was read, and new ones come", async () => {
  const { asha, meera } = callers;
  const [mention] = (await meera.notifications.list({})).items;
  expect(mention).toMatchObject({ kind: "mentioned", subject, readAt: expect.any(String) });
  const kinds = (await asha.notifications.list({})).items.map(({ kind }) => kind);
  expect(kinds).toContain("mentioned");
  const unread = await asha.notifications.unread();
  await callers.rohan.comments.create({
    ...{ subject, text: "Once more", visibility: "team", clientCommentId: crypto.randomUUID() },
  });
  expect((await asha.notifications.list({})).items.length).toBeGreaterThan(kinds.length);
  expect(await asha.notifications.unread()).not.toEqual(unread);
});

test("today's schema takes each row as that version writes it, so that going back is starting it", async () => {
  const written = await writeRows(DUMP, before);
  for (const [table, { rows }] of before) expect(written.get(table)?.rows, table).toEqual(rows);
});
