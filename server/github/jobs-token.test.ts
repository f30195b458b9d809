import { expect, test } from "vitest";
import { createLogger } from "../core/logger";
import { createVault, type Vault } from "../core/vault";
import { TEST_KEY } from "../test/caller";
import { gitHubCommit } from "../test/github-server";
import {
  openRepositoryBench,
  passSeconds,
  repositoryOf,
  startRepositoryProcess,
  BENCH_TOKEN as TOKEN,
  untilRead,
} from "../test/repository-rig";
import { findGrant } from "./token";

const OTHER_TOKEN = "ghp_another_one_of_ours_1111";

const bench = await openRepositoryBench();
const { database, github, link, calls, shas } = bench;
/** The same admin, at one process and at the other. */
const [admin, elsewhere] = await bench.startProcesses();

test("the token is used for listed owners alone, and goes to the API alone", async () => {
  await admin.github.setToken({ token: TOKEN, owners: ["Konkan"] });
  const own = await link("konkan/private", { commits: [gitHubCommit()], private: true });
  const foreign = await link("somebody/private", { commits: [gitHubCommit()], private: true });
  const open = await link("somebody/open", { commits: [gitHubCommit()] });
  const lookAlike = await link("konkan-x/private", { commits: [gitHubCommit()], private: true });
  await untilRead(database);
  const carried = (name: string) => github.requestsFor(name).map(({ headers }) => headers.authorization);
  expect(carried("konkan/private")).toEqual([`token ${TOKEN}`]);
  for (const name of ["somebody/private", "somebody/open", "konkan-x/private"])
    expect(carried(name)).toEqual([undefined]);
  expect(await shas(own)).toHaveLength(1);
  expect(await shas(open)).toHaveLength(1);
  for (const projectId of [foreign, lookAlike]) {
    expect(await admin.github.commits({ projectId })).toMatchObject({ items: [], problems: [{ kind: "not-found" }] });
  }
});

test("what was read with the token is shown no longer than the token may be used, and again once it may", async () => {
  const projectId = await link("konkan/private", { commits: [gitHubCommit()], private: true });
  const open = await link("somebody/open", { commits: [gitHubCommit()] });
  await untilRead(database);
  expect(await shas(projectId)).toEqual([]);
  await admin.github.setToken({ token: TOKEN, owners: ["konkan"] });
  await untilRead(database);
  expect(await shas(projectId)).toHaveLength(1);
  await elsewhere.github.setToken({ token: TOKEN, owners: ["somebody"] });
  expect(await shas(projectId)).toEqual([]);
  await untilRead(database);
  await admin.github.setToken({ token: TOKEN, owners: ["konkan"] });
  expect(await shas(projectId)).toHaveLength(1);
  await untilRead(database);
  expect(await admin.github.removeToken()).toMatchObject({ configured: false });
  expect(await shas(projectId)).toEqual([]);
  expect(await shas(open)).toHaveLength(1);
  await untilRead(database);
  expect(github.requestsFor("konkan/private").at(-1)?.headers.authorization).toBeUndefined();
  expect((await admin.github.commits({ projectId })).problems).toMatchObject([{ kind: "not-found" }]);
});

test("an answer that was under way when the token was removed, replaced or withdrawn from its owner is not stored", async () => {
  for (const change of [
    () => admin.github.removeToken(),
    () => admin.github.setToken({ token: OTHER_TOKEN, owners: ["konkan"] }),
    () => admin.github.setToken({ owners: ["somebody"] }),
  ]) {
    await bench.clear();
    github.tokens.add(OTHER_TOKEN);
    await admin.github.setToken({ token: TOKEN, owners: ["konkan"] });
    const taken = gitHubCommit();
    let release = (): void => {};
    const heldUntil = new Promise<void>((resolve) => {
      release = resolve;
    });
    const projectId = await link("konkan/private", { commits: [taken], private: true, heldUntil });
    while (calls("konkan/private") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    // A later call returns another commit, to distinguish the two.
    const later = gitHubCommit();
    github.repositories.set("konkan/private", { commits: [later], private: true });
    await change();
    release();
    await untilRead(database);
    expect(github.requestsFor("konkan/private")[0]?.headers.authorization).toBe(`token ${TOKEN}`);
    const stored = await database.sql`select sha from commits`;
    expect(stored.map(({ sha }) => sha)).not.toContain(taken.sha);
    // It is read anew at once with the right that holds now.
    expect(calls("konkan/private")).toBe(2);
    const isGranted = (await admin.github.tokenStatus()).owners.includes("konkan");
    expect(await shas(projectId)).toEqual(isGranted ? [later.sha] : []);
  }
});

test("of what only the token could read, nothing is shown later that not everybody may read", async () => {
  await admin.github.setToken({ token: TOKEN, owners: ["konkan"] });
  const [secret, harmless] = [gitHubCommit({ message: "The password is hunter2" }), gitHubCommit()];
  const projectId = await link("konkan/private", { commits: [secret, harmless], private: true });
  await untilRead(database);
  expect(await shas(projectId)).toEqual([secret.sha, harmless.sha]);
  await admin.github.removeToken();
  await untilRead(database);
  expect(await shas(projectId)).toEqual([]);
  // Cleaned and opened.
  github.repositories.set("konkan/private", { commits: [harmless] });
  await passSeconds(database, 3_600);
  await untilRead(database);
  expect(await shas(projectId)).toEqual([harmless.sha]);
  expect(github.requestsFor("konkan/private").at(-1)?.headers["if-none-match"]).toBeUndefined();
  expect(await repositoryOf(database, projectId)).toMatchObject({ readWithToken: false, withheld: false });
});

test("what GitHub says to a token that has been replaced is not said of the new one", async () => {
  github.tokens.add(OTHER_TOKEN);
  await admin.github.setToken({ token: TOKEN, owners: ["konkan"] });
  await link("konkan/private", { status: 401, slowMs: 250 });
  while (calls("konkan/private") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  github.repositories.set("konkan/private", { status: 500 });
  await admin.github.setToken({ token: OTHER_TOKEN, owners: ["konkan"] });
  await untilRead(database);
  expect(await admin.github.tokenStatus()).toMatchObject({ lastFour: "1111", lastResult: "accepted" });
});

test("the status of the token says that GitHub no longer accepts it", async () => {
  await admin.github.setToken({ token: TOKEN, owners: ["konkan"] });
  github.tokens.delete(TOKEN);
  const projectId = await link("konkan/private", { commits: [], private: true });
  await untilRead(database);
  expect(await admin.github.tokenStatus()).toMatchObject({ configured: true, lastResult: "refused" });
  expect((await admin.github.commits({ projectId })).problems).toMatchObject([{ kind: "auth", status: 401 }]);
});

test("a start with a new key encrypts the token with it at once, and without the former key says what to do", async () => {
  await admin.github.setToken({ token: TOKEN, owners: ["konkan"] });
  const [former] = await database.sql`select key_id from repository_tokens`;
  const present = "a-new-key-of-the-tests-that-is-long-enough";
  const lines: string[] = [];
  const logger = createLogger({ level: "debug", write: (line) => lines.push(line) });
  const start = async (vault: Vault) =>
    (await startRepositoryProcess(database, { apiUrl: github.url, logger, vault })).close();
  await start(createVault([present]));
  expect(await admin.github.tokenStatus()).toMatchObject({ configured: true, lastResult: "unreadable" });
  expect(lines.join("")).toMatch(/TOKEN_ENCRYPTION_KEY_OLD.*enter the token again/);
  lines.length = 0;
  await start(createVault([present, TEST_KEY]));
  expect(await admin.github.tokenStatus()).toMatchObject({ configured: true, lastResult: "accepted" });
  const [row] = await database.sql`select key_id from repository_tokens`;
  expect(row?.key_id).not.toBe(former?.key_id);
  await start(createVault([present]));
  expect((await findGrant(database.db, createVault([present])))?.token.reveal()).toBe(TOKEN);
  expect(lines).toEqual([]);
});

test("a token that is set while a repository is being read without it is used as soon as that reading ends", async () => {
  const projectId = await link("konkan/private", { status: 404, slowMs: 500 });
  while (calls("konkan/private") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  github.repositories.set("konkan/private", { commits: [gitHubCommit()], private: true });
  await admin.github.setToken({ token: TOKEN, owners: ["konkan"] });
  await untilRead(database);
  expect(await shas(projectId)).toHaveLength(1);
});
