import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { makeRepository } from "../../db/repository-factory";
import { projects } from "../../db/schema";
import { DAY_MS } from "../contract/days";
import type { ActivityChange, ProjectChange } from "../contract/views";
import { refusal, startTestProcess, type TestCaller, type TestProcess } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestProcess;
let people: Record<"asha" | "rohan" | "mitali" | "meera", UserRow>;
let [admin, manager, member, client]: TestCaller[] = [];
let projectId: string;
let counter = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = await startTestProcess(database);
  const { db } = database;
  people = {
    asha: await makeUser(db, { accountType: "admin" }),
    rohan: await makeUser(db),
    mitali: await makeUser(db),
    meera: await makeUser(db, { accountType: "client" }),
  };
  const { asha, rohan, mitali, meera } = people;
  [admin, manager] = [await callers.as(asha), await callers.as(rohan)];
  [member, client] = [await callers.as(mitali), await callers.as(meera)];
});
beforeEach(async () => {
  counter += 1;
  const { rohan, mitali, meera } = people;
  const key = `HBP${counter}`;
  const mentions = [{ projectKey: key, taskNumber: 1, closes: false }];
  const commits = ["Acme logo", "Login"].map((title, at) => {
    const sha = `${counter}${at}`.padStart(40, "a");
    return { sha, message: `${key}-1 ${title}`, authorName: "Rohan", mentions };
  });
  const repository = await makeRepository(database.db, { fullName: `konkan/view-${counter}`, commits });
  const made = await makeProject(database.db, {
    ...{ key, createdBy: mitali.id, managers: [rohan.id], assignedTo: [mitali.id], clientId: meera.id },
    ...{ repositoryId: repository.id, githubRepo: `https://github.com/${repository.fullName}` },
  });
  projectId = made.id;
  await makeTask(database.db, { projectId, createdBy: mitali.id });
});
afterAll(async () => {
  await callers.listener.close();
  await database.close();
});

const of = (caller: TestCaller | undefined): TestCaller => {
  if (!caller) throw new Error("no caller");
  return caller;
};
type View = { mode: "titles" | "counts" | "hidden"; maskedWords: string[] };
const set = async (commitView: View, caller = manager) => {
  const { version } = await of(admin).projects.byId({ projectId });
  return of(caller).projects.update({ projectId, version, patch: { commitView } });
};
const COUNTS: View = { mode: "counts", maskedWords: [] };

test("managers and admins choose what the client sees of commits, the rest of the team reads it, and clients do not", async () => {
  expect((await of(member).projects.byId({ projectId })).commitView).toEqual({ mode: "titles", maskedWords: [] });
  expect(await refusal(set(COUNTS, member))).toMatchObject({ code: "FORBIDDEN" });
  expect(await refusal(set(COUNTS, client))).toMatchObject({ code: "FORBIDDEN" });
  const masked: View = { mode: "titles", maskedWords: ["Acme", "Quay"] };
  expect((await set(masked)).commitView).toEqual(masked);
  expect((await set(COUNTS, admin)).commitView).toEqual(COUNTS);
  expect(
    (await of(member).projects.list({ scope: "mine" })).items.find(({ id }) => id === projectId)?.commitView,
  ).toEqual(COUNTS);
  expect((await of(client).projects.byId({ projectId })).commitView).toBeNull();
  expect(
    (await of(client).projects.list({ scope: "mine" })).items.map(({ commitView }) => commitView),
  ).not.toContainEqual(expect.anything());
  const [seen] = (await of(admin).projects.list({ scope: "mine", asClientId: people.meera.id })).items;
  expect(seen?.commitView).toBeNull();
});

test("the audit says who chose what, without the words, and no history does", async () => {
  const before = (await of(client).projects.history({ projectId })).items;
  await set({ mode: "hidden", maskedWords: ["Quillfish"] });
  await set({ mode: "hidden", maskedWords: ["Quillfish"] });
  const { items } = await of(admin).audit.list({ kind: "project.commit-view-changed" });
  const own = items.filter(({ subject }) => subject?.id === projectId);
  expect(own.map(({ actor, details }) => [actor?.id, details.mode, details.words])).toEqual([
    [people.rohan.id, "hidden", 1],
  ]);
  expect(JSON.stringify(own)).not.toContain("Quillfish");
  expect((await of(client).projects.history({ projectId })).items).toEqual(before);
});

test.each([
  ["an empty word", { mode: "titles", maskedWords: [" "] }, "patch.commitView.maskedWords.0"],
  [
    "101 words",
    { mode: "titles", maskedWords: Array.from({ length: 101 }, (_, at) => `w${at}`) },
    "patch.commitView.maskedWords",
  ],
  ["a word of 61 letters", { mode: "titles", maskedWords: ["x".repeat(61)] }, "patch.commitView.maskedWords.0"],
] satisfies [string, View, string][])("%s is refused at its field", async (_, view, field) => {
  const { fieldErrors } = await refusal(set(view));
  expect(Object.keys(fieldErrors ?? {})).toEqual([field]);
});

test("a word is kept once, whatever its case", async () => {
  const saved = await set({ mode: "titles", maskedWords: ["acme", "Quay", "ACME"] });
  expect(saved.commitView?.maskedWords).toEqual(["ACME", "Quay"]);
});

test("a client's feed and tasks follow each choice, and the link to a masked commit is gone", async () => {
  const ofProject = async () => {
    const feed = await of(client).github.commits({ projectId });
    const [task] = await of(client).tasks.list({ projectId });
    const titles = feed.items.map(({ commit, html_url }) => [commit.message.replace(/^\S+ /, ""), html_url !== null]);
    return { titles, counts: feed.counts.map(({ count }) => count), onTask: task?.commits?.length };
  };
  const nothing = { titles: [], counts: [], onTask: 0 };
  await set({ mode: "titles", maskedWords: ["acme"] });
  const masked = [
    ["••• logo", false],
    ["Login", true],
  ];
  expect(await ofProject()).toEqual({ titles: masked, counts: [], onTask: 2 });
  await set(COUNTS);
  expect(await ofProject()).toEqual({ ...nothing, counts: [2] });
  await set({ mode: "hidden", maskedWords: [] });
  expect(await ofProject()).toEqual(nothing);
  expect(await of(client).github.commits({ projectId })).toMatchObject({ repositories: 0, hiddenProjects: 1 });
});

test("the days are those of the organisation's clock, the ten newest of a year", async () => {
  await set(COUNTS);
  await of(admin).organisation.update({ timeZone: "Pacific/Kiritimati" });
  const noon = new Date();
  noon.setUTCHours(-12, 0, 0, 0);
  /** There it is the next day already. */
  const dayThere = (daysBefore: number) =>
    new Date(noon.getTime() - (daysBefore - 1) * DAY_MS).toISOString().slice(0, 10);
  await database.sql`update commits set authored_at = ${noon.toISOString()} where repository_id = (select repository_id from projects where id = ${projectId})`;
  const days = async () =>
    (await of(client).github.commits({ projectId })).counts.map(({ day, count }) => [day, count]);
  expect(await days()).toEqual([[dayThere(0), 2]]);
  await database.sql`insert into commits (repository_id, sha, message, html_url, author_name, authored_at)
    select repository_id, 'd' || n, 'Older', '', 'Rohan', ${noon.toISOString()}::timestamptz - n * interval '40 days'
    from projects, generate_series(1, 14) as n where id = ${projectId}`;
  const counted = await days();
  expect(counted.slice(0, 2)).toEqual([
    [dayThere(0), 2],
    [dayThere(40), 1],
  ]);
  expect(counted.length).toBeLessThanOrEqual(10);
  await of(admin).organisation.update({ timeZone: "UTC" });
});

test("a client who watches is notified of another choice: of the project, and of its commits, also where they were hidden", async () => {
  await database.db.update(projects).set({ commitMode: "hidden" }).where(eq(projects.id, projectId));
  const changes = (await of(client).projects.onChange({ projectId }))[
    Symbol.asyncIterator
  ]() as AsyncIterator<ProjectChange>;
  const activity = (await of(client).github.onChange())[Symbol.asyncIterator]() as AsyncIterator<ActivityChange>;
  const next = Promise.all([changes.next(), activity.next()]);
  await set({ mode: "titles", maskedWords: [] });
  const [project, commits] = await next;
  expect(project.value).toMatchObject({ projectId, kind: "resync", project: { commitView: null } });
  expect(commits.value).toEqual({ projectIds: [projectId] });
  const gone = activity.next();
  await set({ mode: "hidden", maskedWords: [] });
  expect((await gone).value).toEqual({ projectIds: [projectId] });
  await Promise.all([changes.return?.(), activity.return?.()]);
});
