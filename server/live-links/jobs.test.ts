import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeProject, makeUser, type UserRow } from "../../db/factories";
import { liveLinkChecks, liveLinks, projects } from "../../db/schema";
import { createOutgoing } from "../core/outgoing";
import { createTestCallers, startTestProcess, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { liveLinkKind, liveLinkKinds } from "./jobs";
import { deleteLiveLinks, followLiveLinks } from "./mutations";

let database: TestDatabase;
let callers: TestCallers;
let asha: UserRow;
let mitali: UserRow;
let server: Server;
let origin: string;
/** What the site answers: a status, or nothing at all. */
let answer: number | "nothing" = 200;
let asked: string[] = [];
const endings: (() => void)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  asha = await makeUser(database.db, { accountType: "admin" });
  mitali = await makeUser(database.db);
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (answer === "nothing") endings.push(() => response.destroy());
    else response.writeHead(answer, answer === 302 ? { location: "/" } : {}).end("x".repeat(100_000));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
});
beforeEach(async () => {
  await database.db.delete(projects);
  answer = 200;
  asked = [];
});
afterAll(async () => {
  for (const end of endings) end();
  server.closeAllConnections();
  server.close();
  await database.close();
});

const outgoing = createOutgoing({ allowLoopback: true });
const processOf = (guard = outgoing) => liveLinkKind(database.db, { outgoing: guard, everySeconds: 600 });
const makeDue = () => database.db.update(liveLinks).set({ dueAt: sql`now()` });

/** Works off what is due, as another process each time. */
async function checkAll(guard = outgoing): Promise<void> {
  await makeDue();
  const kind = processOf(guard);
  for (;;) {
    const check = await kind.claim();
    if (check === null) return;
    await kind.run(check, new AbortController().signal);
  }
}

async function makeSite(path = "/", given: { status?: "todo" | "on-hold"; liveLink?: string } = {}) {
  const created = await (await callers.as(mitali)).projects.create({
    ...{ title: "Harbour", description: "Berths.", startDate: "2026-11-01", status: "inProgress" },
    ...{ liveLink: `${origin}${path}`, assignedTo: [], managers: [mitali.id], ...given },
  });
  return created.id;
}
const pulseOf = async (projectId: string) => (await callers.as(mitali)).projects.livePulse({ projectId });
const findings = async () => (await callers.as(mitali)).projects.findings();
const rows = () => database.db.select().from(liveLinks);
const checks = () => database.db.select().from(liveLinkChecks);

test("a new live link is checked at once, with its status and since when it answers", async () => {
  const id = await makeSite();
  expect(await pulseOf(id)).toEqual({
    ...{ url: `${origin}/`, state: "unknown", since: null, lastCheckedAt: null },
    checks: [],
  });
  await checkAll();
  const pulse = await pulseOf(id);
  expect(pulse).toMatchObject({ state: "up", checks: [{ isUp: true, status: 200, error: null }] });
  expect(pulse?.since).toBe(pulse?.lastCheckedAt);
  expect(asked).toEqual(["GET /"]);
  await checkAll();
  expect((await pulseOf(id))?.since).toBe(pulse?.since);
  expect(await findings()).toEqual([]);
});

test("a link is dead after three checks in a row without an answer, and no longer once it answers", async () => {
  const id = await makeSite();
  await checkAll();
  answer = 503;
  await checkAll();
  const failing = await pulseOf(id);
  await checkAll();
  expect(await findings()).toEqual([]);
  expect(failing).toMatchObject({ state: "failing", checks: [{ isUp: false, status: 503 }, { isUp: true }] });
  await checkAll();
  expect(await pulseOf(id)).toMatchObject({ state: "dead", since: failing?.since });
  expect(await findings()).toMatchObject([
    { projectId: id, taskId: null, kind: "live-link-dead", since: failing?.since, count: null },
  ]);
  answer = 200;
  await checkAll();
  expect(await findings()).toEqual([]);
  expect(await pulseOf(id)).toMatchObject({ state: "up" });
  answer = 503;
  await checkAll();
  await checkAll();
  expect(await findings(), "counted from the start").toEqual([]);
});

test.each([
  [200, true],
  [302, false],
  [401, true],
  [403, true],
  [404, false],
  [429, true],
  [500, false],
] as const)("status %i: answers %s", async (status, isUp) => {
  answer = status;
  const id = await makeSite();
  await checkAll();
  // A redirect that leads to itself.
  const expected = status === 302 ? { status: null, error: "redirects" } : { status, error: null };
  expect((await pulseOf(id))?.checks).toMatchObject([{ isUp, ...expected }]);
});

test("nobody there, and a name that nobody knows, are no answers", async () => {
  const silent = await makeSite("/", { liveLink: "http://127.0.0.1:1/" });
  const unknown = await makeSite("/", { liveLink: "http://harbour.firm/" });
  await checkAll(createOutgoing({ allowLoopback: true, resolve: async () => [] }));
  expect((await pulseOf(silent))?.checks).toMatchObject([{ isUp: false, status: null, error: "unreachable" }]);
  expect((await pulseOf(unknown))?.checks).toMatchObject([{ isUp: false, status: null, error: "unknown-host" }]);
});

test("an address that is not public is never asked, and called neither up nor dead", async () => {
  const id = await makeSite();
  for (let time = 0; time < 4; time += 1) await checkAll(createOutgoing({ allowLoopback: false }));
  expect(asked).toEqual([]);
  expect(await pulseOf(id)).toMatchObject({ state: "refused", since: null, checks: [] });
  expect(await findings()).toEqual([]);
});

test("links of names that are kept for examples are never asked", async () => {
  for (const host of ["harbour.example", "Harbour.EXAMPLE:8443", "www.example.com", "site.test", "x.invalid./a"])
    await makeSite("/", { liveLink: `https://${host}` });
  await makeDue();
  expect(await processOf().claim()).toBeNull();
  expect(await processOf().backlog()).toEqual({ waiting: 0, lagSeconds: 0 });
  // The name only ends like one.
  const id = await makeSite("/", { liveLink: "https://myexample.com" });
  expect(await processOf().claim()).toMatchObject({ id });
});

test("another link starts anew, and without one, or while the project rests, there is no row", async () => {
  const id = await makeSite();
  answer = 503;
  for (let time = 0; time < 3; time += 1) await checkAll();
  const as = await callers.as(mitali);
  const update = async (patch: Parameters<typeof as.projects.update>[0]["patch"]) => {
    const { version } = await as.projects.byId({ projectId: id });
    await as.projects.update({ projectId: id, version, patch });
  };
  await update({ title: "Harbour again", liveLink: `${origin}/` });
  expect(await findings(), "the same link goes on").toHaveLength(1);
  await update({ liveLink: `${origin}/new` });
  expect(await rows()).toMatchObject([{ id, url: `${origin}/new`, failures: 0, failingSince: null }]);
  expect(await checks()).toEqual([]);
  await update({ status: "on-hold" });
  expect(await rows()).toEqual([]);
  await update({ status: "todo" });
  expect(await rows()).toMatchObject([{ id }]);
  await update({ liveLink: null });
  expect(await rows()).toEqual([]);
  expect(await pulseOf(id)).toBeNull();
});

test("links of imported and restored projects are followed by the upkeep, and what is outdated goes", async () => {
  const [kept, gone] = [await makeSite("/kept"), await makeSite("/gone")];
  await database.db
    .update(projects)
    .set({ liveLink: `${origin}/other` })
    .where(eq(projects.id, gone));
  const imported = await makeProject(database.db, { createdBy: asha.id, liveLink: `${origin}/imported` });
  await makeProject(database.db, { createdBy: asha.id, liveLink: `${origin}/over`, status: "completed" });
  await checkAll();
  await Promise.all([followLiveLinks(database.db), followLiveLinks(database.db)]);
  const urls = (await rows()).map(({ id, url, lastCheckedAt }) => [id, url, lastCheckedAt !== null]);
  expect(urls).toHaveLength(3);
  expect(urls).toEqual(
    expect.arrayContaining([
      [kept, `${origin}/kept`, true],
      [gone, `${origin}/other`, false],
      [imported.id, `${origin}/imported`, false],
    ]),
  );
});

test("switched off there is no check, and nothing that was found stays", async () => {
  await makeSite();
  const demo = await makeSite("/", { liveLink: "https://harbour.example" });
  expect(liveLinkKinds(database.db, { outgoing, everySeconds: 0 }).map(({ name }) => name)).toEqual([
    "live-link-upkeep",
  ]);
  await deleteLiveLinks(database.db);
  expect((await rows()).map(({ id }) => id)).toEqual([demo]);
});

test("of many processes one checks a link, once", async () => {
  for (let site = 0; site < 5; site += 1) await makeSite(`/${site}`);
  await makeDue();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const kind = processOf();
      for (let check = await kind.claim(); check !== null; check = await kind.claim())
        await kind.run(check, new AbortController().signal);
    }),
  );
  expect(asked.toSorted()).toEqual(["GET /0", "GET /1", "GET /2", "GET /3", "GET /4"]);
  expect(await checks()).toHaveLength(5);
});

test("a process that is killed in mid-check leaves no trace, and another one checks instead of it", async () => {
  const id = await makeSite();
  const killed = processOf();
  const lost = await killed.claim();
  expect(lost).toMatchObject({ id });
  expect(await processOf().claim(), "held").toBeNull();
  await database.db.update(liveLinks).set({ leasedUntil: sql`now()`, dueAt: sql`now()` });
  answer = 503;
  await checkAll();
  answer = 200;
  // It was not dead but slow: what it brings is too late.
  if (lost) await killed.run(lost, new AbortController().signal);
  expect(await checks()).toMatchObject([{ isUp: false }]);
  expect(await rows()).toMatchObject([{ failures: 1, leaseId: null }]);
});

test("a process that stops waits for no answer, and counts none", async () => {
  await makeSite();
  answer = "nothing";
  const kind = processOf();
  const check = await kind.claim();
  const stop = new AbortController();
  const running = check && kind.run(check, stop.signal);
  await expect.poll(() => asked.length).toBe(1);
  stop.abort();
  await running;
  expect(await checks()).toEqual([]);
  expect(await rows()).toMatchObject([{ failures: 0, lastCheckedAt: null }]);
  expect(await processOf().claim()).not.toBeNull();
});

test("a link that is changed while it is checked gets no result of the former one", async () => {
  const id = await makeSite();
  const kind = processOf();
  const check = await kind.claim();
  const as = await callers.as(mitali);
  await as.projects.update({ projectId: id, version: 1, patch: { liveLink: `${origin}/new` } });
  if (check) await kind.run(check, new AbortController().signal);
  expect(await checks()).toEqual([]);
  expect(await rows()).toMatchObject([{ url: `${origin}/new`, lastCheckedAt: null }]);
});

test("checks of the same link are spread, and one without an answer is asked again sooner", async () => {
  const id = await makeSite();
  const pause = async () => {
    const [row] = await database.db
      .select({ seconds: sql<number>`extract(epoch from ${liveLinks.dueAt} - ${liveLinks.lastCheckedAt})::float` })
      .from(liveLinks)
      .where(eq(liveLinks.id, id));
    return row?.seconds ?? 0;
  };
  await checkAll();
  expect(await pause()).toBeGreaterThanOrEqual(600);
  expect(await pause()).toBeLessThanOrEqual(750);
  answer = 503;
  for (const expected of [30, 60, 120, 240, 480, 600, 600]) {
    await checkAll();
    expect(await pause()).toBeGreaterThanOrEqual(expected);
    expect(await pause()).toBeLessThanOrEqual(expected * 1.25);
  }
});

test("its manager's open page follows, and nobody else's", async () => {
  const other = await makeUser(database.db);
  await makeSite();
  await checkAll();
  const streaming = await startTestProcess(database);
  const open = async (person: UserRow) => {
    const events = await (await streaming.as(person)).live.onEvent({ topics: ["findings"] });
    const received: unknown[] = [];
    const iterator = events[Symbol.asyncIterator]();
    void (async () => {
      for (let next = await iterator.next(); !next.done; next = await iterator.next())
        if (!Array.isArray(next.value)) received.push(next.value);
    })().catch(() => {});
    return received;
  };
  const [own, others, admins] = await Promise.all([open(mitali), open(other), open(asha)]);
  answer = 503;
  await checkAll();
  await expect.poll(() => own.length).toBe(1);
  await expect.poll(() => admins.length).toBe(1);
  await checkAll();
  await checkAll();
  await expect.poll(() => own.length).toBe(2);
  expect(own[1]).toEqual({ topic: "findings", event: { type: "changed" } });
  expect(others).toEqual([]);
  await streaming.listener.close();
});
