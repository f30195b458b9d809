import { asc, eq, inArray, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeTask, makeUser, type UserRow } from "../../db/factories";
import { mailJobs, notifications, projectMembers, tasks, users } from "../../db/schema";
import { createLogger } from "../core/logger";
import { createTestCallers, type TestCallers, testVault } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { makeNotificationRows, type NotificationRows } from "../test/notification-rows";
import { notificationKinds, notifyOfDueDates } from "./jobs";
import { createNotificationMails } from "./mails";

const publicUrl = "https://sangam.example";
const timeZone = "Asia/Kolkata";
const logger = createLogger({ level: "silent" });
/** Of a process that goes on. */
const NEVER = new AbortController().signal;

let database: TestDatabase;
let callers: TestCallers;
let rohan: UserRow;
let mitali: UserRow;
let projectId: string;
let send: NotificationRows["send"];

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
});
afterAll(() => database.close());
beforeEach(async () => {
  ({ rohan, mitali, projectId, send } = await makeNotificationRows(database));
});

const manage = (person: UserRow) =>
  database.db.insert(projectMembers).values({ projectId, userId: person.id, role: "manager", position: 0 });
const queued = () => database.db.select().from(mailJobs).orderBy(asc(mailJobs.id));
const compose = async () => {
  const write = createNotificationMails({ db: database.db, publicUrl });
  return Promise.all((await queued()).map((job) => write(job)));
};

describe("the jobs", () => {
  /** As the server starts them, with a time zone in which it is another day than in the organisation's. */
  const kindOf = (name: string) => {
    const push = { vault: testVault, logger, send: async () => {} };
    const kind = notificationKinds(database.db, { timeZone: "Pacific/Niue", ...push }).find((one) => one.name === name);
    if (!kind) throw new Error(`there is no ${name}`);
    return kind;
  };
  /** Whether a run was due; what is due is done. */
  const runDue = async (kind: ReturnType<typeof kindOf>) => {
    const job = await kind.claim();
    if (job) await kind.run(job, NEVER);
    return job !== null;
  };
  beforeEach(() => database.sql`truncate recurring_jobs, organisation`);
  afterAll(() => database.sql`truncate organisation`);

  test("of the day runs at 08:00 of the organisation, not before: what is due or overdue is said once, in the digest", async () => {
    const { db, sql } = database;
    const zone = "Pacific/Kiritimati";
    const admin = await makeUser(db, { accountType: "admin" });
    await (await callers.as(admin)).organisation.update({ timeZone: zone });
    for (const [title, days] of Object.entries({ Tomorrow: 1, Overdue: -1, Today: 0, Later: 2 })) {
      const task = await makeTask(db, { projectId, createdBy: rohan.id, title, assignedTo: [mitali.id] });
      await sql`update tasks set due_date = (now() at time zone ${zone})::date + ${days}::int where id = ${task.id}`;
    }
    const kind = kindOf("notification-day");
    expect(await runDue(kind)).toBe(false);
    const nextRun = () => sql`select to_char(due_at at time zone ${zone}, 'HH24:MI:SS') as at,
      due_at > now() and due_at <= now() + interval '1 day' as next from recurring_jobs`;
    expect([...(await nextRun())]).toEqual([{ at: "08:00:00", next: true }]);
    await sql`update recurring_jobs set due_at = now() + interval '1 minute'`;
    expect(await runDue(kind)).toBe(false);
    expect([await queued(), await db.$count(notifications)]).toEqual([[], 0]);
    await sql`update recurring_jobs set due_at = now()`;
    expect(await runDue(kind)).toBe(true);
    const [mail, ...others] = await compose();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: mitali.email, subject: "Your day on Sangam: 3 notifications" });
    for (const title of ["Tomorrow", "Today"]) expect(mail?.text).toMatch(new RegExp(`${title}\\n- Due on \\d+ `));
    expect(mail?.text).toMatch(/Overdue\n- Overdue\n/);
    expect([...(await nextRun())]).toEqual([{ at: "08:00:00", next: true }]);
    expect(await runDue(kind)).toBe(false);
    // Should it be done again on that day, there is nothing left to say.
    await sql`update recurring_jobs set due_at = now()`;
    expect(await runDue(kind)).toBe(true);
    expect([(await queued()).length, await db.$count(notifications)]).toEqual([1, 3]);
  });

  test("of the day that a server leaves undone when it stops is done by another one on the same morning", async () => {
    const { sql } = database;
    const kind = kindOf("notification-day");
    await send("comment");
    await kind.claim();
    await sql`update recurring_jobs set due_at = now()`;
    const job = await kind.claim();
    if (!job) throw new Error("it is due");
    await expect(kind.run(job, AbortSignal.abort())).rejects.toThrow("aborted");
    await kind.retryLater(job);
    expect([...(await sql`select due_at < now() + interval '1 minute' as soon from recurring_jobs`)]).toEqual([
      { soon: true },
    ]);
    await sql`update recurring_jobs set due_at = now()`;
    expect(await runDue(kindOf("notification-day"))).toBe(true);
    expect(await queued()).toHaveLength(1);
  });

  test("of mails sends one that is held after five minutes, not before", async () => {
    const { sql } = database;
    const kind = kindOf("notification-mail");
    await send("assigned");
    const pass = async (time: string) => {
      await sql`update notifications set mail_due_at = mail_due_at - ${time}::interval`;
      await sql`update recurring_jobs set due_at = now()`;
      expect(await runDue(kind)).toBe(true);
      return (await queued()).length;
    };
    expect([await pass("4 minutes 30 seconds"), await pass("30 seconds"), await pass("1 minute")]).toEqual([0, 1, 1]);
  });
});

describe("what is due", () => {
  const inDays = (days: number) => sql<string>`(now() at time zone ${timeZone})::date + ${days}::int`;
  const makeDue = async (days: number, status: "todo" | "completed" = "todo") => {
    const task = await makeTask(database.db, {
      projectId,
      createdBy: rohan.id,
      title: `${days}`,
      status,
      assignedTo: [mitali.id],
    });
    await database.db
      .update(tasks)
      .set({ dueDate: inDays(days) })
      .where(eq(tasks.id, task.id));
  };
  const inbox = async (person: UserRow) =>
    (await (await callers.as(person)).notifications.list({})).items
      .map(({ kind, title }) => `${kind} ${title}`)
      .toSorted();

  test("today or tomorrow, and since when it is overdue, is said once to whom it is assigned", async () => {
    for (const days of [-9, -1, 0, 1, 2]) await makeDue(days);
    await makeDue(1, "completed");
    for (const _time of [1, 2]) await notifyOfDueDates(database.db, { timeZone });
    expect(await inbox(mitali)).toEqual(["due-soon 0", "due-soon 1", "overdue -1"]);
    expect(await inbox(rohan)).toEqual([]);
  });

  test("today is said where yesterday's morning had no server, and not again where it had one", async () => {
    // Two zones that are a day apart: the first one's tomorrow is the second one's today.
    const [yesterday, today] = ["Etc/GMT+12", "Etc/GMT-12"];
    const makeDueThen = async (title: string) => {
      const given = { projectId, createdBy: rohan.id, title, assignedTo: [mitali.id] };
      const { id } = await makeTask(database.db, given);
      await database.sql`update tasks set due_date = (now() at time zone ${today})::date where id = ${id}`;
    };
    await makeDueThen("Announced");
    await notifyOfDueDates(database.db, { timeZone: yesterday });
    expect(await inbox(mitali)).toEqual(["due-soon Announced"]);
    await (await callers.as(mitali)).notifications.markRead({ all: true });
    await makeDueThen("Missed");
    await notifyOfDueDates(database.db, { timeZone: today });
    expect(await inbox(mitali)).toEqual(["due-soon Announced", "due-soon Missed"]);
    const { items } = await (await callers.as(mitali)).notifications.list({ unreadOnly: true });
    expect(items).toMatchObject([{ title: "Missed", details: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }]);
  });

  test("of a project is said to its managers, or to all of it without one", async () => {
    await database.sql`update projects set due_date = (now() at time zone ${timeZone})::date + 1, start_date = '2020-01-01'`;
    await notifyOfDueDates(database.db, { timeZone });
    expect([await inbox(mitali), await inbox(rohan)]).toEqual([["due-soon Harbour"], ["due-soon Harbour"]]);
  });

  test("of a project whose managers are all gone is said to those who are assigned", async () => {
    await database.sql`update projects set due_date = (now() at time zone ${timeZone})::date + 1, start_date = '2020-01-01'`;
    await manage(await makeUser(database.db, { accountStatus: "inactive" }));
    await notifyOfDueDates(database.db, { timeZone });
    expect([await inbox(mitali), await inbox(rohan)]).toEqual([["due-soon Harbour"], ["due-soon Harbour"]]);
  });

  test("of a project of which nobody is left is said to the admins", async () => {
    await database.sql`update projects set due_date = (now() at time zone ${timeZone})::date + 1, start_date = '2020-01-01'`;
    const admin = await makeUser(database.db, { accountType: "admin" });
    await database.db
      .update(users)
      .set({ accountStatus: "inactive" })
      .where(inArray(users.id, [mitali.id, rohan.id]));
    await notifyOfDueDates(database.db, { timeZone });
    expect(await inbox(admin)).toEqual(["due-soon Harbour"]);
  });
});
