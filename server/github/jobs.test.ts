import { expect, test } from "vitest";
import { type Behaviour, gitHubCommit } from "../test/github-server";
import { HANGING, openRepositoryBench, passSeconds, repositoryOf, untilRead } from "../test/repository-rig";

const bench = await openRepositoryBench();
const { database, github, link, calls, shas } = bench;
/** The same admin, at one process and at the other. */
const [admin, elsewhere] = await bench.startProcesses();

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
  expect((await repositoryOf(database, projectId))?.problem).toBeNull();
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
  const names = bad.map(([behaviour], at) => (behaviour && "hangs" in behaviour ? HANGING : `konkan/bad-${at}`));
  for (const [at, name] of names.entries()) ids.set(await link(name, bad[at]?.[0]), name);
  good.push(await link("konkan/last", { commits: [gitHubCommit()] }));
  await untilRead(database);
  const feed = await admin.github.commits();
  expect(new Set(feed.items.map(({ project }) => project.id))).toEqual(new Set(good));
  const reported = new Map(feed.problems.map(({ projectId, repo, kind, status }) => [projectId, [repo, kind, status]]));
  const expected = [...ids].map(([id, repo], at) => [id, [repo, bad[at]?.[1], bad[at]?.[2]]] as const);
  expect(reported).toEqual(new Map(expected));
  for (const name of names) expect(calls(name)).toBe(1);
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
  expect((await repositoryOf(database, projectId))?.blockedUntil?.valueOf()).toBeGreaterThan(Date.now() + 1_600_000);
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
  expect((await repositoryOf(database, calm))?.dueAt.valueOf()).toBeGreaterThan(Date.now());
});

test("linked repositories are read in the background about every quarter of an hour", async () => {
  const projectId = await link("konkan/harbour", { commits: [] });
  await untilRead(database);
  const due = ((await repositoryOf(database, projectId))?.dueAt.valueOf() ?? 0) - Date.now();
  expect(due).toBeGreaterThan(14 * 60_000);
  expect(due).toBeLessThan(20 * 60_000);
  await passSeconds(database, 20 * 60);
  await untilRead(database);
  expect(calls("konkan/harbour")).toBe(2);
});

test("two projects with one repository cost one call, and each shows its commits", async () => {
  const one = await link("konkan/shared", { commits: [gitHubCommit()] });
  const other = await link("KONKAN/Shared");
  await untilRead(database);
  expect(calls("konkan/shared")).toBe(1);
  expect((await admin.github.commits()).items.map(({ project }) => project.id).sort()).toEqual([one, other].sort());
});
