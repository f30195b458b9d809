import { createHash, randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "../../db/client";
import { makeLabel, makeProject, makeSession, makeTask, makeUser, type UserRow } from "../../db/factories";
import { makeRepository } from "../../db/repository-factory";
import { users } from "../../db/schema";
import { LIVE_CURSOR_HEADER } from "../contract/live-cursor";
import { PHOTO_PATH } from "../contract/profiles";
import { createLogger } from "../core/logger";
import { transformer } from "../core/transformer";
import type { FetchedCommit } from "../github/commits";
import { saveReading } from "../github/mutations";
import { createTestCallers, type TestCaller, type TestCallers } from "./caller";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, startLiveServer } from "./live-server";
import { sessionCookie } from "./session-cookie";

let database: TestDatabase;
let server: LiveServer;
let callers: TestCallers;
const logged: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const logger = createLogger({ level: "info", write: (line) => logged.push(line) });
  server = await startLiveServer({ ...database, build: "a build", logger });
  callers = createTestCallers(database.db);
});
afterAll(async () => {
  await server.close();
  await database.close();
});

type Credentials = Record<string, string>;
type Path = "tasks.list" | "projects.list";

async function cookieOf({ id }: { id: string }): Promise<Credentials> {
  return { cookie: sessionCookie((await makeSession(database.db, { userId: id })).token) };
}

/** An API key of that person, which reads only. */
async function keyOf({ id }: { id: string }): Promise<Credentials> {
  const key = `sgm_${randomBytes(32).toString("base64url")}`;
  const token = `key-${createHash("sha256").update(key).digest("hex")}`;
  await makeSession(database.db, { userId: id, scope: "read", token });
  return { authorization: `Bearer ${key}` };
}

function get(path: string, input: object, headers: Credentials = {}): Promise<Response> {
  const asked = encodeURIComponent(JSON.stringify({ json: input }));
  return fetch(`${server.base}/api/trpc/${path}?input=${asked}`, { headers });
}

const tagOf = (answer: Response) => answer.headers.get("etag") ?? "";

/** A client's project with two tasks, of which a commit mentions one, and texts that JSON has to escape. */
async function makeWork() {
  const { db } = database;
  const [user, client, admin, helper] = [
    await makeUser(db, { name: 'Rohan "the" \\ Desai' }),
    await makeUser(db, { accountType: "client" }),
    await makeUser(db, { accountType: "admin" }),
    await makeUser(db),
  ];
  const repository = await makeRepository(db, {
    fullName: `konkan/${randomUUID()}`,
    commits: [
      {
        sha: "a".repeat(40),
        message: 'Close the "gate"\n\nfor good',
        authorName: "Meera\u2028\t\u0001\u007f \u{1f6a2}",
        mentions: [{ projectKey: "HARB", taskNumber: 1, closes: true }],
      },
    ],
  });
  projectCount += 1;
  const key = `HARB${projectCount}`;
  await database.sql`update commit_mentions set project_key = ${key} where repository_id = ${repository.id}`;
  const project = await makeProject(db, {
    key,
    createdBy: user.id,
    clientId: client.id,
    assignedTo: [user.id, helper.id],
    managers: [admin.id],
    title: 'Harbour "berths" / \\ \u2028 \u{1f6a2}',
    description: "Line one\nline two\r\n\ttab \b\f\u0001\u001f\u007f </script>",
    dueDate: "2026-12-24",
    repositoryId: repository.id,
    githubRepo: `https://github.com/${repository.fullName}`,
  });
  const label = await makeLabel(db);
  const task = await makeTask(db, {
    projectId: project.id,
    createdBy: user.id,
    assignedTo: [user.id, helper.id],
    labelIds: [label.id],
    title: 'Escape "this" \\ and /that/',
    description: "\u0001 \u2029 é \u{1f468}\u200d\u{1f469}",
    dueDate: "2026-11-30",
  });
  const other = await makeTask(db, { projectId: project.id, createdBy: user.id });
  await makeTask(db, { projectId: project.id, createdBy: user.id, status: "completed", dueDate: null });
  return { user, client, admin, helper, project, repository, label, task, other };
}
let projectCount = 1;

const LISTS = [
  ["tasks.list", ({ id }: { id: string }) => ({ projectId: id })],
  ["projects.list", () => ({ scope: "mine" })],
] as const;

describe.each(LISTS)("an unbatched GET of %s", (path, inputOf) => {
  test("is answered with a tag, and while nothing has changed with 304 and nothing else", async () => {
    const { user, project } = await makeWork();
    const cookie = await cookieOf(user);
    const whole = await get(path, inputOf(project), cookie);
    expect(whole.status).toBe(200);
    expect(whole.headers.get("cache-control")).toBe("private, no-cache");
    expect(whole.headers.get("vary")).toMatch(/cookie, authorization/);
    expect(tagOf(whole)).toMatch(/^"[\w-]{27}"$/);

    for (const held of [tagOf(whole), `W/${tagOf(whole)}`, `"another", ${tagOf(whole)}`]) {
      const unchanged = await get(path, inputOf(project), { ...cookie, "if-none-match": held });
      expect([unchanged.status, await unchanged.text()]).toEqual([304, ""]);
      expect(tagOf(unchanged)).toBe(tagOf(whole));
      expect(unchanged.headers.get("cache-control")).toBe("private, no-cache");
      expect(unchanged.headers.get(LIVE_CURSOR_HEADER)).toMatch(/^[0-9a-f-]{36}\.\d+$/);
      expect(unchanged.headers.get("content-type")).toBeNull();
    }
    expect((await get(path, inputOf(project), { ...cookie, "if-none-match": "*" })).status).toBe(200);
  });

  test("has the very bytes that serialising the value would give, alone and in a batch", async () => {
    const { user, client, admin, project } = await makeWork();
    for (const person of [user, client, admin]) {
      const caller = await callers.as(person);
      const input = inputOf(project);
      const value =
        path === "tasks.list" ? caller.tasks.list({ projectId: project.id }) : caller.projects.list({ scope: "mine" });
      const data = transformer.output.serialize(await value);
      const alone = await get(path, input, await cookieOf(person));
      expect(await alone.text()).toBe(JSON.stringify({ result: { data } }));
      const both = encodeURIComponent(JSON.stringify({ 1: { json: input } }));
      const batch = await fetch(`${server.base}/api/trpc/auth.sessions,${path}?batch=1&input=${both}`, {
        headers: await cookieOf(person),
      });
      expect(await batch.text()).toContain(`,${JSON.stringify({ result: { data } })}]`);
      expect([tagOf(batch), batch.headers.get("cache-control")]).toEqual(["", "no-store"]);
    }
  });

  test("says nothing of a tag when it is refused or comes in another way", async () => {
    const { user, project } = await makeWork();
    const cookie = await cookieOf(user);
    const tag = tagOf(await get(path, inputOf(project), cookie));
    const held = { "if-none-match": tag };
    const posted = await fetch(`${server.base}/api/trpc/${path}`, {
      method: "POST",
      headers: { ...cookie, ...held, "content-type": "application/json" },
      body: JSON.stringify({ json: inputOf(project) }),
    });
    const refused = [
      await get(path, inputOf(project), held),
      await get(path, { nonsense: 1 }, { ...cookie, ...held }),
      await get("auth.me", {}, { ...cookie, ...held }),
      posted,
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 400, 200, 200]);
    expect(refused.map(tagOf)).toEqual(["", "", "", ""]);
    expect(refused.map(({ headers }) => headers.get("cache-control"))).toEqual(Array(4).fill("no-store"));
  });

  test("is another answer for another build", async () => {
    const { user, project } = await makeWork();
    const cookie = await cookieOf(user);
    const tag = tagOf(await get(path, inputOf(project), cookie));
    const next = await startLiveServer({ ...database, build: "the next build" });
    const asked = encodeURIComponent(JSON.stringify({ json: inputOf(project) }));
    const answer = await fetch(`${next.base}/api/trpc/${path}?input=${asked}`, {
      headers: { ...cookie, "if-none-match": tag },
    });
    expect(answer.status).toBe(200);
    await next.close();
  });
});

test("whoever brings another's tag gets their own answer or their refusal, never 304", async () => {
  const { db } = database;
  const { user, client, admin, helper, project } = await makeWork();
  const people: Record<string, UserRow> = {
    pending: await makeUser(db, { accountStatus: "pending" }),
    rejected: await makeUser(db, { accountStatus: "rejected" }),
    outsider: await makeUser(db),
    involved: user,
    client,
    otherClient: await makeUser(db, { accountType: "client" }),
    admin,
    otherAdmin: await makeUser(db, { accountType: "admin" }),
    "pending, by key": await makeUser(db, { accountStatus: "pending" }),
    "outsider, by key": await makeUser(db),
    "involved, by key": helper,
    "other client, by key": await makeUser(db, { accountType: "client" }),
    "admin, by key": await makeUser(db, { accountType: "admin" }),
  };
  const asked: [Path, object][] = [
    ["tasks.list", { projectId: project.id }],
    ["tasks.list", { projectId: project.id, asClientId: client.id }],
    ["projects.list", { scope: "mine" }],
    ["projects.list", { scope: "mine", filter: "client" }],
    ["projects.list", { scope: "mine", asClientId: client.id }],
    ["projects.list", { scope: "all" }],
  ];
  // A session of each call's own: a refused account's ends with it.
  const credentialsOf = async (who: string) => {
    const person = people[who];
    if (!person) return {};
    return who.endsWith("by key") ? keyOf(person) : cookieOf(person);
  };
  const questions = ["anonymous", ...Object.keys(people)].flatMap((who) =>
    asked.map(([path, input]) => ({ who, path, input })),
  );
  const answers = await Promise.all(
    questions.map(async ({ who, path, input }) => {
      const answer = await get(path, input, await credentialsOf(who));
      return { who, path, input, status: answer.status, tag: tagOf(answer), text: await answer.text() };
    }),
  );
  const tags = answers.map(({ tag }) => tag).filter((tag) => tag !== "");
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(tags.length);
  expect(new Set(tags).size).toBe(tags.length);
  const byKey = answers.filter(({ who, tag }) => who.endsWith("by key") && tag !== "");
  expect(new Set(byKey.map(({ who }) => who)).size).toBe(4);

  const checks = answers.map(async ({ who, path, input, status, tag, text }) => {
    const credentials = await credentialsOf(who);
    const foreign = tags.filter((one) => one !== tag).join(", ");
    const again = await get(path, input, { ...credentials, "if-none-match": foreign });
    const name = `${who} ${path} ${JSON.stringify(input)}`;
    expect([again.status, await again.text()], name).toEqual([status, text]);
    if (tag === "") return;
    expect((await get(path, input, { ...credentials, "if-none-match": `${foreign}, ${tag}` })).status, name).toBe(304);
  });
  await Promise.all(checks);
});

type Work = Awaited<ReturnType<typeof makeWork>>;

type Edit = Parameters<TestCaller["projects"]["update"]>[0]["patch"];
/** By their manager, who may change everything of a project. */
const edit = (patch: Edit) => async (work: Work) => {
  const caller = await callers.as(work.admin);
  return caller.projects.update({ projectId: work.project.id, version: 1, patch });
};
const editTask = (patch: Parameters<TestCaller["tasks"]["update"]>[0]["patch"]) => async (work: Work) => {
  const caller = await callers.as(work.user);
  return caller.tasks.update({ taskId: work.task.id, patch });
};
const anAdmin = async () => callers.as(await makeUser(database.db, { accountType: "admin" }));

async function readCommits({ repository }: Work, commits: FetchedCommit[]) {
  const leaseId = randomUUID();
  await database.sql`update repositories set lease_id = ${leaseId}, leased_until = now() + interval '1 minute'
    where id = ${repository.id}`;
  const run = { ...repository, leaseId, etag: null, readWithToken: false };
  const reading = { outcome: "commits" as const, commits, isWhole: commits.length === 0, etag: null, retryAt: null };
  expect(await saveReading(database.db, { run, reading, grant: null })).toBe(true);
}

const commitOf = ({ project }: Work): FetchedCommit => ({
  sha: "b".repeat(40),
  message: `${project.key}-2: more`,
  htmlUrl: "https://github.example/b",
  authorName: "Rohan",
  authoredAt: new Date(),
  authorLogin: null,
  authorAvatarUrl: null,
});

interface Change {
  of: string;
  shownIn: readonly Path[];
  /** Where the client reads of it, if that is elsewhere. */
  shownToClientIn?: readonly Path[];
  change: (work: Work) => Promise<unknown>;
}

/** Each thing that a list shows, with a change of it. */
const CHANGES: Change[] = [
  {
    of: "a new task",
    shownIn: ["tasks.list", "projects.list"],
    change: async ({ user, project }) =>
      (await callers.as(user)).tasks.create({ projectId: project.id, title: "One more", description: "Of it." }),
  },
  {
    of: "a task's title",
    shownIn: ["tasks.list"],
    change: editTask({ title: "Another" }),
  },
  { of: "a task's priority", shownIn: ["tasks.list"], change: editTask({ priority: "urgent" }) },
  { of: "a task's checklist", shownIn: ["tasks.list"], change: editTask({ checklist: [{ text: "First" }] }) },
  { of: "a task without its label", shownIn: ["tasks.list"], change: editTask({ labelIds: [] }) },
  {
    of: "a deleted label",
    shownIn: ["tasks.list"],
    change: async ({ user, label }) => (await callers.as(user)).labels.delete({ labelId: label.id }),
  },
  {
    of: "a task's assignees",
    shownIn: ["tasks.list"],
    change: editTask({ assignedTo: [] }),
  },
  {
    of: "a tick",
    shownIn: ["tasks.list", "projects.list"],
    change: async ({ user, task }) => (await callers.as(user)).tasks.setCompleted({ taskId: task.id, completed: true }),
  },
  {
    of: "a task's place",
    shownIn: ["tasks.list"],
    change: async ({ user, task, other }) =>
      (await callers.as(user)).tasks.move({ taskId: task.id, afterTaskId: other.id }),
  },
  {
    of: "a deleted task",
    shownIn: ["tasks.list", "projects.list"],
    change: async ({ user, other }) => (await callers.as(user)).tasks.delete({ taskId: other.id }),
  },
  {
    of: "a commit that names a task",
    shownIn: ["tasks.list"],
    change: (work) => readCommits(work, [commitOf(work)]),
  },
  { of: "a commit that is gone", shownIn: ["tasks.list"], change: (work) => readCommits(work, []) },
  {
    of: "commits that the token no longer shows",
    shownIn: ["tasks.list"],
    async change({ repository }) {
      await database.sql`update repositories set read_with_token = true where id = ${repository.id}`;
      return (await anAdmin()).github.setToken({ token: "ghp_of_the_tests", owners: ["elsewhere"] });
    },
  },
  {
    of: "another repository",
    shownIn: ["tasks.list", "projects.list"],
    change: edit({ githubRepo: "https://github.com/konkan/another" }),
  },
  {
    of: "what its client sees of commits",
    shownIn: ["projects.list"],
    shownToClientIn: ["tasks.list"],
    change: edit({ commitView: { mode: "counts", maskedWords: [] } }),
  },
  {
    of: "words that are masked for its client",
    shownIn: ["projects.list"],
    shownToClientIn: ["tasks.list"],
    change: edit({ commitView: { mode: "titles", maskedWords: ["gate"] } }),
  },
  { of: "a client who may write", shownIn: ["projects.list"], change: edit({ clientCollaboration: true }) },
  {
    of: "one more of the client's people",
    shownIn: ["projects.list"],
    change: async (work) => edit({ clientPeople: [(await makeUser(database.db, { accountType: "client" })).id] })(work),
  },
  { of: "a project's title", shownIn: ["projects.list"], change: edit({ title: "Another title" }) },
  { of: "a project's status", shownIn: ["projects.list"], change: edit({ status: "completed" }) },
  { of: "a project without its client", shownIn: ["projects.list"], change: edit({ clientId: null }) },
  {
    of: "another client",
    shownIn: ["projects.list"],
    change: async (work) => edit({ clientId: (await makeUser(database.db, { accountType: "client" })).id })(work),
  },
  {
    of: "one member more",
    shownIn: ["projects.list"],
    change: async (work) => edit({ managers: [work.admin.id, (await makeUser(database.db)).id] })(work),
  },
  { of: "one member less", shownIn: ["tasks.list", "projects.list"], change: edit({ assignedTo: [] }) },
  {
    of: "a person's name",
    shownIn: ["projects.list"],
    change: async ({ client }) => (await callers.as(client)).users.updateProfile({ displayName: "Meera Naik" }),
  },
  {
    of: "the picture of somebody with a task",
    shownIn: ["projects.list"],
    change: async ({ helper: { id } }) =>
      database.db
        .update(users)
        .set({ profileImgLink: `${PHOTO_PATH}1` })
        .where(eq(users.id, id)),
  },
  {
    of: "a person's type",
    shownIn: ["projects.list"],
    change: async ({ admin }) => (await anAdmin()).users.setType({ userId: admin.id, accountType: "user" }),
  },
  {
    of: "an erased person",
    shownIn: ["projects.list"],
    change: async ({ client }) => (await anAdmin()).users.erasePerson({ userId: client.id }),
  },
  {
    of: "a new project",
    shownIn: ["projects.list"],
    change: ({ user, client }) => makeProject(database.db, { createdBy: user.id, clientId: client.id }),
  },
  {
    of: "a deleted project",
    shownIn: ["tasks.list", "projects.list"],
    change: async ({ project }) => (await anAdmin()).projects.delete({ projectId: project.id }),
  },
  {
    of: "a row that was written past the program",
    shownIn: ["projects.list"],
    change: ({ project }) => database.sql`update projects set title = 'By hand' where id = ${project.id}`,
  },
];

test.each(CHANGES)("$of makes another answer", async ({ shownIn, shownToClientIn = shownIn, change }) => {
  const work = await makeWork();
  const readers = [
    { who: "user", cookie: await cookieOf(work.user), shown: shownIn },
    { who: "client", cookie: await cookieOf(work.client), shown: shownToClientIn },
  ];
  const questions = readers.flatMap((reader) =>
    LISTS.map(([path, inputOf]) => ({ ...reader, path, input: inputOf(work.project) })),
  );
  const before = await Promise.all(
    questions.map(async (question) => {
      const answer = await get(question.path, question.input, question.cookie);
      return { ...question, tag: tagOf(answer), text: await answer.text() };
    }),
  );
  await change(work);
  for (const { who, cookie, shown, path, input, tag, text } of before) {
    const fresh = await get(path, input, cookie);
    const held = await get(path, input, { ...cookie, "if-none-match": tag });
    const freshText = await fresh.text();
    if (freshText !== text) expect(held.status, `${who} ${path}`).toBe(fresh.status);
    if (!shown.includes(path)) continue;
    expect(freshText, `${who} ${path}`).not.toBe(text);
    expect(await held.text(), `${who} ${path}`).toBe(freshText);
  }
});

test("a refused call of who holds the answer runs once, with the answer of the call without a tag", async () => {
  const { user, project } = await makeWork();
  const [first, second] = [await cookieOf(user), await cookieOf(user)];
  const held = tagOf(await get("tasks.list", { projectId: project.id }, first));
  await database.sql`update users set account_status = 'rejected' where id = ${user.id}`;
  logged.length = 0;
  const refused = await get("tasks.list", { projectId: project.id }, { ...first, "if-none-match": held });
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ procedure: "tasks.list", code: "FORBIDDEN" }]);
  const plain = await get("tasks.list", { projectId: project.id }, second);
  expect([refused.status, await refused.text()]).toEqual([403, await plain.text()]);
});

test("a role that was taken away takes the tag with it", async () => {
  const { user } = await makeWork();
  const held = tagOf(await get("projects.list", { scope: "mine" }, await cookieOf(user)));
  await (await anAdmin()).users.setType({ userId: user.id, accountType: "client" });
  const cookie = { ...(await cookieOf(user)), "if-none-match": held };
  const answer = await get("projects.list", { scope: "mine" }, cookie);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/"canEdit":false/)]);
});

test("a change that began before a reading and was committed after it makes another answer", async () => {
  const { user, project } = await makeWork();
  const cookie = await cookieOf(user);
  const other = await makeProject(database.db, { createdBy: user.id });
  const locker = connect(database.connection, { max: 1 });
  let tag = "";
  await locker.begin(async (sql) => {
    await sql`update projects set title = 'Early', change_seq = change_seq + 1, updated_at = now() where id = ${project.id}`;
    await (await callers.as(user)).projects.update({ projectId: other.id, version: 1, patch: { title: "Late" } });
    tag = tagOf(await get("projects.list", { scope: "mine" }, cookie));
  });
  await locker.end();
  const answer = await get("projects.list", { scope: "mine" }, { ...cookie, "if-none-match": tag });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"title":"Early"')]);
});
