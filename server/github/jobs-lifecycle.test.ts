import { expect, test } from "vitest";
import { makeProject } from "../../db/factories";
import { makeRepository } from "../../db/repository-factory";
import { gitHubCommit } from "../test/github-server";
import {
  openRepositoryBench,
  passSeconds,
  repositoryOf,
  startRepositoryProcess,
  untilRead,
} from "../test/repository-rig";
import { saveReading } from "./mutations";
import { claimRepository } from "./sync-runs";

const bench = await openRepositoryBench();
const { database, github, asha, link, calls, shas } = bench;
/** At the first of two processes. */
let [admin] = await bench.startProcesses();

test("four at a time in each process", async () => {
  await bench.stopProcess(1);
  const names = Array.from({ length: 10 }, (_, at) => `konkan/slow-${at}`);
  await Promise.all(names.map((name) => link(name, { commits: [] })));
  await untilRead(database);
  for (const name of names) github.repositories.set(name, { commits: [], slowMs: 400 });
  github.maxConcurrent = 0;
  github.requests.length = 0;
  await passSeconds(database, 1_200);
  await untilRead(database);
  expect(github.maxConcurrent).toBe(4);
  expect(github.requests).toHaveLength(10);
  [admin] = await bench.startProcesses();
});

test("the demo's repositories are never read, whoever asks", async () => {
  const projectId = await link("Sangam-Demo/harbour", { commits: [gitHubCommit()] });
  expect(await admin.github.refresh({ projectId })).toEqual({ now: 0, later: 0 });
  await passSeconds(database, 3_600);
  const other = await link("konkan/real", { commits: [] });
  await untilRead(database);
  expect(await repositoryOf(database, other)).toMatchObject({ problem: null });
  expect(calls("sangam-demo/harbour")).toBe(0);
  expect(await admin.github.commits({ projectId })).toMatchObject({ repositories: 1, refreshing: 0 });
});

test("a process that dies in a run loses the repository to another one, and its late answer is not taken", async () => {
  const { id: repositoryId } = await makeRepository(database.db, { fullName: "konkan/lost" });
  const { id: projectId } = await makeProject(database.db, {
    createdBy: asha.id,
    repositoryId,
    githubRepo: "https://github.com/konkan/lost",
  });
  github.repositories.set("konkan/lost", { commits: [gitHubCommit()] });
  await database.sql`update repositories set due_at = now() where id = ${repositoryId}`;
  const run = await claimRepository(database.db);
  if (!run) throw new Error("nothing to claim");
  expect(run.id).toBe(repositoryId);
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
  expect(await saveReading(database.db, { run, reading: late, grant: null })).toBe(false);
  expect((await admin.github.commits({ projectId })).problems).toEqual([]);
});

test("a process that stops breaks its runs off, and the repository is read after the minute", async () => {
  await bench.stopProcesses();
  const lone = await startRepositoryProcess(database, { apiUrl: github.url });
  github.repositories.set("konkan/slow", { commits: [gitHubCommit()], slowMs: 30_000 });
  const projectId = await link("konkan/slow");
  while (calls("konkan/slow") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const startedAt = performance.now();
  await lone.close();
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  github.repositories.set("konkan/slow", { commits: [gitHubCommit()] });
  expect(await repositoryOf(database, projectId)).toMatchObject({
    leasedUntil: null,
    problem: null,
    lastSuccessAt: null,
  });
  [admin] = await bench.startProcesses();
  await passSeconds(database, 61);
  await untilRead(database);
  expect(await shas(projectId)).toHaveLength(1);
});

test("projects that came with a link past the forms are linked at the start", async () => {
  const made = await makeProject(database.db, { createdBy: asha.id, githubRepo: "https://github.com/konkan/old.git" });
  const odd = await makeProject(database.db, { createdBy: asha.id, githubRepo: "https://gitlab.com/konkan/old" });
  github.repositories.set("konkan/old", { commits: [gitHubCommit()] });
  const late = await startRepositoryProcess(database, { apiUrl: github.url });
  while (!(await repositoryOf(database, made.id))?.lastSuccessAt)
    await new Promise((resolve) => setTimeout(resolve, 5));
  await late.close();
  expect(await shas(made.id)).toHaveLength(1);
  expect(await repositoryOf(database, odd.id)).toBeNull();
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
  expect((await repositoryOf(database, other))?.name).toBe("other");
});
