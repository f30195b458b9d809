import { inspect } from "node:util";
import { serialize } from "node:v8";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { SecretToken } from "../core/vault";
import { type GitHubServer, gitHubCommit, startGitHubServer } from "../test/github-server";
import { createGitHubClient, type GitHubClient, type Grant } from "./client";

const TOKEN = "ghp_0123456789abcdefABCDEF";
const USED_UP = { "x-ratelimit-remaining": "0" };
const grant: Grant = { token: new SecretToken(TOKEN), owners: ["konkan"] };

let github: GitHubServer;
let elsewhere: GitHubServer;
let client: GitHubClient;
/** For what is never answered: everything else has the time that a busy machine takes. */
let hurried: GitHubClient;

beforeAll(async () => {
  [github, elsewhere] = await Promise.all([startGitHubServer(), startGitHubServer()]);
  client = createGitHubClient({ apiUrl: github.url, timeoutMs: 20_000, maxBytes: 1024 * 1024 });
  hurried = createGitHubClient({ apiUrl: github.url, timeoutMs: 400, maxBytes: 1024 * 1024 });
});
beforeEach(() => {
  for (const server of [github, elsewhere]) {
    server.requests.length = 0;
    server.repositories.clear();
    server.tokens.clear();
    server.user = null;
  }
  github.tokens.add(TOKEN);
});
afterAll(() => Promise.all([github.close(), elsewhere.close()]));

const read = (name: string, given: { etag?: string; grant?: Grant | null } = {}) =>
  client.listCommits({ owner: "konkan", name, etag: given.etag ?? null, grant: given.grant ?? null });
const carried = (server: GitHubServer) => server.requests.map(({ headers }) => headers.authorization ?? null);

test("an answer that is not well-formed text is read all the same", async () => {
  const raw = Buffer.from(JSON.stringify([gitHubCommit()]).replace("Rohan", "Roh\u00e4n"), "latin1");
  github.repositories.set("konkan/harbour", { raw });
  expect(await read("harbour")).toMatchObject({ outcome: "commits", commits: [{ authorName: "Roh\ufffdn Shah" }] });
});

test("every request names the version it wants, and asks for one page", async () => {
  github.repositories.set("konkan/harbour", { commits: [] });
  await read("harbour");
  expect(github.requests).toHaveLength(1);
  expect(github.requests[0]?.path).toBe("/repos/konkan/harbour/commits?per_page=100");
  expect(github.requests[0]?.headers).toMatchObject({
    accept: "application/vnd.github.v3+json",
    "x-github-api-version": "2022-11-28",
    "user-agent": expect.stringContaining("sangam"),
  });
});

test("an unchanged repository costs a 304", async () => {
  github.repositories.set("konkan/harbour", { commits: [gitHubCommit()] });
  const first = await read("harbour");
  const etag = first.outcome === "commits" ? (first.etag ?? "") : "";
  expect(await read("harbour", { etag })).toEqual({ outcome: "unchanged", retryAt: null });
  expect(github.requests[1]?.headers["if-none-match"]).toBe(etag);
});

test.each([
  [{ status: 404 }, "not-found", 404],
  [{ status: 401 }, "auth", 401],
  [{ status: 403 }, "auth", 403],
  [{ status: 429 }, "rate-limit", 429],
  [{ status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" } }, "rate-limit", 403],
  [{ status: 403, headers: { "retry-after": "30" } }, "rate-limit", 403],
  [{ status: 403, body: "You have exceeded a secondary rate limit." }, "rate-limit", 403],
  [{ status: 500 }, "other", 500],
  [{ status: 503 }, "other", 503],
  [{ status: 409, body: "Conflict" }, "other", 409],
  [{ status: 451 }, "other", 451],
  [{ raw: "{ not json" }, "other", 200],
  [{ raw: '{"message":"no list"}' }, "other", 200],
  [{ raw: '[{"sha":1}]' }, "other", 200],
  [{ raw: JSON.stringify([{ ...gitHubCommit(), sha: "../../x" }]) }, "other", 200],
  [{ raw: "[".repeat(400_000) }, "other", 200],
  [{ raw: gzipSync(Buffer.alloc(64 * 1024 * 1024, " ")), headers: { "content-encoding": "gzip" } }, "other", 200],
  [{ hugeBytes: 8 * 1024 * 1024 }, "other", 200],
  [{ dropped: true as const }, "other", null],
])("%j is reported as %s, after one call", async (behaviour, kind, status) => {
  github.repositories.set("konkan/harbour", behaviour);
  expect(await read("harbour")).toMatchObject({ outcome: "problem", problem: { kind, status } });
  expect(github.requests).toHaveLength(1);
});

test.each([{ dripMs: 50 }, { hangs: true as const }, { commits: [], slowMs: 30_000 }])(
  "%j is given up at the deadline, after one call",
  async (behaviour) => {
    github.repositories.set("konkan/harbour", behaviour);
    const startedAt = performance.now();
    const reading = await hurried.listCommits({ owner: "konkan", name: "harbour", etag: null, grant: null });
    expect(reading).toMatchObject({ outcome: "problem", problem: { kind: "other", status: null } });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(github.requests).toHaveLength(1);
  },
);

test("a repository without a commit is no problem", async () => {
  github.repositories.set("konkan/harbour", { status: 409, body: "Git Repository is empty." });
  expect(await read("harbour")).toMatchObject({ outcome: "commits", commits: [] });
});

test.each([
  ["retry-after in seconds", () => ({ "retry-after": "120" }), 120],
  ["retry-after as a date", () => ({ "retry-after": dateIn(120) }), 120],
  ["retry-after that is neither", () => ({ "retry-after": "soon" }), 60],
  ["retry-after that nobody could wait for", () => ({ "retry-after": "1e9" }), 21_600],
  ["the reset of a used-up limit", () => ({ ...USED_UP, "x-ratelimit-reset": reset(300) }), 301],
  ["a reset that lies in the past", () => ({ ...USED_UP, "x-ratelimit-reset": "5" }), 1],
  ["a reset that nobody could wait for", () => ({ ...USED_UP, "x-ratelimit-reset": "99999999999" }), 21_600],
  ["a used-up limit without a reset", () => USED_UP, 60],
  ["by GitHub's clock", () => ({ ...USED_UP, "x-ratelimit-reset": reset(3_900), date: dateIn(3_600) }), 301],
  ["no time at all", () => ({}), 60],
])("a limit is obeyed: %s", async (_name, headers, seconds) => {
  github.repositories.set("konkan/harbour", { status: 429, headers: headers() });
  const reading = await read("harbour");
  const wait = ((reading.retryAt?.valueOf() ?? 0) - Date.now()) / 1000;
  expect(Math.abs(wait - seconds)).toBeLessThan(3);
});

test("the last call of a limit is followed by quiet, although it was answered", async () => {
  const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset(300) };
  github.repositories.set("konkan/harbour", { commits: [gitHubCommit()], headers });
  expect((await read("harbour")).retryAt?.valueOf()).toBeGreaterThan(Date.now() + 200_000);
});

test("without a grant no token is sent; with one it goes to the API", async () => {
  github.repositories.set("konkan/harbour", { commits: [], private: true });
  expect(await read("harbour")).toMatchObject({ problem: { kind: "not-found" } });
  expect(await read("harbour", { grant })).toMatchObject({ outcome: "commits" });
  expect(carried(github)).toEqual([null, `token ${TOKEN}`]);
});

test("a redirect to another host is not followed, whatever it says", async () => {
  elsewhere.repositories.set("konkan/harbour", { commits: [gitHubCommit()] });
  const path = "/repos/konkan/harbour/commits";
  const { port } = new URL(elsewhere.url);
  for (const redirectTo of [
    elsewhere.url + path,
    `//127.0.0.1:${port}${path}`,
    "https://github.com/x",
    "http://[bad",
  ]) {
    github.repositories.set("konkan/harbour", { redirectTo });
    expect(await read("harbour", { grant })).toMatchObject({
      outcome: "problem",
      problem: { kind: "other", status: 301 },
    });
  }
  expect(elsewhere.requests).toEqual([]);
});

test("a renamed repository is followed on the same host, three times at most", async () => {
  github.repositories.set("konkan/old", { redirectTo: "/repositories/7/commits?per_page=100" });
  github.repositories.set("repositories/7", { commits: [gitHubCommit()] });
  expect(await read("old")).toMatchObject({ outcome: "commits", commits: [{}] });
  github.repositories.set("konkan/loop", { redirectTo: "/repos/konkan/loop/commits", status: 302 });
  expect(await read("loop")).toMatchObject({ problem: { kind: "other", status: 302 } });
  expect(github.requestsFor("konkan/loop")).toHaveLength(4);
});

test("the token follows a redirect to a listed owner's repository, and to no other place", async () => {
  const commits = [gitHubCommit()];
  github.repositories.set("konkan/new", { commits, private: true });
  github.repositories.set("somebody/secret", { commits, private: true });
  github.repositories.set("repositories/8", { commits, private: true });
  github.repositories.set("konkan/old", { redirectTo: "/repos/Konkan/new/commits" });
  expect(await read("old", { grant })).toMatchObject({ outcome: "commits" });
  expect(carried(github)).toEqual([`token ${TOKEN}`, `token ${TOKEN}`]);
  for (const redirectTo of [
    "/repos/somebody/secret/commits",
    "/repos/konkan/../somebody/secret/commits",
    "/repos/konkan/%2e%2e/somebody/secret/commits",
    "/repos/konkan/..%2f..%2frepos%2fsomebody%2fsecret/commits",
    "/repos/konkan/%2e%2e%5csomebody%5csecret/commits",
    "//repos/konkan/new/commits",
    "/x/repos/konkan/new/commits",
    // The owner is unknown without the token.
    "/repositories/8/commits",
    "/user/repos?owner=/repos/konkan/new/commits",
  ]) {
    github.requests.length = 0;
    github.repositories.set("konkan/old", { redirectTo });
    expect(await read("old", { grant })).not.toMatchObject({ outcome: "commits" });
    expect(carried(github).slice(1)).not.toContain(`token ${TOKEN}`);
  }
});

test("a renamed repository that everybody may read is read without the token", async () => {
  github.repositories.set("konkan/old", { redirectTo: "/repositories/8/commits" });
  github.repositories.set("repositories/8", { commits: [gitHubCommit()] });
  expect(await read("old", { grant })).toMatchObject({ outcome: "commits", commits: [{}] });
  expect(carried(github)).toEqual([`token ${TOKEN}`, null]);
});

test("a run ends early when the process stops", async () => {
  github.repositories.set("konkan/harbour", { commits: [], slowMs: 10_000 });
  const stop = new AbortController();
  const reading = client.listCommits({ owner: "konkan", name: "harbour", etag: null, grant, signal: stop.signal });
  stop.abort();
  expect(await reading).toMatchObject({ outcome: "problem", problem: { kind: "other", status: null } });
});

test("a token is judged by GitHub", async () => {
  const verdict = (token: string) => client.checkToken(new SecretToken(token));
  expect(await verdict(TOKEN)).toBe("accepted");
  expect(github.requests).toHaveLength(1);
  expect(await verdict("ghp_somebody_elses")).toBe("refused");
  github.user = { status: 403 };
  expect(await verdict(TOKEN)).toBe("accepted");
  github.user = { status: 302 };
  expect(await verdict(TOKEN)).toBe("unanswered");
  const nobody = createGitHubClient({ apiUrl: "http://127.0.0.1:9" });
  expect(await nobody.checkToken(new SecretToken(TOKEN))).toBe("unanswered");
});

test("whatever goes wrong, the token is in nothing that can be written down", async () => {
  const base64 = Buffer.from(TOKEN).toString("base64");
  const behaviours = [
    { status: 500 },
    { raw: TOKEN },
    { dropped: true as const },
    { redirectTo: "https://x.example/" },
  ];
  for (const behaviour of behaviours) {
    github.repositories.set("konkan/harbour", behaviour);
    const written = inspect([await read("harbour", { grant }), grant], { depth: 10, showHidden: true });
    expect(written).not.toContain(TOKEN);
    expect(written).not.toContain(base64);
  }
  expect(JSON.stringify(grant)).not.toContain(TOKEN);
  expect(`${grant.token}`).toBe("[secret]");
  expect({ ...grant.token }).toEqual({});
  expect(serialize(grant).toString("latin1")).not.toContain(TOKEN);
  expect(JSON.stringify(structuredClone(grant))).not.toContain(TOKEN);
  expect(String(new Error("x", { cause: grant.token }).cause)).toBe("[secret]");
});

function dateIn(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toUTCString();
}

function reset(seconds: number): string {
  return String(Math.floor(Date.now() / 1000) + seconds);
}
