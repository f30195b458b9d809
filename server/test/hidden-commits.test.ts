import type { CommitMode } from "@db/client-enums";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeConversation, makeProject, makeSession, makeTask, makeUser } from "../../db/factories";
import { makeRepository } from "../../db/repository-factory";
import { projectMembers, projects, repositories } from "../../db/schema";
import type { FetchedCommit } from "../github/commits";
import { saveReading } from "../github/mutations";
import { claimRepository } from "../github/sync-runs";
import { createTestCallers, type TestCaller } from "./caller";
import {
  answersOf,
  BEGINNINGS,
  type Brought,
  type ClientWorld,
  closeWorlds,
  comparable,
  expectSameSight,
  listen,
  openWorld,
  type Sight,
  VOLATILE,
} from "./client-sight";
import { sessionCookie } from "./session-cookie";

/*
 * What a project hides of its commits reaches its client by no way: two worlds that differ in nothing but that have the same bytes
 * in all that a client, a further person of the client, or an admin who views the portal can call or receive.
 */

interface World extends ClientWorld {
  rohan: TestCaller;
  /** Of the client, of a further person of it, of an admin, and of a manager. */
  cookies: [client: string, colleague: string, admin: string, manager: string];
  clientId: string;
  signOffId: string;
  repositoryId: string;
}
const worlds: World[] = [];
/** What no client may read, in whatever case. */
const SECRET = /quill\s*fish/i;
const REPOSITORY = /konkan\/harbour/i;
/** A record to sign says of which repository its commits are. */
const besidesRecords = (texts: readonly string[]) => texts.join("\n").replaceAll('"repository":"konkan/harbour"', "");

beforeAll(async () => {
  for (let at = 0; at < 6; at += 1) worlds.push(await makeWorld());
}, 120_000);
afterAll(() => closeWorlds(worlds));

async function makeWorld(): Promise<World> {
  const { database, server } = await openWorld();
  const { db } = database;
  const given = (username: string) => ({ username, email: `${username}@sangam.example`, name: username });
  const rohan = await makeUser(db, given("rohan"));
  const meera = await makeUser(db, { ...given("meera"), accountType: "client" });
  const arjun = await makeUser(db, { ...given("arjun"), accountType: "client" });
  const asha = await makeUser(db, { ...given("asha"), accountType: "admin" });
  const { id: repositoryId } = await makeRepository(db, { fullName: "konkan/harbour" });
  const { id: projectId } = await makeProject(db, {
    ...{ key: "HBP", createdBy: rohan.id, managers: [rohan.id], clientId: meera.id, clientCollaboration: true },
    ...{ repositoryId, githubRepo: "https://github.com/konkan/harbour" },
  });
  await db.insert(projectMembers).values({ projectId, userId: arjun.id, role: "client", position: 0 });
  const { id: taskId } = await makeTask(db, { projectId, createdBy: rohan.id, dueDate: "2026-12-01" });
  const { id: conversationId } = await makeConversation(db, { between: [asha.id, meera.id], messages: [] });
  const caller = await createTestCallers(db).as(rohan);
  const { id: signOffId } = await caller.signOffs.ask({ projectId, all: true, note: "Please look" });
  const cookieOf = async (userId: string) => sessionCookie((await makeSession(db, { userId })).token);
  const firm = [await cookieOf(asha.id), await cookieOf(rohan.id)] as const;
  const cookies: World["cookies"] = [await cookieOf(meera.id), await cookieOf(arjun.id), ...firm];
  const ids = { projectId, taskId, conversationId, signOffId, repositoryId, clientId: meera.id };
  return { database, server, rohan: caller, cookies, cookie: cookies[0], ...ids };
}

async function show({ database, projectId }: World, commitMode: CommitMode, maskedWords: string[] = []): Promise<void> {
  await database.db.update(projects).set({ commitMode, maskedWords }).where(eq(projects.id, projectId));
}

const NOON = new Date(Date.now() - 3_600_000);
type Written = Pick<FetchedCommit, "sha" | "message" | "authorName" | "authorLogin">;

const shaOf = (digit: string) => digit.repeat(40);
function written(message: string, given: Partial<Written> = {}): Written {
  return { sha: shaOf("a"), message, authorName: "Rohan", authorLogin: null, ...given };
}

/** The repository as a sync run finds it, saved with all that follows from it. */
async function push({ database, repositoryId }: World, commits: Written[]): Promise<void> {
  const { db } = database;
  await db
    .update(repositories)
    .set({ dueAt: new Date(0) })
    .where(eq(repositories.id, repositoryId));
  const run = await claimRepository(db);
  if (!run) throw new Error("no repository is due");
  const read = commits.map((commit, at) => ({
    ...commit,
    htmlUrl: `https://github.com/konkan/harbour/commit/${commit.sha}`,
    authoredAt: new Date(NOON.getTime() - at * 1000),
    authorAvatarUrl: commit.authorLogin && "https://pictures.invalid/1",
  }));
  const reading = { outcome: "commits", commits: read, isWhole: true, etag: null, retryAt: null } as const;
  expect(await saveReading(db, { run, reading, grant: null })).toBe(true);
}

/** Everything that the three of them are answered: by the API, as one batch, as a download, and as a picture. */
async function sightOf(world: World): Promise<string[]> {
  const [client, colleague, admin] = world.cookies;
  const { projectId, signOffId, clientId: asClientId } = world;
  const pictures = ["quillfish-bot", "rohan-bot"].map((login) => `/api/github/avatars/${login}`);
  const batch = (names: string, ...inputs: object[]) =>
    `/api/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify({ ...inputs.map((json) => ({ json })) }))}`;
  const names = "github.commits,tasks.list,projects.list,overview.changes";
  const changes = { since: "2026-01-01T00:00:00.000Z", kind: "commits" };
  const portal = batch(names, {}, { projectId }, { scope: "mine" }, changes);
  const byAdmin = batch(
    "github.commits,tasks.list,projects.list,tasks.byKey,signOffs.list",
    ...[{ asClientId }, { asClientId, projectId }, { asClientId, scope: "mine" }, { asClientId, key: "HBP-1" }],
    { asClientId },
  );
  const ofClient = [portal, batch("signOffs.byId,github.commits", { signOffId }, { projectId }), ...pictures];
  const paths: [cookie: string, path: string][] = [
    ...[client, colleague].flatMap((cookie) => ofClient.map((path): [string, string] => [cookie, path])),
    [admin, byAdmin],
  ];
  const answers = [...(await answersOf(world)), ...(await answersOf({ ...world, cookie: colleague }))];
  for (const [cookie, path] of paths) {
    const answer = await fetch(`${world.server.base}${path}`, { headers: { cookie } });
    const headers = [...answer.headers].filter(([header]) => !VOLATILE.has(header));
    answers.push(
      `${path.replace(/\?.*|quillfish/g, "")} ${answer.status} ${await answer.text()} ${JSON.stringify(headers)}`,
    );
  }
  return answers;
}

/** What they are answered and receive while that happens, which brings some of it, and a task is changed after it. */
async function sightDuring(world: World, happens: () => Promise<void>, brings: Brought = {}): Promise<Sight> {
  const streams = [await listen(world), await listen({ ...world, cookie: world.cookies[1] })];
  for (const { until } of streams) await until(BEGINNINGS);
  await happens();
  for (const { until } of streams) await until(brings);
  await world.rohan.tasks.update({ taskId: world.taskId, patch: { title: "Renamed" } });
  const last = { "projects.onChange": "Renamed", "live.onEvent": "Renamed" };
  const received = (await Promise.all(streams.map(({ stop }) => stop(last)))).flat();
  return comparable([...(await sightOf(world)), ...received]);
}
/** What tells a client of commits: of their number alone, and of what tasks show of them too. */
const COUNTED: Brought = { "github.onChange": "projectIds", "live.onEvent": '"topic":"github"' };
const SHOWN: Brought = { ...COUNTED, "projects.onChange": '"kind":"resync"' };

async function pair(at: number): Promise<[World, World]> {
  const [one, other] = worlds.slice(at, at + 2);
  if (!one || !other) throw new Error("no such worlds");
  return [one, other];
}

const SECRETS = [
  written("Fixes HBP-1: the Quillfish login", {
    sha: shaOf("b"),
    authorName: "Quillfish",
    authorLogin: "quillfish-bot",
  }),
  written("HBP-1 Quillfish again"),
];

describe("hidden", () => {
  test("nothing that a client has read is other after a commit, nor after a forced push: no number, no time, no tag", async () => {
    const [world] = await pair(0);
    await show(world, "hidden");
    await sightOf(world);
    const before = await sightOf(world);
    await push(world, SECRETS);
    expect(await sightOf(world)).toEqual(before);
    await push(world, [written("HBP-1 Quillfish, rewritten", { sha: shaOf("d") })]);
    expect(await sightOf(world)).toEqual(before);
    // A public repository shows what the project hides.
    expect(before.join("\n")).not.toMatch(REPOSITORY);
  });

  test("what a client reads and receives later is the same as in a world without commits", async () => {
    const [full, empty] = await pair(0);
    await show(empty, "hidden");
    // Both know the same of their project by now.
    const seen = await sightDuring(full, () => push(full, SECRETS));
    expectSameSight(seen, await sightDuring(empty, async () => {}));
    expect(seen.texts.join("\n")).not.toMatch(SECRET);
  });
});

describe("counts", () => {
  test("a client learns how many there are on a day, and nothing else: not what they say, whose they are, nor which task they name", async () => {
    const [named, other] = await pair(2);
    for (const world of [named, other]) await show(world, "counts");
    const plain = [
      written("Something else", { sha: shaOf("c"), authorName: "Somebody", authorLogin: "rohan-bot" }),
      written("And more", { sha: shaOf("e") }),
    ];
    const seen = await sightDuring(named, () => push(named, SECRETS), COUNTED);
    expectSameSight(seen, await sightDuring(other, () => push(other, plain), COUNTED));
    expect(seen.texts.join("\n")).not.toMatch(SECRET);
    expect(besidesRecords(seen.texts)).not.toMatch(REPOSITORY);
    const [counted] = seen.texts.filter((text) => text.startsWith("github.commits"));
    expect(counted).toContain('"items":[]');
    expect(counted).toMatch(/"counts":\[\{"projectId":"<id \d+>","day":"\d{4}-\d\d-\d\d","count":2\}\]/);
  });

  test("a client learns that a repository could not be read, but not which", async () => {
    const [world] = await pair(2);
    await show(world, "counts");
    await world.database.db.update(repositories).set({ problem: "other", problemStatus: 502 });
    const seen = besidesRecords(await sightOf(world));
    await world.database.db.update(repositories).set({ problem: null, problemStatus: null });
    expect(seen).not.toMatch(REPOSITORY);
    expect(seen).toContain('"repo":"•••","kind":"other","status":502');
  });

  test("the tags of the lists stay as they are when a commit names a task", async () => {
    const [world] = await pair(2);
    const lists = /^(tasks|projects)\./;
    const tagged = async () => [
      ...(await answersOf(world, lists)),
      ...(await answersOf({ ...world, cookie: world.cookies[1] }, lists)),
    ];
    const before = await tagged();
    await push(world, [written("Closes HBP-1 by Quillfish", { sha: shaOf("f") }), ...SECRETS]);
    expect(await tagged()).toEqual(before);
  });
});

describe("masked words", () => {
  /** The same commits about one of two words, which either world masks. */
  const about = (word: string) => [
    written(`Fixes HBP-1: ${word.toUpperCase()} login for ${word}Corp`, {
      ...{ sha: shaOf("b"), authorName: `Ann ${word}`, authorLogin: `${word.replace(/\s/, "").toLowerCase()}-bot` },
    }),
    // Cut at 200 letters, a part of the word would stay.
    written(`HBP-1 ${"x".repeat(190)} ${word}`, { sha: shaOf("c") }),
    written(`HBP-1 said\n\nBecause of\n${word}`, { sha: shaOf("d") }),
    written("HBP-1 open to all", { sha: shaOf("e"), authorLogin: "rohan-bot" }),
  ];

  test("a client reads the same whatever word stands there, and the rest of the commit", async () => {
    const [one, other] = await pair(4);
    await show(one, "titles", ["quillfish"]);
    await show(other, "titles", ["Elsewhere Ltd"]);
    const seen = await sightDuring(one, () => push(one, about("Quillfish")), SHOWN);
    expectSameSight(seen, await sightDuring(other, () => push(other, about("Elsewhere Ltd")), SHOWN));
    expect(seen.texts.join("\n")).not.toMatch(SECRET);
    const text = seen.texts.filter((line) => line.startsWith("github.commits")).join();
    expect(text).toContain("Fixes HBP-1: ••• login for •••Corp");
    expect(text).toContain("HBP-1 open to all");
    expect(seen.texts.filter((line) => line.startsWith("tasks.list")).join()).toContain("login for •••Corp");
  });

  test("a word with a space is masked over the end of a line, also where a title ends there", async () => {
    const [one] = await pair(4);
    await show(one, "titles", ["Quill fish"]);
    await push(one, [written("HBP-1 for Quill\nfish and others", { sha: shaOf("f"), authorName: "QUILL  FISH" })]);
    const seen = await sightOf(one);
    expect(seen.join("\n")).not.toMatch(/quill|fish and/i);
    expect(seen.join("\n")).toContain("HBP-1 for •••");
    await one.database.db.update(repositories).set({ problem: "auth", problemStatus: 401 });
    await show(one, "titles", ["Konkan"]);
    const masked = besidesRecords(await sightOf(one));
    expect(masked).not.toMatch(/konkan/i);
    expect(masked.match(/"repo":"•••\/harbour"/g)?.length).toBeGreaterThan(1);
  });

  test("the team reads every word, with the link", async () => {
    const [one] = await pair(4);
    const [task] = await one.rohan.tasks.list({ projectId: one.projectId });
    expect(task?.commits?.[0]).toMatchObject({ title: "HBP-1 for Quill", htmlUrl: expect.stringMatching(/github/) });
    const feed = await fetch(`${one.server.base}/api/trpc/github.commits`, { headers: { cookie: one.cookies[2] } });
    expect(await feed.text()).toContain("HBP-1 for Quill\\nfish");
  });
});

test("the team is notified of a commit on a task where the client does not", async () => {
  const [world] = await pair(0);
  await show(world, "hidden");
  const { stop } = await listen({ ...world, cookie: world.cookies[3] });
  await push(world, [written("HBP-1 again", { sha: shaOf("9") })]);
  const resync = '"change":"tasks","kind":"resync"';
  const [received] = (await stop({ "projects.onChange": resync })).filter((text) =>
    text.startsWith("projects.onChange"),
  );
  expect(received).toContain(resync);
  const [task] = await world.rohan.tasks.list({ projectId: world.projectId });
  expect(task?.commits?.map(({ title }) => title)).toEqual(["HBP-1 again"]);
});
