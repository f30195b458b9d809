import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeUser, type UserRow } from "../../db/factories";
import { notifications, projectMembers, requests } from "../../db/schema";
import { createTestCallers, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { makeNotificationRows } from "../test/notification-rows";
import { notifyOfMissingStatus, notifyOfRepository, notifyOfRequest } from "./mutations";

let database: TestDatabase;
let callers: TestCallers;
let rohan: UserRow;
let mitali: UserRow;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
});
afterAll(() => database.close());
beforeEach(async () => {
  ({ rohan, mitali, projectId } = await makeNotificationRows(database));
});

const manage = (person: UserRow) =>
  database.db.insert(projectMembers).values({ projectId, userId: person.id, role: "manager", position: 0 });

describe("other modules", () => {
  /** Links a repository to the project; each call of the answer is a run that could not read it. */
  const linkRepository = async () => {
    const [repository] =
      await database.sql`insert into repositories (owner, name, full_name) values ('firm', 'quay', 'Firm/quay') returning id`;
    await database.sql`update projects set repository_id = ${repository?.id}`;
    return (problem: "auth" | "other", failures: number) =>
      database.db.transaction((tx) => notifyOfRepository(tx, { repositoryId: repository?.id, problem, failures }));
  };
  const inboxKinds = async (person: UserRow) =>
    (await (await callers.as(person)).notifications.list({})).items.map(({ kind, details, readAt }) => [
      kind,
      details,
      readAt !== null,
    ]);

  test("notify of assignments, of a task and of a project", async () => {
    const caller = await callers.as(rohan);
    const task = await caller.tasks.create({ projectId, title: "New", description: "Words", assignedTo: [mitali.id] });
    await caller.tasks.update({ taskId: task.id, patch: { title: "Newer" } });
    expect(await inboxKinds(mitali)).toEqual([["assigned", null, false]]);
    const priya = await makeUser(database.db);
    await caller.projects.update({ projectId, version: 1, patch: { managers: [priya.id] } });
    expect(await inboxKinds(priya)).toEqual([["assigned", null, false]]);
    expect(await inboxKinds(rohan)).toEqual([]);
  });

  test("notify of a status that has changed, whoever follows the project", async () => {
    await (await callers.as(rohan)).projects.update({
      projectId,
      version: 1,
      patch: { status: "on-hold", title: "Quay" },
    });
    await (await callers.as(rohan)).projects.update({ projectId, version: 2, patch: { title: "Pier" } });
    expect(await inboxKinds(mitali)).toEqual([["project-status", "on-hold", false]]);
  });

  test("notify admins of sign-ups and inquiries, until one has dealt with them", async () => {
    const [asha, vikram] = [
      await makeUser(database.db, { accountType: "admin" }),
      await makeUser(database.db, { accountType: "admin" }),
    ];
    await callers.anonymous.auth.signUp({
      name: "New Person",
      email: `${randomUUID()}@firm.example`,
      mobile: "+91 98200 00000",
      password: "secret-enough",
      confirmPassword: "secret-enough",
      agreeToTerms: true,
    });
    await callers.anonymous.inquiries.submit({
      kind: "contact",
      name: "Visitor",
      email: "visitor@firm.example",
      subject: "project",
      message: "Hello",
    });
    const inbox = (await (await callers.as(asha)).notifications.list({})).items;
    expect(inbox.map(({ kind, title }) => [kind, title])).toEqual([
      ["inquiry", "Visitor"],
      ["sign-up-waiting", "New Person"],
    ]);
    const [inquiry, signUp] = inbox;
    await (await callers.as(vikram)).users.reject({ userId: signUp?.subject.userId ?? "" });
    await (await callers.as(vikram)).inquiries.setStatus({
      inquiryId: inquiry?.subject.inquiryId ?? "",
      status: "answered",
    });
    expect(await inboxKinds(asha)).toEqual([
      ["inquiry", null, true],
      ["sign-up-waiting", null, true],
    ]);
  });

  test("notify admins of a repository that can't be read where the managers are all gone", async () => {
    const asha = await makeUser(database.db, { accountType: "admin" });
    const fail = await linkRepository();
    await manage(await makeUser(database.db, { accountStatus: "inactive" }));
    await fail("auth", 1);
    expect(await inboxKinds(asha)).toEqual([["repository-trouble", "Firm/quay", false]]);
  });

  test("notify admins, not a client who stands among the managers, of what is the team's", async () => {
    const { db } = database;
    const asha = await makeUser(db, { accountType: "admin" });
    const meera = await makeUser(db, { accountType: "client" });
    const fail = await linkRepository();
    await manage(meera);
    await fail("auth", 1);
    await db.transaction((tx) => notifyOfMissingStatus(tx, { projectId, week: "2026-48" }));
    const filed = { projectId, title: "Ropes", text: "Both", createdBy: rohan.id };
    const [request] = await db.insert(requests).values(filed).returning();
    const requestId = request?.id ?? "";
    await db.transaction((tx) =>
      notifyOfRequest(tx, { requestId, projectId, actorId: rohan.id, step: "new", cause: "filed" }),
    );
    const ofTeam = [
      ["request", "new", false],
      ["status-update", "reminder", false],
      ["repository-trouble", "Firm/quay", false],
    ];
    expect(await inboxKinds(asha)).toEqual(ofTeam);
    expect(await db.$count(notifications, eq(notifications.userId, meera.id))).toBe(0);
    // A manager whose account becomes a client's reads nothing of what came before.
    await db.update(notifications).set({ userId: meera.id }).where(eq(notifications.userId, asha.id));
    expect(await inboxKinds(meera)).toEqual([]);
  });

  test("notify managers of a repository that can't be read, once until it has been read again", async () => {
    const fail = await linkRepository();
    await manage(mitali);
    await fail("other", 1);
    expect(await inboxKinds(mitali)).toEqual([]);
    for (const failures of [1, 2]) await fail("auth", failures);
    expect(await inboxKinds(mitali)).toEqual([["repository-trouble", "Firm/quay", false]]);
    await database.sql`update repositories set last_success_at = now()`;
    await fail("auth", 1);
    expect(await inboxKinds(mitali)).toHaveLength(2);
    expect(await inboxKinds(rohan)).toEqual([]);
  });
});
