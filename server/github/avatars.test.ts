import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeProject, makeSession, makeUser, type UserRow } from "../../db/factories";
import { commits, repositories } from "../../db/schema";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { type GitHubServer, startGitHubServer } from "../test/github-server";
import { type LiveServer, startLiveServer } from "../test/live-server";
import { sessionCookie } from "../test/session-cookie";
import { AVATAR_PATH, createAvatars, isAvatarLink } from "./avatars";

let database: TestDatabase;
let github: GitHubServer;
let server: LiveServer;

beforeAll(async () => {
  [database, github] = await Promise.all([createTestDatabase(), startGitHubServer()]);
  server = await startLiveServer({ ...database, env: { github: { apiUrl: github.url, webhookSecret: null } } });
});
afterAll(async () => {
  await server.close();
  await github.close();
  await database.close();
});

test("pictures come from GitHub and from the firm's own GitHub server, and from nowhere else", () => {
  const isFrom = (apiUrl: string, link: string) => isAvatarLink(link, { apiUrl });
  for (const link of [
    "http://avatars.githubusercontent.com/u/1",
    "https://avatars.githubusercontent.com.evil.example/u/1",
    "https://avatars.githubusercontent.com@evil.example/u/1",
    "https://user:pw@avatars.githubusercontent.com/u/1",
    "https://avatars.githubusercontent.com:444/u/1",
    "https://127.0.0.1/u/1",
    "javascript:alert(1)",
    "/u/1",
    "",
  ]) {
    expect(isFrom("https://api.github.com", link), link).toBe(false);
  }
  expect(isFrom("https://api.github.com", "https://avatars.githubusercontent.com/u/1?v=4")).toBe(true);
  expect(isFrom("https://code.firm.example/api/v3", "https://code.firm.example/avatars/u/7?")).toBe(true);
  expect(isFrom("https://code.firm.example/api/v3", "https://avatars.code.firm.example/u/7?")).toBe(true);
  expect(isFrom("https://api.firm.ghe.com", "https://avatars.firm.ghe.com/u/7")).toBe(true);
  expect(isFrom("https://code.firm.example/api/v3", "http://code.firm.example/avatars/u/7")).toBe(false);
});

test("a picture is fetched once, however many ask", async () => {
  const avatars = createAvatars({ apiUrl: github.url });
  const link = `${github.url}/u/many.png?v=4`;
  const read = await Promise.all(Array.from({ length: 5 }, () => avatars.read(link)));
  expect(new Set(read).size).toBe(1);
  expect(read[0]).toMatchObject({ type: "image/png", etag: expect.stringMatching(/^"[\w-]{22}"$/) });
  expect(await avatars.read(link)).toBe(read[0]);
  expect(asked("/u/many.png")).toEqual(["/u/many.png?v=4&s=80"]);
});

test("nothing is shown of what is too large, is no picture, leads elsewhere or does not come", async () => {
  const avatars = createAvatars({ apiUrl: github.url });
  const answers = {
    "/u/huge": { raw: Buffer.alloc(200_001), headers: { "content-type": "image/png" } },
    "/u/svg": { raw: "<svg xmlns='http://www.w3.org/2000/svg'/>", headers: { "content-type": "image/svg+xml" } },
    "/u/page": { raw: "<script>alert(1)</script>", headers: { "content-type": "text/html" } },
    "/u/elsewhere": { redirectTo: "http://127.0.0.1:9/u/1.png" },
    "/u/dropped": { dropped: true },
    "/u/missing": { status: 404 },
  } as const;
  for (const [path, behaviour] of Object.entries(answers)) {
    github.pictures.set(path, behaviour);
    expect(await avatars.read(`${github.url}${path}`), path).toBeNull();
    expect(await avatars.read(`${github.url}${path}`), path).toBeNull();
    expect(asked(path), "is asked again after ten minutes, not at once").toHaveLength(1);
  }
});

test("whoever sees a commit sees its author's picture by a path of this server", async () => {
  const { db } = database;
  const [asha, meera, other, rohan] = [
    await makeUser(db, { accountType: "admin" }),
    await makeUser(db, { accountType: "client" }),
    await makeUser(db, { accountType: "client" }),
    await makeUser(db),
  ];
  const [repository] = await db
    .insert(repositories)
    .values({ owner: "konkan", name: "harbour", fullName: "konkan/harbour", dueAt: new Date(Date.now() + 3_600_000) })
    .returning({ id: repositories.id });
  const repositoryId = repository?.id ?? randomUUID();
  await makeProject(db, {
    createdBy: rohan.id,
    clientId: meera.id,
    repositoryId,
    githubRepo: "https://github.com/konkan/harbour",
  });
  const commit = (authorLogin: string, path: string) => ({
    ...{ repositoryId, sha: randomUUID().slice(0, 8), message: "Moved", htmlUrl: "https://github.com/", authorLogin },
    ...{ authorName: "Rohan", authoredAt: new Date(), authorAvatarUrl: `${github.url}${path}` },
  });
  github.pictures.set("/u/gone", { status: 404 });
  await db.insert(commits).values([commit("rohan-shah", "/u/1.png"), commit("renovate[bot]", "/u/gone")]);

  const feed = await ask("/api/trpc/github.commits?input=%7B%22json%22%3A%7B%7D%7D", meera);
  const { items } = (await feed.json()).result.data.json;
  const paths = items.map(({ author }: { author: { avatar_url: string } }) => author.avatar_url).sort();
  expect(paths).toEqual([`${AVATAR_PATH}renovate[bot]`, `${AVATAR_PATH}rohan-shah`]);

  const shown = await ask(`${AVATAR_PATH}rohan-shah`, meera);
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    "content-type": "image/png",
    "cache-control": "private, max-age=86400",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  });
  const etag = shown.headers.get("etag") ?? "";
  expect((await ask(`${AVATAR_PATH}rohan-shah`, asha, { "if-none-match": etag })).status).toBe(304);
  // Nothing has failed where GitHub has no picture: the page shows initials, and its console stays clean.
  expect((await ask(`${AVATAR_PATH}renovate[bot]`, asha)).status).toBe(204);
  expect((await ask(`${AVATAR_PATH}rohan-shah`, null)).status).toBe(401);
  expect((await ask(`${AVATAR_PATH}rohan-shah`, rohan)).status).toBe(403);
  expect((await ask(`${AVATAR_PATH}rohan-shah`, other)).status).toBe(404);
  expect((await ask(`${AVATAR_PATH}nobody`, asha)).status).toBe(404);
  expect((await ask(`${AVATAR_PATH}%2e%2e%2fme`, asha)).status).toBe(404);
});

function asked(path: string): string[] {
  return github.requests.map((request) => request.path).filter((sent) => sent.startsWith(path));
}

async function ask(path: string, person: UserRow | null, headers: Record<string, string> = {}): Promise<Response> {
  const cookie = person && sessionCookie((await makeSession(database.db, { userId: person.id })).token);
  return fetch(`${server.base}${path}`, { headers: { ...(cookie && { cookie }), ...headers } });
}
