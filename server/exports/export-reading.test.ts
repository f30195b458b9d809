import { get, type IncomingMessage } from "node:http";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeProject, makeSession, makeUser, type UserRow } from "../../db/factories";
import { appendedRank } from "../../db/ranks";
import { auditEvents, projectMembers, projects, sessions, tasks } from "../../db/schema";
import { createLiveness } from "../auth/liveness";
import { findSession } from "../auth/queries";
import { MESSAGES } from "../contract/messages";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { startLiveServer } from "../test/live-server";
import { sessionCookie } from "../test/session-cookie";
import { planExport, readExport } from "./export";

let database: TestDatabase;
let mitali: UserRow;

beforeAll(async () => {
  // A download whose reading is late breaks off, and makes room for another one.
  database = await createTestDatabase({ readTimeoutMs: 60_000 });
  mitali = await makeUser(database.db);
});
afterAll(() => database.close());

/** An export under way by someone who is assigned to a project of that many tasks. */
async function begin(taskCount: number) {
  const { db } = database;
  const rohan = await makeUser(db);
  const { id: projectId } = await makeProject(db, { createdBy: mitali.id, assignedTo: [rohan.id] });
  await db.insert(tasks).values(
    Array.from({ length: taskCount }, (_, at) => ({
      projectId,
      number: at + 1,
      rank: appendedRank(at + 1),
      title: `Task ${at + 1}`,
      description: "One of many.",
      createdBy: mitali.id,
    })),
  );
  const { token } = await makeSession(db, { userId: rohan.id });
  const session = await findSession(db, { token });
  if (!session) throw new Error("the session stands");
  const { id: sessionId, actor } = session;
  const live = createLiveness(db);
  /** What happens between a reading and the question whether the reader may still be told. */
  const between = { act: async () => {} };
  const requireLive = async () => {
    await between.act();
    return live({ sessionId, actorId: actor.id });
  };
  const planned = await planExport(db, { actor, scope: "all" });
  return { rohan, projectId, planned, between, pieces: readExport(db, { planned, actor, requireLive }) };
}

test.each([1, 1200])("what was read when the session ended is not told, of %i tasks", async (taskCount) => {
  const { pieces, between, rohan } = await begin(taskCount);
  between.act = async () => void (await database.db.delete(sessions).where(eq(sessions.userId, rohan.id)));
  await expect(pieces.next()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});

test("who is taken off a project in the midst of it gets no more of it, and no file that looks whole", async () => {
  const { pieces, projectId } = await begin(1200);
  expect((await pieces.next()).value).toMatchObject({ isFirst: true, isLast: false });
  await database.db.delete(projectMembers).where(eq(projectMembers.projectId, projectId));
  await expect(pieces.next()).rejects.toMatchObject({ code: "NOT_FOUND", message: MESSAGES.projects.notFound });
});

test("a project that is deleted in the midst of it does not look whole either", async () => {
  const { pieces, projectId } = await begin(1200);
  await pieces.next();
  await database.db.delete(projects).where(eq(projects.id, projectId));
  await expect(pieces.next()).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("what was lost sight of before its turn is left out", async () => {
  const { pieces, planned, projectId } = await begin(1200);
  expect(planned).toHaveLength(1);
  await database.db.delete(projectMembers).where(eq(projectMembers.projectId, projectId));
  expect(await pieces.next()).toEqual({ done: true, value: undefined });
});

test("a project of many requests is read apart from others, and its requests once", async () => {
  const { planned, pieces, rohan, projectId } = await begin(1);
  await makeProject(database.db, { createdBy: rohan.id, assignedTo: [rohan.id] });
  await database.sql`insert into requests (project_id, title, text, created_by)
    select ${projectId}, 'One of many', 'Text', ${rohan.id} from generate_series(1, 501)`;
  await pieces.return(undefined);
  const actor = { ...rohan, displayName: "Rohan Shah" };
  const again = await planExport(database.db, { actor, scope: "all" });
  expect([planned.length, again.length]).toEqual([1, 2]);
  const read: unknown[] = [];
  for await (const { project, isFirst, isLast } of readExport(database.db, {
    ...{ planned: again, actor, requireLive: async () => actor },
  }))
    if (project.id === projectId) read.push([project.requests.length, isFirst, isLast]);
  expect(read).toEqual([
    [501, true, false],
    [0, false, true],
  ]);
});

test("downloads that nobody fetches are five of a person at most, and make room when they are given up", async () => {
  const server = await startLiveServer(database);
  const rohan = await makeUser(database.db);
  const { id: projectId } = await makeProject(database.db, { createdBy: rohan.id });
  // More than the buffers of two sockets hold.
  const description = "₹".repeat(5000);
  await database.db.insert(tasks).values(
    Array.from({ length: 1000 }, (_, at) => {
      const [number, rank] = [at + 1, appendedRank(at + 1)];
      return { projectId, number, rank, title: "A task", description, createdBy: rohan.id };
    }),
  );
  const { token } = await makeSession(database.db, { userId: rohan.id });
  const begun: IncomingMessage[] = [];
  const ask = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { cookie: sessionCookie(token) };
      get(`${server.base}/api/export/projects.json`, { headers }, (answer) => {
        answer.pause();
        answer.on("error", () => {});
        if (answer.statusCode === 200) begun.push(answer);
        else answer.destroy();
        resolve(answer.statusCode);
      }).on("error", reject);
    });
  for (let count = 0; count < 5; count += 1) expect(await ask()).toBe(200);
  expect(await ask()).toBe(429);
  begun.shift()?.destroy();
  await expect.poll(ask).toBe(200);
  expect(await ask()).toBe(429);
  for (const answer of begun) answer.destroy();
  await server.close();
});

test("a call that asks for the headers only takes nothing out and leaves no trace", async () => {
  const server = await startLiveServer(database);
  const asha = await makeUser(database.db, { accountType: "admin" });
  const meera = await makeUser(database.db, { accountType: "client" });
  const head = async ({ id }: UserRow) => {
    const { token } = await makeSession(database.db, { userId: id });
    const headers = { cookie: sessionCookie(token) };
    return fetch(`${server.base}/api/export/projects.csv`, { method: "HEAD", headers });
  };
  const answer = await head(asha);
  expect([answer.status, answer.headers.get("content-disposition")]).toEqual([200, expect.stringContaining(".csv")]);
  expect((await head(meera)).status).toBe(403);
  expect((await fetch(`${server.base}/api/export/projects.json`, { method: "HEAD" })).status).toBe(401);
  const entries = await database.db.select().from(auditEvents).where(eq(auditEvents.actorId, asha.id));
  expect(entries).toEqual([]);
  await server.close();
});
