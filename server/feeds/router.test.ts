import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { calendarFeeds, tasks, users } from "../../db/schema";
import { DAY_MS } from "../contract/days";
import { createTestCallers, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { startLiveServer } from "../test/live-server";
import { listDue } from "./queries";

let database: TestDatabase;
let callers: TestCallers;
let live: Awaited<ReturnType<typeof startLiveServer>>;
let rohan: UserRow;
let meera: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  live = await startLiveServer(database);
  const { db } = database;
  rohan = await makeUser(db);
  meera = await makeUser(db, { accountType: "client" });
  const other = await makeUser(db);
  const people = { createdBy: other.id, clientId: meera.id, assignedTo: [rohan.id] };
  const project = await makeProject(db, {
    ...people,
    title: "Harbour, new; and long ".repeat(6).trim(),
    dueDate: "2100-03-01",
  });
  const task = { projectId: project.id, createdBy: other.id, dueDate: "2100-02-01" };
  await makeTask(db, { ...task, title: "Rohan's", assignedTo: [rohan.id] });
  await makeTask(db, { ...task, title: "Another's", assignedTo: [other.id] });
  await makeProject(db, { createdBy: other.id, title: "Elsewhere", dueDate: "2100-04-01" });
});
afterAll(async () => {
  await live.close();
  await database.close();
});

const daysOn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

async function calendarOf(person: UserRow) {
  const { url } = await (await callers.as(person)).feeds.createCalendar();
  expect(url).toMatch(/^http:\/\/localhost:3000\/api\/calendar\/[\w-]{43}\.ics$/);
  return `${live.base}${new URL(url).pathname}`;
}

test("a calendar holds one's own tasks and projects, of a client all of theirs, as RFC 5545 wants it", async () => {
  const answer = await fetch(await calendarOf(rohan));
  expect(answer.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
  const text = await answer.text();
  const lines = text.split("\r\n");
  expect(text).not.toMatch(/[^\r]\n/);
  expect(lines[0]).toBe("BEGIN:VCALENDAR");
  expect(lines.slice(-2)).toEqual(["END:VCALENDAR", ""]);
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
  const unfolded = text.replaceAll("\r\n ", "");
  expect(unfolded).toContain("DTSTART;VALUE=DATE:21000201\r\n");
  expect(unfolded).toContain("DTEND;VALUE=DATE:21000202\r\n");
  expect(unfolded).toMatch(/DTSTAMP:\d{8}T\d{6}Z\r\n/);
  expect(unfolded).toContain("Harbour\\, new\\; and long");
  expect(unfolded).toMatch(/URL;VALUE=URI:http:\/\/[^/]+\/task\/[A-Z]+\d*-1\r\n/);
  expect(unfolded).toContain("Rohan's");
  expect(unfolded).not.toMatch(/Another's|Elsewhere/);
  const ofClient = await (await fetch(await calendarOf(meera))).text();
  expect(ofClient.match(/BEGIN:VEVENT/g)).toHaveLength(3);
});

test("of more due dates than a calendar holds those to come stay, nearest first, and then the latest past ones", async () => {
  const { db } = database;
  const karan = await makeUser(db, { accountType: "client" });
  const { id: projectId } = await makeProject(db, { createdBy: rohan.id, clientId: karan.id });
  const { id: _, ...row } = await makeTask(db, {
    projectId,
    createdBy: rohan.id,
    title: "Tomorrow",
    dueDate: daysOn(1),
  });
  const older = Array.from({ length: 2_000 }, (_, at) => ({
    ...row,
    ...{
      number: at + 10_000,
      rank: `${row.rank}${String(at).padStart(4, "0")}1`,
      title: `Past ${at}`,
      dueDate: daysOn(-100),
    },
  }));
  await db.insert(tasks).values(older);
  await makeTask(db, { projectId, createdBy: rohan.id, title: "Yesterday", dueDate: daysOn(-1) });
  await makeTask(db, { projectId, createdBy: rohan.id, title: "Far off", dueDate: daysOn(9_000) });
  const due = await listDue(db, karan);
  expect(due).toHaveLength(2_000);
  expect(due.slice(-3).map(({ title }) => title)).toEqual(["Yesterday", "Tomorrow", "Far off"]);
});

test("a new address says since when it is one, so that a page sees that another has replaced it", async () => {
  const { calendar, createCalendar } = (await callers.as(meera)).feeds;
  const first = await createCalendar();
  expect(await calendar()).toEqual({ createdAt: first.createdAt });
  await createCalendar();
  expect(await calendar()).not.toEqual({ createdAt: first.createdAt });
});

test("an unchanged calendar is answered 304", async () => {
  const address = await calendarOf(rohan);
  const tag = (await fetch(address)).headers.get("etag") ?? "";
  expect((await fetch(address, { headers: { "if-none-match": tag } })).status).toBe(304);
});

test("an address is 404 once it is replaced or revoked, for who is not active, and where it was never made; its token is stored nowhere", async () => {
  const first = await calendarOf(rohan);
  const second = await calendarOf(rohan);
  expect([(await fetch(first)).status, (await fetch(second)).status]).toEqual([404, 200]);
  const token = /calendar\/(.*)\.ics/.exec(second)?.[1] ?? "";
  expect(JSON.stringify(await database.db.select().from(calendarFeeds))).not.toContain(token);
  const caller = await callers.as(rohan);
  expect((await caller.feeds.calendar()).createdAt).toMatch(/Z$/);
  await database.db.update(users).set({ accountStatus: "inactive" }).where(eq(users.id, rohan.id));
  expect((await fetch(second)).status).toBe(404);
  await database.db.update(users).set({ accountStatus: "active" }).where(eq(users.id, rohan.id));
  expect((await fetch(second)).status).toBe(200);
  await (await callers.as(rohan)).feeds.revokeCalendar();
  expect((await fetch(second)).status).toBe(404);
  expect((await fetch(`${live.base}/api/calendar/none.ics`)).status).toBe(404);
  expect(await (await callers.as(rohan)).feeds.calendar()).toEqual({ createdAt: null });
});
