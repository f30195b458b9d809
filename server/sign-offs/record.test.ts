import { createHash, randomUUID } from "node:crypto";
import { eq, inArray } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { makeFile, makeUser } from "../../db/factories";
import { notifications, projectMembers, projects } from "../../db/schema";
import type { SignOff } from "../contract/views";
import { storeHistory } from "../github/mutations";
import { refusal, type TestCaller } from "../test/caller";
import { of, openSignOffBench } from "../test/sign-off-bench";

const bench = await openSignOffBench();
const { database, callers, people, admin, manager, client, colleague, otherClient, storedText } = bench;
let projectId: string;
let taskIds: string[];
let repositoryId: string;

beforeEach(async () => {
  ({ projectId, taskIds, repositoryId } = await bench.newProject());
});

const ask = (input: object = {}): Promise<SignOff> =>
  of(manager).ask({ projectId, all: true, note: "Please sign off the first release.", ...input });
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
