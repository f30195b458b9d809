import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { makeFile, makeUser } from "../../db/factories";
import { auditEvents, notifications, projectMembers, projects, users } from "../../db/schema";
import { signOffRecordSchema } from "../contract/sign-offs";
import type { SignOff } from "../contract/views";
import { refusal, type TestCaller } from "../test/caller";
import { of, openSignOffBench } from "../test/sign-off-bench";

const bench = await openSignOffBench();
const { database, callers, people, admin, manager, member, client, colleague, otherClient, storedText } = bench;
let projectId: string;
let taskIds: string[];

beforeEach(async () => {
  ({ projectId, taskIds } = await bench.newProject());
});

const ask = (input: object = {}): Promise<SignOff> =>
  of(manager).ask({ projectId, all: true, note: "Please sign off the first release.", ...input });
const switchCollaboration = (clientCollaboration: boolean) =>
  database.db.update(projects).set({ clientCollaboration }).where(eq(projects.id, projectId));

/** What a conflict carries. */
function signOffOf(current: unknown): Pick<SignOff, "version" | "record"> {
  return z.object({ version: z.number(), record: signOffRecordSchema }).parse(current);
}

describe("asking", () => {
  test("a manager asks the client for the whole project: the record says what would be signed", async () => {
    const file = await makeFile(database.db, { projectId, uploadedBy: people.rohan.id, visibility: "client" });
    await makeFile(database.db, { projectId, uploadedBy: people.rohan.id, visibility: "team" });
    const asked = await ask();
    expect(asked).toMatchObject({ status: "asked", signerId: people.meera.id, taskIds: null });
    expect(asked.record).toMatchObject({
      project: { id: projectId, title: "Harbour portal" },
      question: "Please sign off the first release.",
      askedBy: people.rohan.id,
      signer: { id: people.meera.id, name: "Meera Rao" },
      scope: "project",
      tasks: [
        { number: 1, title: "Login", status: "completed", dueDate: null },
        { number: 2, title: "Tides", status: "todo", dueDate: "2026-12-01" },
      ],
      commits: [{ count: 3, first: { sha: "c1" }, last: { sha: "c3" } }],
      liveLink: "https://harbour.example",
      files: [{ id: file.id, name: "plan.txt", size: 5, hash: file.hash }],
    });
    expect(await of(client).list({ projectId })).toEqual([{ ...asked, canDecide: true, canWithdraw: false }]);
    expect(await of(admin).list({ projectId, asClientId: people.meera.id })).toEqual(await of(client).list({}));
  });

  test("some tasks, and one of the client's people: no others can decide", async () => {
    const asked = await ask({ all: undefined, taskIds: [taskIds[1]], signerId: people.arjun.id });
    expect(asked.record).toMatchObject({ scope: "tasks", tasks: [{ title: "Tides" }], commits: [] });
    expect((await refusal(of(client).approve({ signOffId: asked.id }))).code).toBe("FORBIDDEN");
    expect((await of(colleague).approve({ signOffId: asked.id })).decidedBy).toBe(people.arjun.id);
  });

  test("is refused to members who manage nothing, and of what does not fit", async () => {
    const refused = (input: object, caller = manager) =>
      refusal(of(caller).ask({ projectId, all: true, note: "Please.", ...input }));
    expect(await refused({}, member)).toMatchObject({ code: "FORBIDDEN" });
    expect((await refused({ all: undefined })).fieldErrors).toHaveProperty("taskIds");
    expect((await refused({ taskIds })).fieldErrors).toHaveProperty("taskIds");
    expect((await refused({ all: undefined, taskIds: [randomUUID()] })).fieldErrors).toHaveProperty("taskIds");
    expect((await refused({ note: " " })).fieldErrors).toHaveProperty("note");
    expect((await refused({ signerId: people.kabir.id })).fieldErrors).toHaveProperty("signerId");
    await database.db.update(users).set({ accountStatus: "inactive" }).where(eq(users.id, people.arjun.id));
    expect(await refused({ signerId: people.arjun.id })).toMatchObject({ code: "CONFLICT" });
    await database.db.update(users).set({ accountStatus: "active" }).where(eq(users.id, people.arjun.id));
    await switchCollaboration(false);
    expect(await refused({})).toMatchObject({ code: "CONFLICT", reason: "collaboration-off" });
    await database.db.update(projects).set({ clientCollaboration: true, clientId: null });
    expect(await refused({})).toMatchObject({ code: "CONFLICT", reason: "no-client" });
  });

  test("is refused to a manager who is taken off while it waits", async () => {
    let waiting: Promise<unknown> = Promise.resolve();
    await database.sql.begin(async (sql) => {
      await sql`update projects set version = version + 1 where id = ${projectId}`;
      await sql`delete from project_members where project_id = ${projectId} and role = 'manager'`;
      waiting = ask();
      waiting.catch(() => {});
      await database.untilWaiting();
    });
    expect((await refusal(waiting)).code).toBe("FORBIDDEN");
    expect(await of(client).list({ projectId })).toEqual([]);
  });

  test("notifies the signer until it is decided, then who asked; the audit has both", async () => {
    const asked = await ask();
    const notified = () =>
      database.db
        .select({ userId: notifications.userId, kind: notifications.kind, readAt: notifications.readAt })
        .from(notifications)
        .where(eq(notifications.signOffId, asked.id))
        .orderBy(notifications.createdAt);
    expect(await notified()).toEqual([{ userId: people.meera.id, kind: "sign-off-asked", readAt: null }]);
    const inbox = (await client?.notifications.list({}))?.items.find(({ subject }) => subject.signOffId === asked.id);
    expect(inbox).toMatchObject({ title: "Harbour portal", subject: { projectId, signOffId: asked.id } });
    await of(client).requestChanges({ signOffId: asked.id, reason: "The tides are wrong." });
    expect(await notified()).toMatchObject([
      { kind: "sign-off-asked", readAt: expect.any(Date) },
      { userId: people.rohan.id, kind: "sign-off-decided", readAt: null },
    ]);
    const audited = await database.db.select().from(auditEvents).where(eq(auditEvents.subjectId, projectId));
    expect(audited.map(({ kind, actorId }) => [kind, actorId])).toEqual([
      ["sign-off.asked", people.rohan.id],
      ["sign-off.decided", people.meera.id],
    ]);
  });
});

test("a decision reaches admins once whoever asked and all managers are gone", async () => {
  const { db } = database;
  const leaving = await makeUser(db);
  await db.insert(projectMembers).values({ projectId, userId: leaving.id, role: "manager", position: 1 });
  const { id: signOffId } = await of(await callers.as(leaving)).ask({ projectId, all: true, note: "Please." });
  await db.delete(projectMembers).where(eq(projectMembers.userId, people.rohan.id));
  await db.update(users).set({ accountStatus: "inactive" }).where(eq(users.id, leaving.id));
  await of(client).requestChanges({ signOffId, reason: "The tides are wrong." });
  const notified = await db
    .select({ userId: notifications.userId })
    .from(notifications)
    .where(and(eq(notifications.signOffId, signOffId), eq(notifications.kind, "sign-off-decided")));
  expect(notified).toEqual([{ userId: people.asha.id }]);
});

describe("until the decision", () => {
  test("the record follows the work, and reading it stores nothing", async () => {
    const asked = await ask();
    const before = await storedText(asked.id);
    await manager?.tasks.setCompleted({ taskId: taskIds[1] ?? "", completed: true });
    const [shown] = await of(client).list({ projectId });
    expect(shown).toMatchObject({ record: { tasks: [{}, { status: "completed" }] } });
    expect(shown?.version).not.toBe(asked.version);
    expect(await of(manager).byId({ signOffId: asked.id })).toMatchObject({ version: shown?.version });
    await manager?.tasks.update({ taskId: taskIds[0] ?? "", patch: { description: "Of no concern." } });
    expect(await of(client).byId({ signOffId: asked.id })).toMatchObject({ version: shown?.version });
    expect(await storedText(asked.id)).toEqual(before);
  });

  test("what was not seen is not signed: another version is a conflict with the present record", async () => {
    const asked = await ask();
    const seen = await of(client).byId({ signOffId: asked.id });
    const approve = (seenVersion: number) => of(client).approve({ signOffId: asked.id, seenVersion });
    const rename = (title: string) => manager?.tasks.update({ taskId: taskIds[0] ?? "", patch: { title } });
    const conflict = async (seenVersion: number) => {
      const { code, reason, current } = await refusal(approve(seenVersion));
      expect({ code, reason }).toEqual({ code: "CONFLICT", reason: "stale-version" });
      return signOffOf(current);
    };
    await rename("Login page");
    const first = await conflict(seen.version);
    expect(first.record.tasks[0]?.title).toBe("Login page");
    // What the conflict showed is what its version stands for, whatever happens next.
    await rename("Sign-in page");
    expect((await conflict(first.version)).record.tasks[0]?.title).toBe("Sign-in page");
    // What was changed back is what was seen.
    await rename("Login");
    const signed = await approve(seen.version);
    expect(signed).toMatchObject({ status: "approved", version: seen.version, record: seen.record });
    await rename("Login, again");
    expect((await of(client).byId({ signOffId: asked.id })).version).toBe(seen.version);
  });

  test("two decisions at once: one is made, the other is a conflict", async () => {
    const { id: signOffId } = await ask();
    const answers = await Promise.allSettled([
      of(client).approve({ signOffId }),
      of(client).requestChanges({ signOffId, reason: "Not yet." }),
      of(manager).withdraw({ signOffId }),
    ]);
    const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason.code] : []));
    expect(failures).toEqual(["CONFLICT", "CONFLICT"]);
    expect(await refusal(of(client).approve({ signOffId }))).toMatchObject({ reason: "already-decided" });
  });

  test("nobody but the signer decides, and nobody while collaboration is off", async () => {
    const { id: signOffId } = await ask();
    const code = async (caller: TestCaller | undefined) => (await refusal(of(caller).approve({ signOffId }))).code;
    expect(await Promise.all([admin, manager, colleague, otherClient].map(code))).toEqual([
      ...["FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND"],
    ]);
    await switchCollaboration(false);
    expect(await refusal(of(client).approve({ signOffId }))).toMatchObject({ code: "FORBIDDEN" });
    expect(await of(client).byId({ signOffId })).toMatchObject({ status: "asked", canDecide: false });
  });

  test("both sides hear of it as of a change of the project", async () => {
    const streams = await Promise.all(
      [client, member].map(async (caller) =>
        (await caller?.projects.onChange({ projectId }))?.[Symbol.asyncIterator](),
      ),
    );
    const { id: signOffId } = await ask();
    for (const stream of streams) expect((await stream?.next())?.value).toMatchObject({ kind: "project-changed" });
    await of(client).approve({ signOffId });
    for (const stream of streams) expect((await stream?.next())?.value).toMatchObject({ kind: "project-changed" });
    for (const stream of streams) await stream?.return?.();
  });
});
