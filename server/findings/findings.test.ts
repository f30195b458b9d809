import type { PROJECT_STATUSES } from "@db/enums";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { makeRepository } from "../../db/repository-factory";
import {
  commitMentions,
  commits,
  liveLinks,
  organisation,
  projectEvents,
  projectMembers,
  projects,
  repositories,
  tasks,
} from "../../db/schema";
import { DAY_MS } from "../contract/days";
import type { Finding } from "../contract/views";
import { createTestCallers, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { nearDays } from "./due-window";

const ZONE = "Asia/Kolkata";

let database: TestDatabase;
let callers: TestCallers;
let asha: UserRow;
let mitali: UserRow;
let rohan: UserRow;
let repositoryNumber = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  asha = await makeUser(database.db, { accountType: "admin" });
  mitali = await makeUser(database.db);
  rohan = await makeUser(database.db);
});
beforeEach(async () => {
  await database.db.delete(projects);
  await database.db.delete(repositories);
  await database.db.delete(organisation);
});
afterAll(() => database.close());

const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
const dayIn = (days: number) => new Intl.DateTimeFormat("en-CA", { timeZone: ZONE }).format(ago(-days));
const findings = async (by = mitali, projectId?: string) => (await callers.as(by)).projects.findings({ projectId });
const kindsOf = (found: Finding[]) => found.map(({ kind, count }) => [kind, count]);

interface Written {
  daysAgo: number;
  names?: [key: string, number: number];
}

async function repositoryWith(written: Written[]) {
  repositoryNumber += 1;
  return makeRepository(database.db, {
    fullName: `firm/site${repositoryNumber}`,
    commits: written.map(({ daysAgo, names }, index) => ({
      sha: `${repositoryNumber}-${index}`,
      message: "A commit",
      authorName: "Rohan",
      authoredAt: ago(daysAgo),
      mentions: names ? [{ projectKey: names[0], taskNumber: names[1], closes: false }] : [],
    })),
  });
}

const managed = (given: Partial<Parameters<typeof makeProject>[1]> = {}) =>
  makeProject(database.db, {
    ...{ createdBy: rohan.id, managers: [mitali.id], status: "inProgress" as const, createdAt: ago(60) },
    ...given,
  });

const setStatus = (projectId: string, to: (typeof PROJECT_STATUSES)[number], daysAgo: number) =>
  database.db.insert(projectEvents).values({
    ...{ projectId, actorId: rohan.id, kind: "project.updated" as const, at: ago(daysAgo) },
    changes: [{ field: "status" as const, from: "todo", to }],
  });

describe("no commits", () => {
  test("in progress, and no commit for days: of projects whose repository can be read", async () => {
    const { id: repositoryId } = await repositoryWith([{ daysAgo: 12 }, { daysAgo: 20 }]);
    const { id: projectId, key } = await managed({ repositoryId });
    const [finding] = await findings();
    expect(finding).toEqual({
      ...{ projectId, taskId: null, kind: "no-commits", count: 12, since: expect.any(String) },
      project: { id: projectId, key, title: "A project", dueDate: null },
      task: null,
    });
    expect(Date.parse(finding?.since ?? "")).toBeCloseTo(ago(12).valueOf(), -4);
    for (const state of [{ problem: "other" as const }, { lastSuccessAt: null, problem: null }, { withheld: true }]) {
      await database.db.update(repositories).set({ problem: null, lastSuccessAt: ago(0), withheld: false, ...state });
      expect(await findings()).toEqual([]);
    }
    await database.db.update(repositories).set({ withheld: false });
    for (const status of ["todo", "on-hold", "completed", "cancelled"] as const) {
      await database.db.update(projects).set({ status });
      expect(kindsOf(await findings()).filter(([kind]) => kind === "no-commits")).toEqual([]);
    }
  });

  test("not where work has just begun, where a commit has just come, and where no repository is linked", async () => {
    const begun = await managed({ repositoryId: (await repositoryWith([{ daysAgo: 40 }])).id });
    await setStatus(begun.id, "inProgress", 2);
    const pushed = await repositoryWith([{ daysAgo: 30 }]);
    await managed({ repositoryId: pushed.id });
    // Rebased and pushed yesterday.
    await database.db
      .update(commits)
      .set({ arrivedAt: ago(1) })
      .where(eq(commits.repositoryId, pushed.id));
    await managed({ githubRepo: "https://git.firm.example/site" });
    await managed({ repositoryId: (await repositoryWith([])).id, createdAt: ago(3) });
    expect(await findings()).toEqual([]);
  });

  test("of a task where commits name tasks, and not beside its project's own line", async () => {
    const key = "QUI";
    const repository = await repositoryWith([{ daysAgo: 1 }, { daysAgo: 9, names: [key, 1] }]);
    const { id: projectId } = await managed({ key, repositoryId: repository.id });
    const named = await makeTask(database.db, {
      projectId,
      createdBy: rohan.id,
      status: "inProgress",
      title: "Berths",
    });
    await makeTask(database.db, { projectId, createdBy: rohan.id, status: "inProgress" });
    await makeTask(database.db, { projectId, createdBy: rohan.id, status: "todo" });
    await database.db
      .update(tasks)
      .set({ createdAt: ago(50) })
      .where(eq(tasks.id, named.id));
    expect(await findings()).toMatchObject([
      { taskId: named.id, kind: "no-commits", count: 9, task: { number: 1, title: "Berths" } },
    ]);
    await database.db.delete(commits).where(sql`${commits.arrivedAt} > now() - interval '5 days'`);
    expect(await findings()).toMatchObject([{ projectId, taskId: null, count: 9 }]);
  });
});

describe("commits after a completion", () => {
  test("of a task that commits still name, as long as they are recent", async () => {
    const key = "LAT";
    const names: [string, number] = [key, 1];
    const repository = await repositoryWith([
      ...[1, 3, 8, 20].map((daysAgo) => ({ daysAgo, names })),
      { daysAgo: 2, names: [key, 2] as [string, number] },
    ]);
    const { id: projectId } = await managed({ key, repositoryId: repository.id });
    const done = (daysAgo: number) =>
      makeTask(database.db, { projectId, createdBy: rohan.id, status: "completed", completedAt: ago(daysAgo) });
    const first = await done(10);
    await done(1);
    const found = await findings();
    expect(found).toMatchObject([{ taskId: first.id, kind: "commits-after-completion", count: 3 }]);
    expect(Date.parse(found[0]?.since ?? "")).toBeCloseTo(ago(8).valueOf(), -4);
    await database.db.update(commits).set({ authoredAt: sql`${commits.authoredAt} - interval '40 days'` });
    await database.db.update(tasks).set({ completedAt: ago(60) });
    expect((await findings()).filter(({ kind }) => kind === "commits-after-completion")).toEqual([]);
  });

  test("of a project, unless its repository is also that of another one that goes on", async () => {
    const { id: repositoryId } = await repositoryWith([{ daysAgo: 1 }, { daysAgo: 2 }, { daysAgo: 9 }]);
    const { id: projectId } = await managed({ status: "completed", repositoryId });
    await setStatus(projectId, "completed", 5);
    expect(await findings()).toMatchObject([{ projectId, taskId: null, kind: "commits-after-completion", count: 2 }]);
    await makeProject(database.db, { createdBy: rohan.id, repositoryId, status: "on-hold" });
    expect(await findings()).toEqual([]);
  });
});

describe("due soon", () => {
  test("with open tasks, within two business days, until the day is over", async () => {
    // Every day a business day, so that it does not depend on the day of the test.
    await database.db.insert(organisation).values({
      ...{ timeZone: ZONE, businessHours: { days: [1, 2, 3, 4, 5, 6, 7], from: "09:00", to: "18:00" } },
    });
    const projectIn = async (days: number, open = 1, status: "todo" | "on-hold" = "todo") => {
      const { id: projectId } = await managed({ status, dueDate: dayIn(days), startDate: "2020-01-01" });
      for (let task = 0; task < open; task += 1) await makeTask(database.db, { projectId, createdBy: rohan.id });
      await makeTask(database.db, { projectId, createdBy: rohan.id, status: "completed" });
      return projectId;
    };
    for (const days of [-1, 3]) await projectIn(days);
    await projectIn(1, 0);
    await projectIn(1, 2, "on-hold");
    const [today, tomorrow, later] = [await projectIn(0, 1), await projectIn(1, 5), await projectIn(2, 2)];
    expect((await findings()).map(({ kind, projectId, count }) => [kind, projectId, count])).toEqual([
      ["due-soon", later, 2],
      ["due-soon", tomorrow, 5],
      ["due-soon", today, 1],
    ]);
  });

  test("weekends and holidays are no business days: a Friday looks to Tuesday", () => {
    const calendar = {
      timeZone: ZONE,
      businessHours: { days: [1, 2, 3, 4, 5], from: "09:00", to: "18:00" },
      holidays: ["2026-11-26"],
    };
    const days = (today: string) => nearDays(calendar, today).map(({ day }) => day);
    expect(days("2026-11-20")).toEqual(["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23", "2026-11-24"]);
    // Thursday is a holiday.
    expect(days("2026-11-24").at(-1)).toBe("2026-11-27");
    expect(nearDays(calendar, "2026-11-24").map(({ since }) => since)).toEqual([
      "2026-11-19T18:30:00.000Z",
      "2026-11-22T18:30:00.000Z",
      "2026-11-23T18:30:00.000Z",
      "2026-11-23T18:30:00.000Z",
    ]);
  });
});

describe("dead repositories", () => {
  test("a link that leads nowhere or may not be read, of projects in work", async () => {
    const { id: repositoryId } = await repositoryWith([{ daysAgo: 1 }]);
    const { id: projectId } = await managed({ repositoryId });
    for (const [problem, isDead] of [
      ["not-found", true],
      ["auth", true],
      ["rate-limit", false],
      ["other", false],
    ] as const) {
      await database.db.update(repositories).set({ problem, lastSuccessAt: ago(4) });
      const found = await findings();
      expect(found.map(({ kind }) => kind)).toEqual(isDead ? ["repository-dead"] : []);
      if (isDead) expect(Date.parse(found[0]?.since ?? "")).toBeCloseTo(ago(4).valueOf(), -4);
    }
    await database.db.update(repositories).set({ problem: "not-found" });
    await database.db.update(projects).set({ status: "on-hold" }).where(eq(projects.id, projectId));
    expect(await findings()).toEqual([]);
  });
});

describe("who", () => {
  test("managers have those of their projects, admins all, and others none", async () => {
    const { id: repositoryId } = await repositoryWith([{ daysAgo: 12 }]);
    const { id: own } = await managed({ repositoryId });
    const { id: other } = await managed({ repositoryId, managers: [asha.id], assignedTo: [mitali.id] });
    expect((await findings(mitali)).map(({ projectId }) => projectId)).toEqual([own]);
    expect((await findings(asha)).map(({ projectId }) => projectId).toSorted()).toEqual([own, other].toSorted());
    expect(await findings(rohan)).toEqual([]);
    expect((await findings(mitali, own)).map(({ projectId }) => projectId)).toEqual([own]);
    await expect(findings(mitali, other)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await database.db.delete(projectMembers).where(eq(projectMembers.userId, mitali.id));
    expect(await findings(mitali)).toEqual([]);
  });
});

/** Small numbers that look random, the same for one seed. */
function randomOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  return { below: (count: number) => Math.floor(next() * count), chance: (share: number) => next() < share };
}

describe("recounted from the rows", () => {
  test.each([1, 2, 3, 4])(
    "a random organisation has exactly the findings that its rows give (seed %i)",
    async (seed) => {
      await makeWorld(seed);
      const found = await findings(asha);
      const expected = await recount();
      const shown = (list: Pick<Finding, "projectId" | "taskId" | "kind" | "since" | "count">[]) =>
        list
          .map(({ projectId, taskId, kind, since, count }) => [kind, projectId, taskId, since, count].join(" "))
          .toSorted();
      expect(shown(found)).toEqual(shown(expected));
      expect(expected.length).toBeGreaterThan(2);
      expect(found.map(({ since }) => since)).toEqual(
        found
          .map(({ since }) => since)
          .toSorted()
          .reverse(),
      );
    },
  );
});

async function makeWorld(seed: number): Promise<void> {
  const { below, chance } = randomOf(seed);
  const repositoryIds: string[] = [];
  const keys = Array.from({ length: 14 }, (_, index) => `W${String.fromCharCode(65 + index)}`);
  for (let index = 0; index < 8; index += 1) {
    const repository = await repositoryWith(
      Array.from({ length: below(12) }, () => ({
        daysAgo: below(50) + below(20) / 24,
        ...(chance(0.6) && { names: [keys[below(14)] ?? "", 1 + below(3)] as [string, number] }),
      })),
    );
    const problem = ([null, null, null, "not-found", "auth", "other"] as const)[below(6)] ?? null;
    await database.db
      .update(repositories)
      .set({ problem, withheld: chance(0.1), lastSuccessAt: chance(0.1) ? null : ago(below(9)) })
      .where(eq(repositories.id, repository.id));
    repositoryIds.push(repository.id);
  }
  const statuses = ["todo", "inProgress", "inProgress", "completed", "on-hold", "cancelled"] as const;
  for (const key of keys) {
    const liveLink = chance(0.6) ? "https://site.firm" : null;
    const project = await managed({
      ...{
        key,
        status: statuses[below(6)] ?? "todo",
        createdAt: ago(10 + below(60)),
        startDate: "2020-01-01",
        liveLink,
      },
      ...{ dueDate: chance(0.7) ? dayIn(below(7) - 2) : null },
      ...{ repositoryId: chance(0.8) ? (repositoryIds[below(8)] ?? null) : null },
    });
    if (chance(0.5)) await setStatus(project.id, chance(0.7) ? "completed" : "inProgress", below(40));
    for (let task = 0; task < 3; task += 1) {
      const status = (["todo", "inProgress", "completed"] as const)[below(3)] ?? "todo";
      const by = { projectId: project.id, createdBy: rohan.id, status, completedAt: ago(below(40)) };
      const { id } = await makeTask(database.db, by);
      await database.db
        .update(tasks)
        .set({ createdAt: ago(below(60)) })
        .where(eq(tasks.id, id));
    }
    if (liveLink && chance(0.8)) {
      const failures = below(6);
      await database.db.insert(liveLinks).values({
        ...{ id: project.id, url: chance(0.8) ? liveLink : "https://former.firm", failures },
        failingSince: failures > 0 ? ago(below(9)) : null,
      });
    }
  }
}

/** The rules once more, in words of their own: by loops over all rows. */
async function recount(): Promise<Pick<Finding, "projectId" | "taskId" | "kind" | "since" | "count">[]> {
  const { db } = database;
  const all = {
    projects: await db.select().from(projects),
    repositories: await db.select().from(repositories),
    tasks: await db.select().from(tasks),
    commits: await db.select().from(commits),
    mentions: await db.select().from(commitMentions),
    events: await db.select().from(projectEvents),
    links: await db.select().from(liveLinks),
  };
  const calendar = {
    ...{ timeZone: ZONE, holidays: [] },
    businessHours: { days: [1, 2, 3, 4, 5], from: "09:00", to: "18:00" },
  };
  const near = nearDays(calendar, dayIn(0));
  const found: Pick<Finding, "projectId" | "taskId" | "kind" | "since" | "count">[] = [];
  const dayOf = (at: Date) => Date.parse(new Intl.DateTimeFormat("en-CA", { timeZone: ZONE }).format(at)) / DAY_MS;
  const daysSince = (at: Date) => dayOf(new Date()) - dayOf(at);
  const last = (...instants: (Date | null)[]) => new Date(Math.max(...instants.map((at) => at?.valueOf() ?? 0)));
  for (const project of all.projects) {
    const add = (kind: Finding["kind"], since: Date, count: number | null = null, taskId: string | null = null) =>
      found.push({ projectId: project.id, taskId, kind, since: since.toISOString(), count });
    const isRunning = project.status === "todo" || project.status === "inProgress";
    const repository = all.repositories.find(({ id }) => id === project.repositoryId);
    const link = all.links.find(({ id, url }) => id === project.id && url === project.liveLink);
    const own = all.tasks.filter(({ projectId }) => projectId === project.id);
    const open = own.filter(({ status }) => status !== "completed").length;
    const due = near.find(({ day }) => day === project.dueDate);
    if (isRunning && due && open > 0) add("due-soon", last(new Date(due.since), project.createdAt), open);
    if (isRunning && (link?.failures ?? 0) >= 3 && link?.failingSince) add("live-link-dead", link.failingSince);
    if (!repository) continue;
    if (isRunning && (repository.problem === "not-found" || repository.problem === "auth"))
      add("repository-dead", repository.lastSuccessAt ?? repository.linkedAt);
    if (repository.withheld || repository.problem !== null || repository.lastSuccessAt === null) continue;
    const written = all.commits.filter(({ repositoryId }) => repositoryId === repository.id);
    const changedTo = (to?: string) =>
      all.events
        .filter(
          ({ projectId, changes }) =>
            projectId === project.id && (!to || JSON.stringify(changes).includes(`"to":"${to}"`)),
        )
        .map(({ at }) => at);
    const lines = found.length;
    if (project.status === "inProgress") {
      const since = last(project.createdAt, ...changedTo(), ...written.map(({ arrivedAt }) => arrivedAt));
      if (daysSince(since) >= 7) add("no-commits", since, daysSince(since));
    }
    const isShared = all.projects.some(
      ({ id, repositoryId, status }) =>
        id !== project.id && repositoryId === repository.id && !["completed", "cancelled"].includes(status),
    );
    const completions = changedTo("completed");
    const completedAt = completions.length > 0 ? last(...completions) : project.createdAt;
    const late = written.map(({ authoredAt }) => authoredAt).filter((at) => at > completedAt);
    if (project.status === "completed" && !isShared && last(...late) > ago(30))
      add("commits-after-completion", new Date(Math.min(...late.map(Number))), late.length);
    if (found.length > lines) continue;
    const mentions = all.mentions.filter(
      ({ repositoryId, projectKey }) => repositoryId === repository.id && projectKey === project.key,
    );
    for (const task of own) {
      const ids = mentions.filter(({ taskNumber }) => taskNumber === task.number).map(({ commitId }) => commitId);
      const naming = written.filter(({ id }) => ids.includes(id));
      const since = last(task.createdAt, ...naming.map(({ arrivedAt }) => arrivedAt));
      if (
        project.status === "inProgress" &&
        task.status === "inProgress" &&
        mentions.length > 0 &&
        daysSince(since) >= 7
      )
        add("no-commits", since, daysSince(since), task.id);
      const after = naming
        .map(({ authoredAt }) => authoredAt)
        .filter((at) => task.completedAt && at > task.completedAt);
      if (last(...after) > ago(30))
        add("commits-after-completion", new Date(Math.min(...after.map(Number))), after.length, task.id);
    }
  }
  return found;
}
