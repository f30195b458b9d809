import { expect, test } from "vitest";
import { cheapHash, createTestCallers } from "../server/test/caller";
import { createTestDatabase } from "../server/test/db";
import { DEMO_PEOPLE } from "./demo-people";
import { notifications } from "./schema";
import { seedDemo } from "./seed";

test("everybody of the demo who may sign in has something read and something unread, sees all of it, and is mailed nothing", async () => {
  const database = await createTestDatabase();
  const { db } = database;
  await seedDemo({ db, hashPassword: async (password) => cheapHash(password) });
  const rows = await db.select().from(notifications);
  const people = await db.query.users.findMany();
  const callers = createTestCallers(db);
  for (const { username, accountStatus } of DEMO_PEOPLE) {
    const person = people.find((one) => one.username === username);
    const own = rows.filter(({ userId }) => userId === person?.id);
    if (!person || accountStatus !== "active") {
      expect(own).toEqual([]);
      continue;
    }
    const { items, unread } = await (await callers.as(person)).notifications.list({});
    expect([username, items.length]).toEqual([username, own.length]);
    expect(unread).toBeGreaterThan(0);
    expect(unread).toBeLessThan(own.length);
    expect(new Set(own.map(({ kind }) => kind)).size).toBeGreaterThan(person.accountType === "client" ? 0 : 1);
  }
  expect(rows.filter(({ mailDueAt, pushDueAt }) => mailDueAt ?? pushDueAt)).toEqual([]);
  await database.close();
});
