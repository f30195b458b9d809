import { createHash, randomUUID } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { makeFile, makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { makeRepository } from "../../db/repository-factory";
import { auditEvents, notifications, projectMembers, projects, users } from "../../db/schema";
import { signOffRecordSchema } from "../contract/sign-offs";
import type { SignOff } from "../contract/views";
import { storeHistory } from "../github/mutations";
import { refusal, startTestProcess, type TestCaller, type TestProcess } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestProcess;
let people: Record<"asha" | "rohan" | "mitali" | "meera" | "arjun" | "kabir", UserRow>;
let [admin, manager, member, client, colleague, otherClient]: TestCaller[] = [];
let projectId: string;
let taskIds: string[];
let repositoryId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = await startTestProcess(database);
  const { db } = database;
  people = {
    asha: await makeUser(db, { accountType: "admin" }),
    rohan: await makeUser(db),
    mitali: await makeUser(db),
    meera: await makeUser(db, { accountType: "client", name: "Meera Rao" }),
    arjun: await makeUser(db, { accountType: "client" }),
    kabir: await makeUser(db, { accountType: "client" }),
  };
  const { asha, rohan, mitali, meera, arjun, kabir } = people;
  [admin, manager, member] = [await callers.as(asha), await callers.as(rohan), await callers.as(mitali)];
  [client, colleague, otherClient] = [await callers.as(meera), await callers.as(arjun), await callers.as(kabir)];
});
beforeEach(async () => {
  const { db } = database;
  const { rohan, mitali, meera, arjun } = people;
  const commits = ["c3", "c2", "c1"].map((sha) => ({ sha, message: `Secret ${sha}`, authorName: "Rohan" }));
  repositoryId = (await makeRepository(db, { fullName: `sangam-demo/${randomUUID()}`, commits })).id;
  const project = await makeProject(db, {
    createdBy: rohan.id,
    clientId: meera.id,
    assignedTo: [rohan.id, mitali.id],
    managers: [rohan.id],
    clientCollaboration: true,
    title: "Harbour portal",
    liveLink: "https://harbour.example",
    repositoryId,
  });
  projectId = project.id;
  await db.insert(projectMembers).values({ projectId, userId: arjun.id, role: "client", position: 0 });
  taskIds = [
    (await makeTask(db, { projectId, createdBy: rohan.id, title: "Login", status: "completed" })).id,
    (await makeTask(db, { projectId, createdBy: rohan.id, title: "Tides", dueDate: "2026-12-01" })).id,
  ];
});
afterAll(async () => {
  await callers.listener.close();
  await database.close();
});

/** The callers are made before any test runs. */
function of(caller: TestCaller | undefined): TestCaller["signOffs"] {
  if (!caller) throw new Error("no caller");
  return caller.signOffs;
}
const ask = (input: object = {}): Promise<SignOff> =>
  of(manager).ask({ projectId, all: true, note: "Please sign off the first release.", ...input });
const switchCollaboration = (clientCollaboration: boolean) =>
  database.db.update(projects).set({ clientCollaboration }).where(eq(projects.id, projectId));
/** A sync run has found another commit, or with `isWhole` nothing but it. */
const sync = (message: string, { isWhole }: { isWhole: boolean }) => {
  const sha = createHash("sha1").update(message).digest("hex");
  const commit = { sha, message, htmlUrl: "", authorName: "Rohan", authoredAt: new Date() };
  const page = { isWhole, commits: [{ ...commit, authorLogin: null, authorAvatarUrl: null }] };
  return database.db.transaction((tx) => storeHistory(tx, { repositoryId, page, isOpenNow: false }));
};
const edit = async (patch: object) => {
  const { version = 0 } = (await manager?.projects.byId({ projectId })) ?? {};
  return manager?.projects.update({ projectId, version, patch });
};
const statuses = async (caller: TestCaller | undefined) =>
  Object.fromEntries((await of(caller).list({ projectId })).map(({ id, status }) => [id, status]));
/** Who has withdrawn which, as the audit has it. */
const withdrawals = async () => {
  const rows = await database.sql<{ entry: string }[]>`select actor_id || ' ' || (details ->> 'signOffId') as entry
    from audit_events where kind = 'sign-off.withdrawn' and subject_id = ${projectId}`;
  return rows.map(({ entry }) => entry);
};
const storedText = async (id: string) => {
  const [row] = await database.sql`select record::text as text, status from sign_offs where id = ${id}`;
  return row;
};

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

describe("whose turn it is", () => {
  const turnFor = async (caller: TestCaller | undefined, signOffId: string) =>
    (await of(caller).byId({ signOffId })).turn;
  const sendBack = async () =>
    of(client).requestChanges({ signOffId: (await ask()).id, reason: "The tides are wrong." });
  const NOBODY = { owes: "nobody", since: null };

  test("the client's while it is asked and they may decide, and nobody's once they approve", async () => {
    const asked = await ask();
    const { id } = asked;
    for (const caller of [manager, client, colleague])
      expect(await turnFor(caller, id)).toMatchObject({ owes: "client", since: asked.askedAt, answerBy: null });
    await switchCollaboration(false);
    expect(await turnFor(client, id)).toMatchObject(NOBODY);
    await switchCollaboration(true);
    expect((await of(client).approve({ signOffId: id })).turn).toMatchObject(NOBODY);
    expect((await of(manager).withdraw({ signOffId: (await ask()).id })).turn).toMatchObject(NOBODY);
  });

  test("nobody's while the one who was asked can't decide: inactive, no client, or not of the project's", async () => {
    const { db } = database;
    const signer = await makeUser(db, { accountType: "client" });
    await db.insert(projectMembers).values({ projectId, userId: signer.id, role: "client", position: 1 });
    const { id } = await ask({ signerId: signer.id });
    const isSigner = eq(users.id, signer.id);
    expect(await turnFor(manager, id)).toMatchObject({ owes: "client" });
    await db.update(users).set({ accountStatus: "inactive" }).where(isSigner);
    expect(await turnFor(manager, id)).toMatchObject(NOBODY);
    await db.update(users).set({ accountStatus: "active", accountType: "user" }).where(isSigner);
    expect(await turnFor(manager, id)).toMatchObject(NOBODY);
    await db.update(users).set({ accountType: "client" }).where(isSigner);
    expect(await turnFor(manager, id)).toMatchObject({ owes: "client" });
    await db.delete(projectMembers).where(eq(projectMembers.userId, signer.id));
    expect(await turnFor(manager, id)).toMatchObject(NOBODY);
  });

  test("the firm's once changes are wanted, without a promised time, until it asks again", async () => {
    const { id, decidedAt, turn } = await sendBack();
    expect(turn).toMatchObject({ owes: "firm", since: decidedAt, answerBy: null, clock: expect.any(Object) });
    expect(await turnFor(member, id)).toMatchObject({ owes: "firm", since: decidedAt });
    const again = await ask();
    expect(await turnFor(manager, id)).toMatchObject(NOBODY);
    // A question that is taken back has not asked anything.
    await of(manager).withdraw({ signOffId: again.id });
    expect(await turnFor(manager, id)).toMatchObject({ owes: "firm", since: decidedAt });
  });

  test("a question that stood already when another one was sent back has not asked again", async () => {
    const [sentBack, open] = [await ask({ all: undefined, taskIds: taskIds.slice(0, 1) }), await ask()];
    const { decidedAt } = await of(client).requestChanges({ signOffId: sentBack.id, reason: "The tides are wrong." });
    expect(await turnFor(manager, sentBack.id)).toMatchObject({ owes: "firm", since: decidedAt });
    await of(client).approve({ signOffId: open.id });
    expect(await turnFor(manager, sentBack.id)).toMatchObject({ owes: "firm" });
    await ask();
    expect(await turnFor(manager, sentBack.id)).toMatchObject(NOBODY);
  });

  test("nobody's once the project is completed or gone", async () => {
    const [{ id }, asked] = [await sendBack(), await ask()];
    await of(manager).withdraw({ signOffId: asked.id });
    await database.db.update(projects).set({ status: "completed" }).where(eq(projects.id, projectId));
    expect(await turnFor(client, id)).toMatchObject(NOBODY);
    await database.db.update(projects).set({ status: "inProgress" }).where(eq(projects.id, projectId));
    expect(await turnFor(client, id)).toMatchObject({ owes: "firm" });
    await admin?.projects.delete({ projectId });
    for (const caller of [admin, client]) expect(await turnFor(caller, id)).toMatchObject(NOBODY);
  });

  test("who has signed and does not see the project any more is told nothing of what goes on in it", async () => {
    const { id } = await sendBack();
    await database.db.update(projects).set({ clientId: people.kabir.id }).where(eq(projects.id, projectId));
    expect(await turnFor(client, id)).toMatchObject(NOBODY);
    expect(await turnFor(otherClient, id)).toMatchObject({ owes: "firm" });
  });

  test("what was sent back waits for its managers and admins, and for its client; nobody else reads of it", async () => {
    const { id, decidedAt } = await sendBack();
    const waiting = async (caller: TestCaller | undefined) => {
      const items = (await caller?.overview.waiting()) ?? [];
      return items.filter(({ project }) => project?.id === projectId);
    };
    const item = { subject: { signOffId: id }, title: "The tides are wrong.", client: { name: "Meera Rao" } };
    for (const caller of [admin, manager, client, colleague])
      expect(await waiting(caller)).toMatchObject([{ ...item, since: decidedAt, answerBy: null }]);
    for (const caller of [member, otherClient]) expect(await waiting(caller)).toEqual([]);
    await ask();
    expect(await waiting(manager)).toEqual([]);
  });
});

describe("a signed record", () => {
  test("is byte-identical after 1,000 later changes, the deletion of its project and of its signer", async () => {
    const signer = await makeUser(database.db, { accountType: "client", name: "Leela Nair" });
    await database.db.insert(projectMembers).values({ projectId, userId: signer.id, role: "client", position: 1 });
    const file = await makeFile(database.db, { projectId, uploadedBy: people.rohan.id, visibility: "client" });
    const { id: signOffId } = await ask({ signerId: signer.id });
    const asSigner = await callers.as(signer);
    const signed = await of(asSigner).approve({ signOffId });
    const before = await storedText(signOffId);
    // Made by statements, as many as a busy year makes; those that could touch a record go through the product.
    await database.sql`do $$ begin for turn in 1..330 loop
      update projects set title = 'Title ' || turn, change_seq = change_seq + 1;
      update tasks set title = 'Task ' || turn;
      update users set display_name = 'Somebody ' || turn;
    end loop; end $$`;
    for (const mode of ["hidden", "counts", "titles"] as const) {
      await sync(mode, { isWhole: mode === "titles" });
      await edit({ title: mode, liveLink: `https://${mode}.example`, commitView: { mode, maskedWords: ["secret"] } });
      await manager?.tasks.update({ taskId: taskIds[0] ?? "", patch: { title: mode, dueDate: "2027-01-01" } });
      await manager?.tasks.setCompleted({ taskId: taskIds[0] ?? "", completed: mode === "counts" });
    }
    await admin?.files.remove({ fileId: file.id });
    await manager?.tasks.delete({ taskId: taskIds[1] ?? "" });
    const { record, changedAfter } = await of(asSigner).byId({ signOffId });
    expect(record).toEqual(signed.record);
    expect(new Set(changedAfter?.map(({ kind }) => kind))).toEqual(
      new Set([
        ...["project-title", "task-title", "task-status", "task-due-date", "task-removed"],
        ...["commits", "live-link", "file-removed"],
      ]),
    );
    await admin?.projects.delete({ projectId });
    expect(await storedText(signOffId)).toEqual(before);
    for (const caller of [asSigner, admin]) {
      const kept = await of(caller).byId({ signOffId });
      expect(JSON.stringify(kept.record)).toBe(JSON.stringify(signed.record));
      expect(kept).toMatchObject({ isProjectGone: true, changedAfter: [{ kind: "project-deleted" }] });
      expect(await of(caller).list({ projectId })).toHaveLength(1);
    }
    for (const caller of [manager, client, colleague, otherClient])
      expect(await refusal(of(caller).byId({ signOffId }))).toMatchObject({ code: "NOT_FOUND" });
    expect((await refusal(of(manager).list({ projectId }))).code).toBe("NOT_FOUND");
    await admin?.users.erasePerson({ userId: signer.id });
    expect(await storedText(signOffId)).toEqual(before);
  });

  test.each([
    ["titles", [{ count: 3, first: { sha: "c1" } }]],
    ["counts", [{ count: 3, first: null, last: null }]],
    ["hidden", []],
  ] as const)(
    "of a project deleted under %s shows its client no more of commits, and stays as it is",
    async (mode, shown) => {
      const { id: signOffId } = await ask();
      await of(client).approve({ signOffId });
      const before = await storedText(signOffId);
      const { version = 0 } = (await admin?.projects.byId({ projectId })) ?? {};
      await manager?.projects.update({ projectId, version, patch: { commitView: { mode, maskedWords: [] } } });
      await admin?.projects.delete({ projectId });
      for (const caller of [client, admin]) {
        const asClient = caller === admin ? { asClientId: people.meera.id } : {};
        const read = [
          await of(caller).byId({ signOffId, ...asClient }),
          ...(await of(caller).list({ projectId, ...asClient })),
        ];
        expect(read.map(({ record }) => record.commits)).toMatchObject([[...shown], [...shown]]);
        expect(JSON.stringify(read).includes('"c1"')).toBe(mode === "titles");
      }
      expect((await of(admin).byId({ signOffId })).record.commits).toMatchObject([{ first: { sha: "c1" } }]);
      expect(await storedText(signOffId)).toEqual(before);
    },
  );

  test("says what has changed after the approval, and nothing before that", async () => {
    const { id: signOffId } = await ask();
    expect(await of(client).approve({ signOffId })).toMatchObject({ changedAfter: null });
    await manager?.tasks.setCompleted({ taskId: taskIds[0] ?? "", completed: false });
    await manager?.tasks.delete({ taskId: taskIds[1] ?? "" });
    await manager?.tasks.create({ projectId, title: "Moorings", description: "Six of them." });
    const { changedAfter } = await of(client).byId({ signOffId });
    expect(changedAfter?.map(({ kind, from, to }) => [kind, from, to])).toEqual([
      ["task-status", "completed", "todo"],
      ["task-added", null, null],
      ["task-removed", null, null],
    ]);
  });

  test("stays with the one who signed it when the project gets another client, and with nobody else", async () => {
    const [signed, open] = [await ask(), await ask()];
    const former = async () =>
      (await of(client).list({ former: true, status: "approved" })).map(({ id: signOffId }) => signOffId);
    await of(client).approve({ signOffId: signed.id });
    expect(await former()).not.toContain(signed.id);
    const colleagues = await ask({ signerId: people.arjun.id });
    await edit({ clientId: people.kabir.id });
    expect((await of(client).list({ projectId })).map(({ id }) => id)).toEqual([signed.id]);
    expect(await former()).toContain(signed.id);
    expect((await refusal(of(client).approve({ signOffId: open.id }))).code).toBe("NOT_FOUND");
    expect(await statuses(otherClient)).toEqual({
      ...{ [signed.id]: "approved", [open.id]: "withdrawn", [colleagues.id]: "asked" },
    });
    await edit({ clientPeople: [] });
    expect(await statuses(otherClient)).toMatchObject({ [colleagues.id]: "withdrawn" });
    expect((await withdrawals()).toSorted()).toEqual(
      [open, colleagues].map(({ id }) => `${people.rohan.id} ${id}`).toSorted(),
    );
  });

  test("says to whom the project is no longer shown nothing of how it goes on", async () => {
    const { id: signOffId } = await ask();
    await of(client).approve({ signOffId });
    const next = { clientId: people.kabir.id, title: "Kabir's portal", liveLink: "https://kabir.example" };
    await database.db.update(projects).set(next).where(eq(projects.id, projectId));
    await manager?.tasks.create({ projectId, title: "Kabir's moorings", description: "Six of them." });
    expect(await of(client).byId({ signOffId })).toMatchObject({
      changedAfter: null,
      record: { project: { title: "Harbour portal" } },
    });
    expect(JSON.stringify(await of(client).list({}))).not.toContain("Kabir");
    expect((await of(manager).byId({ signOffId })).changedAfter?.map(({ kind }) => kind)).toEqual([
      ...["project-title", "task-added", "live-link"],
    ]);
  });

  test("holds the signer's name once they are erased; the others are unknown then", async () => {
    const signer = await makeUser(database.db, { accountType: "client", name: "Leela Nair" });
    await database.db.insert(projectMembers).values({ projectId, userId: signer.id, role: "client", position: 1 });
    const asked = await ask({ signerId: signer.id });
    await of(await callers.as(signer)).approve({ signOffId: asked.id });
    await admin?.users.erasePerson({ userId: signer.id });
    const kept = await of(admin).byId({ signOffId: asked.id });
    expect(kept.record.signer.name).toBe("Leela Nair");
    expect(kept.people.find(({ id }) => id === signer.id)?.name).not.toBe("Leela Nair");
  });

  test("what is still asked is taken back with its project, and is no card of the signer any more", async () => {
    const { id: signOffId, record } = await ask();
    await manager?.tasks.setCompleted({ taskId: taskIds[1] ?? "", completed: true });
    await admin?.projects.delete({ projectId });
    expect(await of(client).list({ status: "asked" })).not.toContainEqual(expect.objectContaining({ id: signOffId }));
    expect(await of(client).byId({ signOffId })).toMatchObject({
      ...{ status: "withdrawn", decidedBy: people.asha.id, isProjectGone: true, canDecide: false },
      record: { tasks: [record.tasks[0], { status: "completed" }] },
    });
    expect(await refusal(of(client).approve({ signOffId }))).toMatchObject({ reason: "already-decided" });
    expect(await withdrawals()).toEqual([`${people.asha.id} ${signOffId}`]);
    const [notified] = await database.db.select().from(notifications).where(eq(notifications.signOffId, signOffId));
    expect(notified?.readAt ?? null).toEqual(notified ? expect.any(Date) : null);
  });

  test("what is still asked of who leaves is taken back without a deadlock with their inbox", async () => {
    const low = `00000000-0000-4000-8000-${randomUUID().slice(-12)}`;
    const high = `ffffffff-0000-4000-8000-${randomUUID().slice(-12)}`;
    const questions: string[] = [];
    for (const id of [high, low]) {
      const { id: signOffId } = await ask({ signerId: people.arjun.id });
      await database.db.update(notifications).set({ id }).where(eq(notifications.signOffId, signOffId));
      questions.push(signOffId);
    }
    const hold = (id: string) =>
      database.db.select({ id: notifications.id }).from(notifications).where(eq(notifications.id, id));
    let done: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      await tx.execute(hold(low).for("no key update"));
      done = edit({ clientPeople: [] });
      await database.untilWaiting();
      await tx.execute(hold(high).for("no key update", { noWait: true }));
    });
    await done;
    expect(await statuses(admin)).toEqual(Object.fromEntries(questions.map((id) => [id, "withdrawn"])));
    const notified = await database.db
      .select()
      .from(notifications)
      .where(inArray(notifications.id, [low, high]));
    expect(notified.map(({ readAt }) => readAt)).toEqual([expect.any(Date), expect.any(Date)]);
  });

  test("one that was left asked without its project can't be decided, but an admin finds and withdraws it", async () => {
    const { id: signOffId } = await ask();
    await database.db.delete(projects).where(eq(projects.id, projectId));
    expect(await refusal(of(client).approve({ signOffId }))).toMatchObject({
      code: "CONFLICT",
      reason: "project-gone",
    });
    expect(await of(admin).list({ former: true, status: "asked" })).toMatchObject([{ id: signOffId }]);
    expect(await of(admin).withdraw({ signOffId })).toMatchObject({ status: "withdrawn" });
  });
});

test.each([
  ["titles", [{ count: 3, first: { sha: "c1" } }]],
  ["counts", [{ count: 3, first: null, last: null }]],
  ["hidden", []],
] as const)("under %s a client is sent no more of commits than the project shows", async (commitMode, expected) => {
  const before = await ask();
  await of(client).approve({ signOffId: before.id });
  await database.db.update(projects).set({ commitMode }).where(eq(projects.id, projectId));
  const after = await ask();
  for (const { id: signOffId } of [before, after])
    expect((await of(client).byId({ signOffId })).record.commits).toMatchObject([...expected]);
  expect(after.record.commits).toMatchObject([...expected]);
});

describe("files of requests", () => {
  /** A request of the client's with a file. */
  const send = async (name: string) => {
    const file = await makeFile(database.db, { name, uploadedBy: people.meera.id });
    const content = { title: name, text: "As on the sketch.", urgency: "normal" as const, fileIds: [file.id] };
    return client?.requests.create({ projectId, clientRequestId: randomUUID(), ...content });
  };
  const accept = async (request: { id: string } | undefined) =>
    manager?.requests.accept({ requestId: request?.id ?? "", task: { title: "Accepted", description: "As asked." } });
  const decline = async (request: { id: string } | undefined) =>
    manager?.requests.decline({ requestId: request?.id ?? "", reason: "Not this year." });
  const named = ({ record }: SignOff) => record.files.map(({ name }) => name);

  test("are signed with the task that a request became, not while it is open or when it is declined", async () => {
    const task = await accept(await send("accepted.pdf"));
    await decline(await send("declined.pdf"));
    const open = await send("open.pdf");
    expect(named(await ask({ all: undefined, taskIds: [task?.id] }))).toEqual(["accepted.pdf"]);
    expect(named(await ask({ all: undefined, taskIds: [taskIds[0]] }))).toEqual([]);
    const whole = await ask();
    expect(named(whole)).toEqual(["accepted.pdf"]);
    const signOffId = whole.id;
    expect(await of(client).approve({ signOffId })).toMatchObject({ changedAfter: null });
    await accept(open);
    const { changedAfter } = await of(client).byId({ signOffId });
    expect(changedAfter?.map(({ kind, name }) => [kind, name])).toEqual([
      ["task-added", expect.stringContaining("Accepted")],
      ["file-added", "open.pdf"],
    ]);
  });

  test("change nothing of what was approved while records had others of them", async () => {
    const task = await accept(await send("accepted.pdf"));
    await decline(await send("declined.pdf"));
    const [some, all] = [await ask({ all: undefined, taskIds: [task?.id] }), await ask()];
    for (const { id: signOffId } of [some, all]) await of(client).approve({ signOffId });
    const store = (id: string, rows: object[]) =>
      database.sql`update sign_offs set record = jsonb_set(record, '{files}', ${JSON.stringify(rows)}::jsonb) where id = ${id}`;
    const [declined] = await database.sql`select id, name, size::int, hash from files where name = 'declined.pdf'
      and project_id = ${projectId}`;
    await store(some.id, []);
    await store(all.id, [...all.record.files, { ...declined }]);
    for (const { id: signOffId } of [some, all])
      expect(await of(client).byId({ signOffId })).toMatchObject({ changedAfter: null });
    await database.sql`delete from files where id = ${declined?.id}`;
    expect(await of(client).byId({ signOffId: all.id })).toMatchObject({ changedAfter: [{ kind: "file-removed" }] });
  });
});

test("another commit changes what was approved for those only who see commits", async () => {
  const { id: signOffId } = await ask();
  await of(client).approve({ signOffId });
  await database.sql`insert into commits (repository_id, sha, message, html_url, author_name, authored_at)
    values (${repositoryId}, 'd4d4d4d', 'Later', '', 'Rohan', now() + interval '1 day')`;
  const kinds = async () => (await of(client).byId({ signOffId })).changedAfter?.map(({ kind }) => kind) ?? null;
  expect(await kinds()).toEqual(["commits"]);
  await database.db.update(projects).set({ commitMode: "hidden" }).where(eq(projects.id, projectId));
  expect(await kinds()).toBeNull();
});
