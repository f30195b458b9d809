import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeProject, makeSession, makeUser } from "../../db/factories";
import { createLogger } from "../core/logger";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { type GitHubServer, gitHubCommit, startGitHubServer } from "../test/github-server";
import { type LiveServer, startLiveServer } from "../test/live-server";
import { passSeconds, untilRead } from "../test/repository-rig";
import { sessionCookie } from "../test/session-cookie";

const SECRET = "what-both-sides-know";
const TOKEN = "ghp_0123456789abcdefABCDEF";

let database: TestDatabase;
let github: GitHubServer;
let server: LiveServer;
let cookie: string;
const lines: string[] = [];
const responses: string[] = [];

beforeAll(async () => {
  [database, github] = await Promise.all([createTestDatabase(), startGitHubServer()]);
  github.tokens.add(TOKEN);
  server = await startLiveServer({
    ...database,
    env: { github: { apiUrl: github.url, webhookSecret: SECRET } },
    logger: createLogger({ level: "debug", write: (line) => lines.push(line) }),
  });
  const admin = await makeUser(database.db, { accountType: "admin" });
  cookie = sessionCookie((await makeSession(database.db, { userId: admin.id })).token);
  for (const name of ["harbour", "other"]) {
    github.repositories.set(`konkan/${name}`, { commits: [gitHubCommit()] });
    const { id } = await makeProject(database.db, { createdBy: admin.id });
    await call("projects.update", { projectId: id, version: 1, patch: { githubRepo: `konkan/${name}` } });
  }
  await untilRead(database);
  await passSeconds(database, 30);
  github.requests.length = 0;
});
afterAll(async () => {
  await server.close();
  await github.close();
  await database.close();
});

async function call(path: string, json?: unknown): Promise<unknown> {
  const isQuery = /commits$|Status$/.test(path);
  const answer = await fetch(`${server.base}/api/trpc/${path}`, {
    headers: { cookie, "content-type": "application/json" },
    ...(!isQuery && { method: "POST", body: JSON.stringify({ json }) }),
  });
  const text = await answer.text();
  responses.push(text, JSON.stringify([...answer.headers]));
  return JSON.parse(text);
}

const push = (given: object = {}) =>
  JSON.stringify({
    ref: "refs/heads/main",
    after: "f".repeat(40),
    repository: { full_name: "Konkan/Harbour", default_branch: "main" },
    ...given,
  });

async function deliver(
  body: string,
  {
    headers = {},
    secret = SECRET,
    at = server,
  }: { headers?: Record<string, string>; secret?: string; at?: LiveServer } = {},
): Promise<number> {
  const answer = await fetch(`${at.base}/api/github/webhook`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-github-event": "push",
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
      ...headers,
    },
    body,
  });
  responses.push(await answer.text());
  return answer.status;
}
const settled = async () => {
  await untilRead(database);
  return github.requests.splice(0).map(({ path }) => path);
};
const HARBOUR = "/repos/konkan/harbour/commits?per_page=100";

test("a push has its repository read at once, and no other", async () => {
  expect(await deliver(push())).toBe(200);
  expect(await settled()).toEqual([HARBOUR]);
});

test("a storm of pushes within a few seconds makes one more call, when they are over", async () => {
  // As if the last call were a minute ahead: on a busy machine the pushes themselves take seconds.
  await passSeconds(database, -60);
  await Promise.all(Array.from({ length: 20 }, () => deliver(push())));
  expect(await settled()).toEqual([]);
  await passSeconds(database, 66);
  expect(await settled()).toEqual([HARBOUR]);
});

test("a call that is repeated, of a commit that is here, asks for nothing", async () => {
  await passSeconds(database, 60);
  await settled();
  const [row] =
    await database.sql`select sha from commits join repositories on repositories.id = repository_id where name = 'harbour'`;
  expect(await deliver(push({ after: row?.sha }))).toBe(200);
  await passSeconds(database, 60);
  expect(await settled()).toEqual([]);
});

test("pushes to other branches, of repositories that nobody links to, and other events ask for nothing", async () => {
  expect(await deliver(push({ ref: "refs/heads/feature" }))).toBe(200);
  expect(await deliver(push({ repository: { full_name: "konkan/unknown" } }))).toBe(200);
  expect(await deliver(push(), { headers: { "x-github-event": "ping" } })).toBe(200);
  await passSeconds(database, 60);
  expect(await settled()).toEqual([]);
});

test("a push whose newest commit is no hash is a push all the same", async () => {
  for (const after of ["\u0000", `${"f".repeat(40)}\u0000`, "\ud800", "x".repeat(10_000), ""]) {
    await passSeconds(database, 60);
    await settled();
    expect(await deliver(push({ after }))).toBe(200);
    expect(await settled()).toEqual([HARBOUR]);
  }
});

test("a webhook that was set up to send forms is understood too", async () => {
  await passSeconds(database, 60);
  await settled();
  const form = new URLSearchParams({ payload: push() }).toString();
  expect(await deliver(form, { headers: { "content-type": "application/x-www-form-urlencoded" } })).toBe(200);
  expect(await settled()).toEqual([HARBOUR]);
});

test("a call that is not signed, or with another secret, or changed on the way, is refused", async () => {
  await passSeconds(database, 60);
  await settled();
  const signed = `sha256=${createHmac("sha256", SECRET).update(push()).digest("hex")}`;
  for (const signature of ["", "sha256=", "sha1=abc", `${signed}0`, signed.toUpperCase(), "é".repeat(71)]) {
    const headers = { "x-hub-signature-256": encodeURIComponent(signature) };
    expect(await deliver(push({ after: "e".repeat(40) }), { headers })).toBe(401);
  }
  expect(await deliver(push(), { secret: "another" })).toBe(401);
  expect(await settled()).toEqual([]);
});

test("what is signed and no push is a clear refusal, whatever it is, and what is too large too", async () => {
  for (const body of [
    "",
    "[]",
    "null",
    "{",
    '{"ref":1}',
    push({ repository: { full_name: "../..", name: "\u0000" } }).replace("../..", "a/b/c"),
    push({ after: 1 }),
    "[".repeat(200_000),
    "\u0000",
  ]) {
    expect(await deliver(body)).toBe(400);
  }
});

test("a push of many commits is taken, as large as GitHub makes them; what is larger, or large and unsigned, is not", async () => {
  await passSeconds(database, 60);
  await settled();
  const commits = Array.from({ length: 2_000 }, (_, at) => ({ id: "e".repeat(40), message: "x".repeat(1_000), at }));
  expect(await deliver(push({ commits }))).toBe(200);
  expect(await settled()).toEqual([HARBOUR]);
  const large = "x".repeat(300_000);
  for (const signature of ["", "sha256=", `sha256=${"0".repeat(63)}`]) {
    expect(await deliver(push({ large }), { headers: { "x-hub-signature-256": signature } })).toBe(413);
  }
  expect(await deliver(push({ large }), { secret: "another" })).toBe(401);
  expect(await deliver(push({ large }), { headers: { "content-length": "30000000" } }).catch(() => 413)).toBe(413);
});

test("a push that takes commits back is read, although its newest commit is here", async () => {
  await passSeconds(database, 60);
  await settled();
  const [row] =
    await database.sql`select sha from commits join repositories on repositories.id = repository_id where name = 'harbour'`;
  expect(await deliver(push({ after: row?.sha, forced: true }))).toBe(200);
  expect(await settled()).toEqual([HARBOUR]);
});

test("without a secret there is no such address", async () => {
  const closed = await startLiveServer({ ...database });
  expect(await deliver(push(), { at: closed })).toBe(404);
  await closed.close();
});

test("the token and its base64 are in no answer, log line, audit row or any other row", async () => {
  await call("github.setToken", { token: TOKEN, owners: ["konkan"] });
  await call("github.setToken", { token: "ghp_not_known_to_anybody", owners: ["konkan"] });
  await call("github.setToken", { token: TOKEN, owners: ["not an owner"], extra: TOKEN });
  for (const behaviour of [
    { status: 500 },
    { raw: `${TOKEN} {` },
    { dropped: true as const },
    { status: 403, body: TOKEN },
  ]) {
    github.repositories.set("konkan/harbour", behaviour);
    await passSeconds(database, 3_600);
    await call("github.refresh", {});
    await untilRead(database);
    await call("github.commits");
  }
  github.tokens.clear();
  await passSeconds(database, 36_000);
  await call("github.refresh", {});
  await untilRead(database);
  await call("github.tokenStatus");
  expect(github.requests.some(({ headers }) => headers.authorization === `token ${TOKEN}`)).toBe(true);
  const tables = await database.sql`select table_schema || '.' || quote_ident(table_name) as name
    from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')`;
  const dump: string[] = [];
  for (const { name } of tables) {
    const rows = await database.sql.unsafe(`select t::text as row from ${name} as t`);
    dump.push(...rows.map(({ row }) => String(row)));
  }
  expect(dump.join("\n")).toContain("repository-token.set");
  expect(lines.join("")).toContain("repository read");
  for (const secret of spellings(TOKEN)) {
    for (const text of [...responses, ...lines, ...dump]) expect(text).not.toContain(secret);
  }
});

/** The token, and what of its base64 is the same wherever it stands in a longer text. */
function spellings(token: string): string[] {
  const shifted = ["", "x", "xx"].map((before) =>
    Buffer.from(before + token)
      .toString("base64")
      .slice(4, 24),
  );
  return [token, Buffer.from(token).toString("hex"), ...shifted, token.slice(4, 18)];
}
