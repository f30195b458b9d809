import { afterAll, beforeAll, expect, test } from "vitest";
import { makeUser } from "../../db/factories";
import { auditEvents } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { createTestCallers, refusal, type TestCaller } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { morningJob } from "./jobs";
import { settleTimeZones } from "./mutations";

let database: TestDatabase;
let admin: TestCaller;
let client: TestCaller;

beforeAll(async () => {
  database = await createTestDatabase();
  const callers = createTestCallers(database.db);
  admin = await callers.as(await makeUser(database.db, { accountType: "admin" }));
  client = await callers.as(await makeUser(database.db, { accountType: "client" }));
});
afterAll(() => database.close());

test("until an admin chooses otherwise the server's time zone and the usual hours hold", async () => {
  expect(await admin.organisation.get()).toEqual({
    requireTwoFactorForAdmins: false,
    timeZone: "Asia/Kolkata",
    businessHours: { days: [1, 2, 3, 4, 5], from: "09:00", to: "18:00" },
    holidays: [],
  });
});

test("a missing key stays as it is, lists are put in order, and the audit names what changed", async () => {
  await admin.organisation.update({ timeZone: "Europe/London", holidays: ["2026-12-25", "2026-01-26", "2026-12-25"] });
  await admin.organisation.update({ businessHours: { days: [6, 1, 2], from: "10:00", to: "16:30" } });
  expect(await admin.organisation.get()).toEqual({
    requireTwoFactorForAdmins: false,
    timeZone: "Europe/London",
    businessHours: { days: [1, 2, 6], from: "10:00", to: "16:30" },
    holidays: ["2026-01-26", "2026-12-25"],
  });
  const events = await database.db.select().from(auditEvents).orderBy(auditEvents.id);
  expect(events.map(({ details }) => details.changed)).toEqual(["timeZone, holidays", "businessHours"]);
});

test("what is done at 08:00 moves with the time zone at once, unless it is being done or tried again", async () => {
  const { db, sql } = database;
  const jobs = (["notification-day", "status-reminder"] as const).map((name) =>
    morningJob(db, { name, timeZone: "Asia/Kolkata", work: async () => {} }),
  );
  // The first claim sets the first morning.
  for (const job of jobs) expect(await job.claim()).toBeNull();
  const mornings = (zone: string) => sql`select to_char(due_at at time zone ${zone}, 'HH24:MI') as at,
    due_at > now() and due_at < now() + interval '25 hours' as next from recurring_jobs order by id`;
  for (const timeZone of ["America/New_York", "Pacific/Auckland", "Europe/London"]) {
    await admin.organisation.update({ timeZone });
    expect(await mornings(timeZone)).toEqual([
      { at: "08:00", next: true },
      { at: "08:00", next: true },
    ]);
  }
  await sql`update recurring_jobs set failures = 1 where id = 'notification-day'`;
  await admin.organisation.update({ timeZone: "Asia/Tokyo" });
  expect((await mornings("Asia/Tokyo")).map(({ at }) => at === "08:00")).toEqual([false, true]);
  await admin.organisation.update({ timeZone: "Europe/London" });
});

test("what two admins change at once of the hours and the holidays stays changed, in either order", async () => {
  const [holidaysBefore, usual] = [["2027-01-26", "2027-05-01"], { days: [1, 2, 3], from: "09:00", to: "18:00" }];
  const changes = [
    { businessHours: { days: [1, 2] }, holidays: ["2027-01-26", "2027-05-01", "2027-08-15"], holidaysBefore },
    { businessHours: { from: "10:00" }, holidays: ["2027-05-01", "2027-10-02"], holidaysBefore },
  ];
  for (const order of [changes, changes.toReversed()]) {
    await admin.organisation.update({ businessHours: usual, holidays: holidaysBefore });
    for (const change of order) await admin.organisation.update(change);
    expect(await admin.organisation.get()).toMatchObject({
      businessHours: { days: [1, 2], from: "10:00", to: "18:00" },
      holidays: ["2027-05-01", "2027-08-15", "2027-10-02"],
    });
  }
  // Each is right by itself, and together they would end before they begin.
  await admin.organisation.update({ businessHours: { to: "11:00" } });
  expect((await refusal(admin.organisation.update({ businessHours: { from: "12:00" } }))).fieldErrors).toEqual({
    "businessHours.to": [MESSAGES.organisation.order],
  });
});

test("a time zone is stored by the name that the database has", async () => {
  await admin.organisation.update({ timeZone: "asia/kolkata" });
  expect(await admin.organisation.get()).toMatchObject({ timeZone: "Asia/Kolkata" });
  await database.sql`update organisation set time_zone = 'europe/london'`;
  expect(await settleTimeZones(database.db, { timeZone: "america/new_york" })).toBe("America/New_York");
  expect(await admin.organisation.get()).toMatchObject({ timeZone: "Europe/London" });
  expect(await settleTimeZones(database.db, { timeZone: "SystemV/EST5" })).toBeNull();
});

test("what is required of admins is not told to others", async () => {
  expect(await client.organisation.get()).toMatchObject({ requireTwoFactorForAdmins: null, timeZone: "Europe/London" });
});

test.each([
  ["timeZone", { timeZone: "Mars/Olympus" }, MESSAGES.organisation.timeZone],
  // Names of Intl alone, and abbreviations: PostgreSQL's IST is Israel's, and Intl's is India's.
  ["timeZone", { timeZone: "SystemV/EST5" }, MESSAGES.organisation.timeZone],
  ["timeZone", { timeZone: "IST" }, MESSAGES.organisation.timeZone],
  ["timeZone", { timeZone: "CAT" }, MESSAGES.organisation.timeZone],
  ["timeZone", { timeZone: "EST" }, MESSAGES.organisation.timeZone],
  ["businessHours.to", { businessHours: { days: [1], from: "10:00", to: "09:00" } }, MESSAGES.organisation.order],
  ["businessHours.from", { businessHours: { days: [1], from: "09:75", to: "10:00" } }, MESSAGES.organisation.time],
  ["businessHours.days", { businessHours: { days: [], from: "09:00", to: "10:00" } }, MESSAGES.organisation.days],
])("refuses a wrong %s at its field", async (field, patch, sentence) => {
  expect((await refusal(admin.organisation.update(patch))).fieldErrors).toEqual({ [field]: [sentence] });
});
