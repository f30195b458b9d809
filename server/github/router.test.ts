import { drizzle } from "drizzle-orm/postgres-js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connect, type Db } from "../../db/client";
import { makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { makeRepository } from "../../db/repository-factory";
import * as schema from "../../db/schema";
import { DAY_MS } from "../contract/days";
import type { Actor } from "../core/context";
import { createLogger } from "../core/logger";
import { createTestCallers, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { findFeed } from "./queries";

let database: TestDatabase;
let callers: TestCallers;
let asha: UserRow;
let rohan: UserRow;
let meera: UserRow;
let admin: TestCaller;
let client: TestCaller;
let counter = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  const { db } = database;
  asha = await makeUser(db, { accountType: "admin", name: "Asha Kulkarni" });
  rohan = await makeUser(db);
  meera = await makeUser(db, { accountType: "client" });
  [admin, client] = await Promise.all([callers.as(asha), callers.as(meera)]);
});
beforeEach(async () => {
  await database.sql`delete from projects`;
  await database.sql`delete from repositories`;
});
afterAll(() => database.close());

const commitsOf = (count: number, message = "Change") =>
  Array.from({ length: count }, (_, at) => {
    counter += 1;
    return { sha: counter.toString(16).padStart(40, "0"), message: `${message} ${at}`, authorName: "Rohan Shah" };
  });

/** A project that links to a repository of its own with so many commits. */
async function linked(count: number, given: { clientId?: string; title?: string; key?: string } = {}) {
  counter += 1;
  const repository = await makeRepository(database.db, {
    fullName: `Konkan/repo-${counter}`,
    commits: commitsOf(count),
  });
  const project = await makeProject(database.db, {
    createdBy: rohan.id,
    repositoryId: repository.id,
    githubRepo: `https://github.com/${repository.fullName}`,
    ...given,
  });
  return { project, repository };
}

describe("the feed", () => {
  test("holds the newest of all repositories, newest first, with project and repository", async () => {
    const [one, other] = [await linked(2, { title: "Harbour" }), await linked(1)];
    const feed = await admin.github.commits();
    expect(feed.items).toHaveLength(3);
    const dates = feed.items.map(({ commit }) => commit.author.date);
    expect(dates).toEqual(dates.toSorted().reverse());
    const ofOne = feed.items.filter(({ project }) => project.id === one.project.id);
    expect(ofOne).toMatchObject([
      { repo: one.repository.fullName, project: { title: "Harbour" }, author: null, tasks: [] },
      {},
    ]);
    expect(feed).toMatchObject({ repositories: 2, refreshing: 0, refreshedAt: expect.stringMatching(/Z$/) });
    expect((await admin.github.commits({ projectId: other.project.id })).items).toHaveLength(1);
  });

  test("gives clients 10 of each of their own repositories, and admins 30, or 100 of one", async () => {
    const { project } = await linked(120, { clientId: meera.id });
    await linked(15, { clientId: meera.id });
    await linked(3);
    expect((await client.github.commits()).items).toHaveLength(20);
    expect((await client.github.commits({ projectId: project.id })).items).toHaveLength(10);
    expect((await admin.github.commits()).items).toHaveLength(48);
    expect((await admin.github.commits({ projectId: project.id })).items).toHaveLength(100);
  });

  test("counts for clients all commits of a day by task, also those that are not listed", async () => {
    const { db } = database;
    const noon = new Date("2026-11-20T06:30:00Z");
    const at = (day: number, minute: number) => new Date(noon.getTime() - day * DAY_MS - minute * 60_000);
    const naming = (...numbers: number[]) =>
      numbers.map((taskNumber) => ({ projectKey: "HBR", taskNumber, closes: false }));
    // Fourteen of one day, of which the older four are of another task or of none, and one of the day before.
    const commits = commitsOf(15).map((commit, index) => ({
      ...commit,
      authoredAt: index < 14 ? at(0, index) : at(1, 0),
      mentions: index < 10 ? naming(1, 2) : index < 13 ? naming(9, 2) : [],
    }));
    const repository = await makeRepository(db, { fullName: "konkan/harbour", commits });
    const linkTo = { repositoryId: repository.id, githubRepo: `https://github.com/${repository.fullName}` };
    const project = await makeProject(db, { createdBy: rohan.id, clientId: meera.id, key: "HBR", ...linkTo });
    const [login, tides] = [
      await makeTask(db, { projectId: project.id, createdBy: rohan.id, title: "Login", status: "completed" }),
      await makeTask(db, { projectId: project.id, createdBy: rohan.id, title: "Tides" }),
    ];
    const shas = commits.map(({ sha }) => sha);
    const day = "2026-11-20";
    const [ofLogin, ofTides, ofNone] = [
      { day, task: { id: login.id, number: 1, title: "Login", completed: true }, count: 10, shas: shas.slice(0, 10) },
      { day, task: { id: tides.id, number: 2, title: "Tides", completed: false }, count: 3, shas: [] },
      { day, task: null, count: 1, shas: [] },
    ];
    const { groups, items } = await client.github.commits();
    expect(items).toHaveLength(10);
    const { id, key, title } = project;
    expect(groups).toEqual([ofLogin, ofTides, ofNone].map((group) => ({ project: { id, key, title }, ...group })));
    expect((await admin.github.commits({ asClientId: meera.id })).groups).toEqual(groups);
    expect((await admin.github.commits()).groups).toEqual([]);
    for (const commitMode of ["counts", "hidden"] as const) {
      await db.update(schema.projects).set({ commitMode });
      expect((await client.github.commits()).groups).toEqual([]);
    }
  });

  test("shows a client nothing of other projects: no commits, names, problems, invalid links or counts", async () => {
    const own = await linked(1, { clientId: meera.id });
    const foreign = await linked(1, { title: "Secret project" });
    await database.sql`update repositories set problem = 'auth', problem_status = 401`;
    await makeProject(database.db, { createdBy: rohan.id, clientId: meera.id, githubRepo: "https://gitlab.com/a/b" });
    const feed = await client.github.commits();
    expect(feed).toMatchObject({ repositories: 1, skipped: [] });
    expect(feed.problems).toEqual([
      { projectId: own.project.id, repo: own.repository.fullName, kind: "auth", status: 401 },
    ]);
    for (const secret of [foreign.project.id, foreign.repository.fullName, "Secret project", "gitlab"]) {
      expect(JSON.stringify(feed)).not.toContain(secret);
    }
  });

  test("shows admins the links that name no repository", async () => {
    const { id } = await makeProject(database.db, { createdBy: rohan.id, githubRepo: "https://gitlab.com/a/b" });
    await makeProject(database.db, { createdBy: rohan.id });
    expect(await admin.github.commits()).toMatchObject({
      items: [],
      repositories: 0,
      refreshedAt: null,
      skipped: [{ project: { id }, link: "https://gitlab.com/a/b" }],
    });
  });

  test("logs a link that names no repository once, when it is saved, without the link", async () => {
    const lines: string[] = [];
    const logger = createLogger({ level: "warn", write: (line) => lines.push(line) });
    const caller = await createTestCallers(database.db, { logger }).as(asha);
    const fields = { title: "Berths", description: "Berths", status: "todo", startDate: "2026-11-01" } as const;
    const { id: projectId } = await caller.projects.create({
      ...fields,
      githubRepo: "https://github.com/konkan",
      assignedTo: [],
      managers: [],
    });
    await caller.github.commits();
    await caller.projects.update({ projectId, version: 1, patch: { title: "Berth calendar" } });
    await caller.projects.update({ projectId, version: 2, patch: { githubRepo: "https://github.com/konkan/berths" } });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { time: expect.any(String), level: "warn", message: "invalid repository link, skipped", projectId },
    ]);
    await caller.projects.update({ projectId, version: 3, patch: { githubRepo: "https://git.example/a/b" } });
    expect(lines).toHaveLength(2);
  });

  test("says nothing and is no error when there is nothing", async () => {
    expect(await client.github.commits()).toEqual({
      items: [],
      counts: [],
      groups: [],
      hiddenProjects: 0,
      problems: [],
      skipped: [],
      repositories: 0,
      refreshing: 0,
      refreshedAt: null,
      tokenConfigured: false,
    });
  });

  test("follows a link that is changed, taken away and given back, without a call", async () => {
    const { project, repository } = await linked(2);
    const other = await makeRepository(database.db, { fullName: "konkan/stored", commits: commitsOf(1) });
    const githubRepo = `https://github.com/${other.fullName.toUpperCase()}`;
    await admin.projects.update({ projectId: project.id, version: 1, patch: { githubRepo } });
    expect((await admin.github.commits()).items).toMatchObject([{ repo: other.fullName }]);
    await admin.projects.update({ projectId: project.id, version: 2, patch: { githubRepo: null } });
    expect((await admin.github.commits()).items).toEqual([]);
    await admin.projects.update({ projectId: project.id, version: 3, patch: { githubRepo: "https://github.com/a" } });
    expect(await admin.github.commits()).toMatchObject({ items: [], skipped: [{ link: "https://github.com/a" }] });
    const back = `https://github.com/${repository.fullName}`;
    await admin.projects.update({ projectId: project.id, version: 4, patch: { githubRepo: back, title: "Back" } });
    expect((await admin.github.commits()).items).toHaveLength(2);
    // An edit of something else asks for nothing.
    await database.sql`update repositories set wanted_at = null`;
    await admin.projects.update({ projectId: project.id, version: 5, patch: { title: "Forth", githubRepo: back } });
    expect(await database.sql`select id from repositories where wanted_at is not null`).toHaveLength(0);
  });

  test("two projects that exchange their links while all repositories are asked for: each call succeeds", async () => {
    const pair = [await linked(0), await linked(0)];
    const links = pair.map(({ project }) => project.githubRepo);
    for (let round = 1; round <= 8; round += 1) {
      const exchanged = pair.map(({ project }, at) =>
        admin.projects.update({
          projectId: project.id,
          version: round,
          patch: { githubRepo: links[(at + round) % 2] },
        }),
      );
      const answers = await Promise.allSettled([...exchanged, admin.github.refresh()]);
      expect(answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []))).toEqual([]);
    }
  });

  test("a project that is deleted leaves the feed", async () => {
    const { project } = await linked(2);
    await admin.projects.delete({ projectId: project.id });
    expect(await admin.github.commits()).toMatchObject({ items: [], repositories: 0 });
  });

  test("a project's response does not contain its repository's row", async () => {
    const { project, repository } = await linked(1);
    const responses = JSON.stringify([
      await admin.projects.byId({ projectId: project.id }),
      await admin.projects.list({ scope: "all" }),
    ]);
    expect(responses).not.toContain(repository.id);
  });
});

describe("the store", () => {
  test("answers in one statement, and with 10,000 commits as fast as with 100", async () => {
    const statements: { text: string; params: unknown[] }[] = [];
    const sql = connect(database.connection, { max: 1 });
    const logger = { logQuery: (text: string, params: unknown[]) => void statements.push({ text, params }) };
    const db: Db = drizzle(sql, { schema, casing: "snake_case", logger });
    const actor: Actor = { id: asha.id, displayName: "", accountType: "admin", accountStatus: "active" };
    const cost = async () => {
      await database.sql`analyze`;
      statements.length = 0;
      const feed = await findFeed(db, { actor, timeZone: "UTC" });
      expect(feed?.items).toHaveLength(60);
      expect(statements).toHaveLength(1);
      const [{ text, params } = { text: "", params: [] }] = statements;
      const [row] = await sql.unsafe(`explain (analyze, buffers, format json) ${text}`, params.map(String));
      const plan = JSON.stringify(row?.["QUERY PLAN"]);
      return {
        blocks:
          Number(/"Shared Hit Blocks":(\d+)/.exec(plan)?.[1]) + Number(/"Shared Read Blocks":(\d+)/.exec(plan)?.[1]),
        plan,
      };
    };
    await linked(50);
    await linked(50);
    const small = await cost();
    await database.sql`insert into commits (repository_id, sha, message, html_url, author_name, authored_at)
      select repositories.id, repositories.id || '-' || n, 'Old change', 'https://github.example/', 'Rohan', now() - n * interval '1 hour'
      from repositories, generate_series(1, 4950) as n`;
    const big = await cost();
    // The index alone gives the newest ones, however many repositories there are.
    expect(big.plan).toMatch(/"Index Only Scan"[^{}]*"commits_newest_idx"/);
    expect(big.plan).not.toMatch(/"Seq Scan"[^{}]*"Relation Name":"commits"/);
    // For each commit that is shown a few blocks, however many there are.
    expect(big.blocks).toBeLessThan(small.blocks + 60 * 4);
    await sql.end();
  });
});
