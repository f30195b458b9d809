import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeProject, type UserRow } from "../../db/factories";
import { makeRepository } from "../../db/repository-factory";
import type { TestCaller } from "../test/caller";
import type { TestDatabase } from "../test/db";
import { type Behaviour, type GitHubServer, gitHubCommit } from "../test/github-server";
import {
  passSeconds,
  type RepositoryBench,
  standingOf,
  startRepositoryBench,
  startRepositoryProcess,
  untilRead,
} from "../test/repository-rig";
import { claimRepository } from "./flights";
import { saveReading } from "./mutations";

let bench: RepositoryBench;
let database: TestDatabase;
let github: GitHubServer;
let asha: UserRow;
/** The same admin, at one process and at the other. */
let admin: TestCaller;
let elsewhere: TestCaller;

beforeAll(async () => {
  bench = await startRepositoryBench();
  ({ database, github, asha } = bench);
  [admin, elsewhere] = await bench.startProcesses();
});
beforeEach(() => bench.clear());
afterAll(() => bench.close());

const link: RepositoryBench["link"] = (...given) => bench.link(...given);
const calls: RepositoryBench["calls"] = (fullName) => bench.calls(fullName);
const shas: RepositoryBench["shas"] = (projectId) => bench.shas(projectId);

test("a new link is read by itself, once, whichever process is first", async () => {
  const commits = [gitHubCommit(), gitHubCommit({ author: null })];
  const projectId = await link("Konkan/Harbour", { commits });
  await untilRead(database);
  const feed = await admin.github.commits({ projectId });
  expect(feed.items.map(({ sha, author }) => [sha, author?.login ?? null])).toEqual([
    [commits[0]?.sha, "rohan-shah"],
    [commits[1]?.sha, null],
  ]);
  expect(feed).toMatchObject({ problems: [], repositories: 1, refreshing: 0, tokenConfigured: false });
  const { title } = await admin.projects.byId({ projectId });
  expect(feed.items[0]).toMatchObject({ repo: "Konkan/Harbour", project: { id: projectId, title } });
  expect(calls("konkan/harbour")).toBe(1);
});

test("100 refresh clicks at two processes make one call per repository and minute", async () => {
  const names = ["konkan/one", "konkan/two", "konkan/three"];
  await Promise.all(names.map((name) => link(name, { commits: [gitHubCommit()], slowMs: 30 })));
  await untilRead(database);
  expect(names.map(calls)).toEqual([1, 1, 1]);
  const clicks = () =>
    Promise.all(Array.from({ length: 100 }, (_, at) => (at % 2 ? admin : elsewhere).github.refresh()));
  expect(await clicks()).toContainEqual({ now: 0, later: 3 });
  await untilRead(database);
  expect(names.map(calls)).toEqual([1, 1, 1]);
  // What was clicked within the minute is answered by one call when it is over.
  await passSeconds(database, 61);
  await untilRead(database);
  expect(names.map(calls)).toEqual([2, 2, 2]);
  await passSeconds(database, 61);
  expect((await clicks()).every(({ now, later }) => now + later === 3)).toBe(true);
  await untilRead(database);
  expect(names.map(calls)).toEqual([3, 3, 3]);
});

test("a click that comes while a repository is read is answered by the next call, after the minute", async () => {
  await link("konkan/slow", { commits: [], slowMs: 200 });
  while (calls("konkan/slow") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await admin.github.refresh()).toEqual({ now: 0, later: 1 });
  await untilRead(database);
  await passSeconds(database, 61);
  await untilRead(database);
  expect(calls("konkan/slow")).toBe(2);
});

test("an unchanged repository costs a 304 and keeps its commits", async () => {
  const projectId = await link("konkan/harbour", { commits: [gitHubCommit()] });
  await untilRead(database);
  const before = await shas(projectId);
  await passSeconds(database, 61);
  await admin.github.refresh({ projectId });
  await untilRead(database);
  const [first, second] = github.requestsFor("konkan/harbour");
  expect(first?.headers["if-none-match"]).toBeUndefined();
  expect(second?.headers["if-none-match"]).toMatch(/^W\//);
  expect(await shas(projectId)).toEqual(before);
  expect((await standingOf(database, projectId))?.problem).toBeNull();
});

test("one failing repository never hides the others, and each says what is wrong with it", async () => {
  const good = [await link("konkan/good", { commits: [gitHubCommit()] })];
  const bad: [Behaviour | undefined, string, number | null][] = [
    [undefined, "not-found", 404],
    [{ status: 401 }, "auth", 401],
    [{ status: 403 }, "auth", 403],
    [{ status: 429 }, "rate-limit", 429],
    [{ status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "9999999999" } }, "rate-limit", 403],
    [{ status: 500 }, "other", 500],
    [{ raw: "<html>" }, "other", 200],
    [{ hugeBytes: 4 * 1024 * 1024 }, "other", 200],
    [{ hangs: true }, "other", null],
    [{ dropped: true }, "other", null],
    [{ redirectTo: "https://elsewhere.example/x" }, "other", 301],
  ];
  const ids = new Map<string, string>();
  for (const [at, [behaviour]] of bad.entries()) ids.set(await link(`konkan/bad-${at}`, behaviour), `konkan/bad-${at}`);
  good.push(await link("konkan/last", { commits: [gitHubCommit()] }));
  await untilRead(database);
  const feed = await admin.github.commits();
  expect(new Set(feed.items.map(({ project }) => project.id))).toEqual(new Set(good));
  const told = new Map(feed.problems.map(({ projectId, repo, kind, status }) => [projectId, [repo, kind, status]]));
  const expected = [...ids].map(([id, repo], at) => [id, [repo, bad[at]?.[1], bad[at]?.[2]]] as const);
  expect(told).toEqual(new Map(expected));
  for (const at of bad.keys()) expect(calls(`konkan/bad-${at}`)).toBe(1);
});

test("commits from before a failure stay, and the problem goes with the next success", async () => {
  const projectId = await link("konkan/harbour", { commits: [gitHubCommit()] });
  await untilRead(database);
  const before = await shas(projectId);
  const healthy = github.repositories.get("konkan/harbour");
  github.repositories.set("konkan/harbour", { status: 500 });
  await passSeconds(database, 61);
  await admin.github.refresh();
  await untilRead(database);
  const feed = await admin.github.commits({ projectId });
  expect(feed.items.map(({ sha }) => sha)).toEqual(before);
  expect(feed.problems).toMatchObject([{ kind: "other", status: 500 }]);
  if (healthy) github.repositories.set("konkan/harbour", healthy);
  // By itself: what may be over in a minute is tried again then.
  await passSeconds(database, 80);
  await untilRead(database);
  expect((await admin.github.commits({ projectId })).problems).toEqual([]);
});

test("a limit is obeyed: nobody's click calls before its time", async () => {
  const projectId = await link("konkan/busy", { status: 429, headers: { "retry-after": "1800" } });
  await untilRead(database);
  await passSeconds(database, 120);
  expect(await admin.github.refresh()).toEqual({ now: 0, later: 1 });
  await untilRead(database);
  expect(calls("konkan/busy")).toBe(1);
  expect((await standingOf(database, projectId))?.blockedUntil?.valueOf()).toBeGreaterThan(Date.now() + 1_600_000);
  github.repositories.set("konkan/busy", { commits: [gitHubCommit()] });
  await passSeconds(database, 1_800);
  await untilRead(database);
  expect(await shas(projectId)).toHaveLength(1);
});

test("a limit that is used up puts off what is read in the background with the same right", async () => {
  const calm = await link("konkan/calm", { commits: [] });
  await untilRead(database);
  const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 3_000) };
  await link("konkan/last-one", { status: 403, headers });
  await untilRead(database);
  await passSeconds(database, 2_000);
  await untilRead(database);
  expect(calls("konkan/calm")).toBe(1);
  expect((await standingOf(database, calm))?.dueAt.valueOf()).toBeGreaterThan(Date.now());
});

test("linked repositories are read in the background about every quarter of an hour", async () => {
  const projectId = await link("konkan/harbour", { commits: [] });
  await untilRead(database);
  const due = ((await standingOf(database, projectId))?.dueAt.valueOf() ?? 0) - Date.now();
  expect(due).toBeGreaterThan(14 * 60_000);
  expect(due).toBeLessThan(20 * 60_000);
  await passSeconds(database, 20 * 60);
  await untilRead(database);
  expect(calls("konkan/harbour")).toBe(2);
});

test("four at a time in each process", async () => {
  await bench.stopProcess(1);
  const names = Array.from({ length: 10 }, (_, at) => `konkan/slow-${at}`);
  await Promise.all(names.map((name) => link(name, { commits: [] })));
  await untilRead(database);
  for (const name of names) github.repositories.set(name, { commits: [], slowMs: 100 });
  github.mostAtOnce = 0;
  github.requests.length = 0;
  await passSeconds(database, 1_200);
  await untilRead(database);
  expect(github.mostAtOnce).toBe(4);
  expect(github.requests).toHaveLength(10);
  [admin, elsewhere] = await bench.startProcesses();
});

test("the demo's repositories are never read, whoever asks", async () => {
  const projectId = await link("Sangam-Demo/harbour", { commits: [gitHubCommit()] });
  expect(await admin.github.refresh({ projectId })).toEqual({ now: 0, later: 0 });
  await passSeconds(database, 3_600);
  const other = await link("konkan/real", { commits: [] });
  await untilRead(database);
  expect(await standingOf(database, other)).toMatchObject({ problem: null });
  expect(calls("sangam-demo/harbour")).toBe(0);
  expect(await admin.github.commits({ projectId })).toMatchObject({ repositories: 1, refreshing: 0 });
});

test("a process that dies in a flight loses the repository to another one, and its late answer is not taken", async () => {
  const { id: repositoryId } = await makeRepository(database.db, { fullName: "konkan/lost" });
  const { id: projectId } = await makeProject(database.db, {
    createdBy: asha.id,
    repositoryId,
    githubRepo: "https://github.com/konkan/lost",
  });
  github.repositories.set("konkan/lost", { commits: [gitHubCommit()] });
  await database.sql`update repositories set due_at = now() where id = ${repositoryId}`;
  const flight = await claimRepository(database.db);
  if (!flight) throw new Error("nothing to claim");
  expect(flight.id).toBe(repositoryId);
  expect(await claimRepository(database.db)).toBeNull();
  await passSeconds(database, 61);
  await untilRead(database);
  const before = await shas(projectId);
  expect(before).toHaveLength(1);
  const late = {
    outcome: "problem" as const,
    problem: { kind: "other" as const, status: 500 },
    retryAt: null,
  };
  expect(await saveReading(database.db, { flight, reading: late, grant: null })).toBe(false);
  expect((await admin.github.commits({ projectId })).problems).toEqual([]);
});

test("a process that stops breaks its flights off, and the repository is read after the minute", async () => {
  await bench.stopProcesses();
  const lone = await startRepositoryProcess(database, { apiUrl: github.url });
  github.repositories.set("konkan/slow", { commits: [gitHubCommit()], slowMs: 400 });
  const projectId = await link("konkan/slow");
  while (calls("konkan/slow") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const startedAt = performance.now();
  await lone.close();
  expect(performance.now() - startedAt).toBeLessThan(300);
  expect(await standingOf(database, projectId)).toMatchObject({
    leasedUntil: null,
    problem: null,
    lastSuccessAt: null,
  });
  [admin, elsewhere] = await bench.startProcesses();
  await passSeconds(database, 61);
  await untilRead(database);
  expect(await shas(projectId)).toHaveLength(1);
});

test("projects that came with a link past the forms are linked at the start", async () => {
  const made = await makeProject(database.db, { createdBy: asha.id, githubRepo: "https://github.com/konkan/old.git" });
  const odd = await makeProject(database.db, { createdBy: asha.id, githubRepo: "https://gitlab.com/konkan/old" });
  github.repositories.set("konkan/old", { commits: [gitHubCommit()] });
  const late = await startRepositoryProcess(database, { apiUrl: github.url });
  while (!(await standingOf(database, made.id))?.lastSuccessAt) await new Promise((resolve) => setTimeout(resolve, 5));
  await late.close();
  expect(await shas(made.id)).toHaveLength(1);
  expect(await standingOf(database, odd.id)).toBeNull();
  expect((await admin.github.commits()).skipped).toMatchObject([
    { project: { id: odd.id }, link: "https://gitlab.com/konkan/old" },
  ]);
});

test("a repository that nobody links to any more is not read, and forgotten after a day", async () => {
  const tidy = async () => (await startRepositoryProcess(database, { apiUrl: github.url })).close();
  const [left, ended] = [
    await link("konkan/left", { commits: [gitHubCommit()] }),
    await link("konkan/ended", { commits: [] }),
  ];
  const other = await link("konkan/other", { commits: [] });
  await untilRead(database);
  // However long they were linked to.
  await passSeconds(database, 48 * 3_600);
  await untilRead(database);
  await admin.projects.update({ projectId: left, version: 1, patch: { githubRepo: null } });
  await admin.projects.delete({ projectId: ended });
  const before = calls("konkan/left");
  await passSeconds(database, 23 * 3_600);
  await untilRead(database);
  await tidy();
  expect(calls("konkan/left")).toBe(before);
  const names = async () => (await database.sql`select name from repositories order by name`).map(({ name }) => name);
  expect(await names()).toEqual(["ended", "left", "other"]);
  await passSeconds(database, 2 * 3_600);
  await tidy();
  expect(await names()).toEqual(["other"]);
  expect((await standingOf(database, other))?.name).toBe("other");
});

test("two projects with one repository cost one call, and each shows its commits", async () => {
  const one = await link("konkan/shared", { commits: [gitHubCommit()] });
  const other = await link("KONKAN/Shared");
  await untilRead(database);
  expect(calls("konkan/shared")).toBe(1);
  expect((await admin.github.commits()).items.map(({ project }) => project.id).sort()).toEqual([one, other].sort());
});
