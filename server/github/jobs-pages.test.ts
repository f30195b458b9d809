import { expect, test } from "vitest";
import { type Behaviour, type GitHubCommit, gitHubCommit } from "../test/github-server";
import { BENCH_TOKEN, openRepositoryBench, passSeconds, repositoryOf, untilRead } from "../test/repository-rig";

const NAME = "konkan/harbour";
const bench = await openRepositoryBench();
await bench.startProcesses();

/** So many commits, newest first. */
const history = (count: number): GitHubCommit[] => Array.from({ length: count }, () => gitHubCommit());
const behave = (behaviour: Behaviour) => bench.github.repositories.set(NAME, behaviour);

/** What is stored of a project's repository, in the order of its history: newest first. */
async function stored(projectId: string): Promise<string[]> {
  const rows = await bench.database.sql`select sha from commits where repository_id =
    (select repository_id from projects where id = ${projectId}) order by place, id desc`;
  return rows.map(({ sha }) => sha);
}

/** A quarter of an hour later: whatever is due is read. */
async function readAgain(): Promise<void> {
  bench.github.requests.length = 0;
  await passSeconds(bench.database, 7 * 3600);
  await untilRead(bench.database);
}

const pagesRead = () =>
  bench.github.requestsFor(NAME).map(({ path }) => new URL(path, "http://nowhere.invalid").searchParams.get("page"));

test("500 commits since the last reading all arrive, in order and once each", async () => {
  const old = history(30);
  const projectId = await bench.link(NAME, { commits: old });
  await untilRead(bench.database);
  const all = [...history(500), ...old];
  behave({ commits: all });
  await readAgain();
  expect(await stored(projectId)).toEqual(all.map(({ sha }) => sha));
  expect(pagesRead()).toEqual([null, "2", "3", "4", "5", "6"]);
  const ids = await bench.database.sql`select sha from commits order by id desc`;
  expect(ids.map(({ sha }) => sha)).toEqual(all.map(({ sha }) => sha));
  await readAgain();
  expect(pagesRead()).toEqual([null]);
  expect(bench.github.requestsFor(NAME)[0]?.headers["if-none-match"]).toBeDefined();
});

test("a history that was empty is read in full, the first reading of a long one is its newest hundred", async () => {
  const emptyId = await bench.link(NAME, { commits: [] });
  const all = history(350);
  const longId = await bench.link("konkan/long", { commits: all });
  await untilRead(bench.database);
  expect(await stored(longId)).toEqual(all.slice(0, 100).map(({ sha }) => sha));
  expect(bench.calls("konkan/long")).toBe(1);
  behave({ commits: all });
  await readAgain();
  expect(await stored(emptyId)).toEqual(all.map(({ sha }) => sha));
});

test("a page that fails loses nothing: what was stored stays, and the next reading brings all of it", async () => {
  const old = history(120);
  const projectId = await bench.link(NAME, { commits: old });
  await untilRead(bench.database);
  const before = await stored(projectId);
  const all = [...history(350), ...old];
  for (const [page, kind] of [
    [{ status: 500 }, "other"],
    [{ status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "0" } }, "rate-limit"],
    [{ dropped: true }, "other"],
  ] as const) {
    behave({ commits: all, pages: { 3: page } });
    await readAgain();
    expect(await stored(projectId)).toEqual(before);
    expect(await repositoryOf(bench.database, projectId)).toMatchObject({ problem: kind });
  }
  behave({ commits: all });
  await readAgain();
  // Of the first reading there are the newest hundred.
  expect(await stored(projectId)).toEqual(all.slice(0, 450).map(({ sha }) => sha));
  expect(await repositoryOf(bench.database, projectId)).toMatchObject({ problem: null });
});

test("a limit that is used up on the way ends the reading until it is reset, without one call more", async () => {
  const old = history(3);
  const projectId = await bench.link(NAME, { commits: old });
  await untilRead(bench.database);
  const all = [...history(250), ...old];
  const reset = String(Math.round(Date.now() / 1000) + 600);
  behave({ commits: all, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset } });
  await readAgain();
  expect(pagesRead()).toEqual([null]);
  const repository = await repositoryOf(bench.database, projectId);
  expect(repository).toMatchObject({ problem: "rate-limit" });
  expect(repository?.blockedUntil?.valueOf()).toBeGreaterThan(Date.now() + 500_000);
  behave({ commits: all });
  await readAgain();
  expect(await stored(projectId)).toEqual(all.map(({ sha }) => sha));
});

test("what a forced push took back goes, also below many new commits", async () => {
  const old = history(90);
  const projectId = await bench.link(NAME, { commits: old });
  await untilRead(bench.database);
  const all = [...history(260), ...old.slice(10)];
  behave({ commits: all });
  await readAgain();
  expect(await stored(projectId)).toEqual(all.map(({ sha }) => sha));
});

test("commits that a push moves to the next page meanwhile are stored once", async () => {
  const old = history(5);
  const projectId = await bench.link(NAME, { commits: old });
  await untilRead(bench.database);
  const all = [...history(240), ...old];
  const later = { commits: [...history(10), ...all] };
  behave({ commits: all, pages: { 2: later, 3: later } });
  await readAgain();
  expect(await stored(projectId)).toEqual(all.map(({ sha }) => sha));
  behave(later);
  await readAgain();
  expect(await stored(projectId)).toEqual(later.commits.map(({ sha }) => sha));
});

test("another history is read to 2,000 commits and no further", async () => {
  const projectId = await bench.link(NAME, { commits: history(3) });
  await untilRead(bench.database);
  const all = history(2_300);
  behave({ commits: all });
  await readAgain();
  expect(bench.calls(NAME)).toBe(20);
  expect((await stored(projectId)).slice(0, 2_000)).toEqual(all.slice(0, 2_000).map(({ sha }) => sha));
});

test("each page is asked for with the token where the first one is, and with it alone", async () => {
  const old = history(5);
  const projectId = await bench.link(NAME, { commits: old, private: true });
  const [admin] = await bench.startProcesses();
  await admin.github.setToken({ token: BENCH_TOKEN, owners: ["konkan"] });
  await untilRead(bench.database);
  const all = [...history(150), ...old];
  behave({ commits: all, private: true });
  await readAgain();
  expect(await stored(projectId)).toEqual(all.map(({ sha }) => sha));
  const carried = bench.github.requestsFor(NAME).map(({ headers }) => headers.authorization);
  expect(carried).toEqual([`token ${BENCH_TOKEN}`, `token ${BENCH_TOKEN}`]);
});
