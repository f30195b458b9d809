import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { makeUser } from "../../db/factories";
import { projectMembers, projects, users } from "../../db/schema";
import type { SignOff } from "../contract/views";
import type { TestCaller } from "../test/caller";
import { of, openSignOffBench } from "../test/sign-off-bench";

const bench = await openSignOffBench();
const { database, people, admin, manager, member, client, colleague, otherClient } = bench;
let projectId: string;
let taskIds: string[];

beforeEach(async () => {
  ({ projectId, taskIds } = await bench.newProject());
});

const ask = (input: object = {}): Promise<SignOff> =>
  of(manager).ask({ projectId, all: true, note: "Please sign off the first release.", ...input });
const switchCollaboration = (clientCollaboration: boolean) =>
  database.db.update(projects).set({ clientCollaboration }).where(eq(projects.id, projectId));

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
