import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { makeProject, makeUser } from "../../db/factories";
import { findProgram } from "../../scripts/find-program.mjs";
import { hashPassword } from "../../server/auth/passwords";
import { listProcesses } from "../../server/system/queries";
import { createTestDatabase, type TestDatabase } from "../../server/test/db";
import { freePort } from "../../server/test/free-port";
import { disposeServer, startServer, type TestServer } from "../server";
import { startCaddy, startNginx } from "./proxies";
import { ADDRESS, createVisitor, visitPlain } from "./visitor";

const EMAIL = "asha@firm.example";
const PASSWORD = "a-good-password";
const SIGN_IN = { email: EMAIL, password: PASSWORD, rememberMe: false };
/** What a visitor may send, to be taken for somebody else. */
const FORGED = { "x-forwarded-for": "203.0.113.7", forwarded: "for=203.0.113.7", "x-real-ip": "203.0.113.7" };
/** Of a push whose signature the server has yet to check. */
const PUSH = { "x-github-event": "push", "x-hub-signature-256": `sha256=${"0".repeat(64)}` };
/** What links of mails, addresses of calendars and calls may hold. */
const isSecret = (line: string) => /input=|who-knows-it/.test(line);

const PROXIES = [
  { name: "nginx", start: startNginx, redirect: 301 },
  { name: "caddy", start: startCaddy, redirect: 308 },
] as const;
/** Both are in front of the same servers, by another port each, and visitors name this one. */
const ORIGIN = "https://localhost:8443";

type Visitor = ReturnType<typeof createVisitor>;
type RunningProxies = Awaited<ReturnType<typeof startProxies>>;

let database: TestDatabase;
let servers: [TestServer, TestServer];
let proxies: RunningProxies;
let projectId: string;
const installed = (
  await Promise.all(PROXIES.map(async (proxy) => ({ ...proxy, program: await findProgram(proxy.name) })))
).flatMap(({ program, ...proxy }) => (program === null ? [] : [{ ...proxy, program }]));

beforeAll(async () => {
  database = await createTestDatabase();
  const { host, port, username, database: name } = database.connection;
  const env = {
    DATABASE_URL: `postgres://${username}@localhost:${port}/${name}?host=${host}`,
    BETTER_AUTH_SECRET: randomBytes(32).toString("hex"),
    TOKEN_ENCRYPTION_KEY: randomBytes(32).toString("hex"),
    GITHUB_WEBHOOK_SECRET: "of-the-webhook",
    PUBLIC_URL: ORIGIN,
    TRUSTED_PROXIES: "127.0.0.1",
    DEMO: "0",
  };
  const passwordHash = await hashPassword(PASSWORD);
  const asha = await makeUser(database.db, { accountType: "admin", email: EMAIL, passwordHash });
  projectId = (await makeProject(database.db, { createdBy: asha.id })).id;
  servers = [await startServer(env), await startServer(env)];
  proxies = await startProxies();
});
afterAll(async () => {
  await Promise.all(proxies.map(({ close }) => close()));
  await Promise.all(servers.map(disposeServer));
  await database.close();
});

async function startProxies() {
  const upstreams = servers.map(({ url }) => new URL(url).host);
  return Promise.all(
    installed.map(async ({ start, ...proxy }) => {
      const [port, plainPort] = [await freePort(), await freePort()];
      return { ...proxy, port, plainPort, ...(await start({ program: proxy.program, port, plainPort, upstreams })) };
    }),
  );
}

test.for(installed)("$name: pages, calls, events and sockets pass, each as the visitor's own", async ({ name }) => {
  const { port, plainPort, redirect, logged } = proxyOf(name);
  const asha = createVisitor({ port, origin: ORIGIN });
  const page = await asha.visit("/login");
  expect(page).toMatchObject({ status: 200, headers: { "strict-transport-security": "max-age=31536000" } });
  expect(page.text).toContain("</html>");
  expect(await visitPlain(plainPort, "/login")).toMatchObject({
    status: redirect,
    headers: { location: expect.stringMatching(/^https:\/\/localhost(:\d+)?\/login$/) },
  });
  expect(await asha.visit("/metrics")).toMatchObject({ status: 404 });

  await asha.change("auth.signIn", SIGN_IN, FORGED);
  expect(await asha.ask("auth.sessions")).toContainEqual(
    expect.objectContaining({ current: true, ipAddress: ADDRESS }),
  );

  const [events, socket] = [await asha.follow("projects.onChange"), await asha.watch("projects.onChange")];
  await asha.change("tasks.create", { projectId, title: `Seen through ${name}`, description: "At once." });
  await expect.poll(events.received).toContain(`Seen through ${name}`);
  await expect.poll(socket.received).toContain(`Seen through ${name}`);
  events.close();
  socket.close();

  await expect(asha.change("tasks.create", { title: "x".repeat(300_000) })).rejects.toThrow(/^413: .*too-large/);
  await expect(asha.change("tasks.create", { title: "x".repeat(2_000_000) })).rejects.toThrow("413");
  const push = { method: "POST", body: "x".repeat(2_000_000), headers: PUSH };
  expect(await asha.visit("/api/github/webhook", push)).toMatchObject({ status: 401 });
  expect(await asha.visit("/api/calendar/who-knows-it-reads-it.ics")).toMatchObject({ status: 404 });
  const unmeasured = { ...push, headers: { "transfer-encoding": "chunked" } };
  expect([413, 502]).toContain((await asha.visit("/api/unsubscribe?token=who-knows-it", unmeasured)).status);
  expect(logged().filter(isSecret)).toEqual([]);
});

test("each process reports the room on the disk of its machine", async () => {
  const reported = async () => (await listProcesses(database.db)).map(({ activity }) => activity?.disk?.freePercent);
  await expect.poll(reported).toEqual([expect.any(Number), expect.any(Number)]);
});

const caddy = installed.find(({ name }) => name === "caddy");
test.skipIf(!caddy)("Caddy keeps bodies as compose.yaml tells it to", async () => {
  const { environment } = parse(readFileSync("deploy/compose.yaml", "utf8")).services.caddy;
  expect(environment.BUFFERING).toMatch(/^request_buffers \S+$/);
  const run = async (args: string[], env = {}) =>
    (await promisify(execFile)(caddy?.program ?? "", args, { env })).stdout;
  const directive = (await run(["version"])).startsWith("2.6.") ? "max_buffer_size" : "request_buffers";
  const env = {
    BUFFERING: environment.BUFFERING.replace("request_buffers", directive),
    UPSTREAMS: environment.UPSTREAMS,
  };
  const adapted = await run(["adapt", "--config", "deploy/Caddyfile", "--adapter", "caddyfile"], env);
  expect(adapted).toContain(`"${directive}":26000000`);
});

test.skipIf(installed.length === 0)(
  "calls go on while a process stops, and the other one answers for it; when both are away, a page says so or waits",
  async () => {
    const visitors = await Promise.all(
      proxies.flatMap(({ name, port }) =>
        Array.from({ length: 3 }, async (_, at) => {
          const visitor = createVisitor({ port, origin: ORIGIN });
          await visitor.change("auth.signIn", SIGN_IN);
          return { title: `Work ${at}, ${name}`, visitor, socket: await visitor.watch("projects.onChange") };
        }),
      ),
    );
    const [first, second] = servers;
    const stopping = first.stop();
    const cut: unknown[] = [];
    const made = await Promise.all(visitors.map((one) => workUntil(stopping, { ...one, cut })));
    expect(await stopping).toBe(0);
    // What changes something is sent once. A busy machine may take the processor away between the server's last look at the
    // connections and their closing (server/core/drain.test.ts): then each visitor may lose the call that is on its way.
    expect(cut.length).toBeLessThanOrEqual(visitors.length);
    for (const { title, visitor, socket } of visitors) {
      await visitor.change("tasks.create", { projectId, title, description: "While one is away." });
      made.push([title]);
      const tasks: { title: string }[] = await visitor.ask("tasks.list", { projectId });
      expect(tasks.map((task) => task.title)).toEqual(expect.arrayContaining(made.flat()));
      expect(new Set(tasks.map((task) => task.title)).size).toBe(tasks.length);
      (await visitor.watch("projects.onChange")).close();
      await visitor.follow("projects.onChange");
      socket.close();
    }
    await second.kill();
    const visiting = proxies.map(({ name, port }) => ({
      name,
      page: createVisitor({ port, origin: ORIGIN }).visit("/reset-password?token=who-knows-it"),
    }));
    const nginx = visiting.find(({ name }) => name === "nginx");
    if (nginx) {
      expect(await nginx.page).toMatchObject({
        status: 502,
        headers: { "retry-after": "5", "cache-control": "no-store" },
        text: expect.stringContaining("This page opens by itself"),
      });
      const refused = /"GET \/reset-password HTTP\/1\.1" 502 .* 502, 502$/;
      await expect.poll(proxyOf("nginx").logged).toContainEqual(expect.stringMatching(refused));
    }
    await Promise.all(servers.map((server) => server.start()));
    for (const { name, page } of visiting) if (name === "caddy") expect(await page).toMatchObject({ status: 200 });
    for (const { port, logged } of proxies) {
      expect(await createVisitor({ port, origin: ORIGIN }).visit("/login")).toMatchObject({ status: 200 });
      expect(logged().filter(isSecret)).toEqual([]);
    }
  },
);

/**
 * Somebody goes on working while something happens: no call may fail, but for changes, whose failures are put into `cut`. Answers the
 * titles of the tasks that were added.
 */
async function workUntil(
  happened: Promise<unknown>,
  { title, visitor, cut }: { title: string; visitor: Visitor; cut: unknown[] },
) {
  const titles: string[] = [];
  let isOver = false;
  void happened.then(() => {
    isOver = true;
  });
  for (let part = 0; !isOver; part += 1) {
    const task = { title: `${title}, part ${part}`, description: "While one stops." };
    await visitor.change("tasks.create", { projectId, ...task }).then(
      () => titles.push(task.title),
      (error: unknown) => cut.push(error),
    );
    await visitor.ask("tasks.list", { projectId });
    expect(await visitor.visit("/login")).toMatchObject({ status: 200 });
  }
  return titles;
}

function proxyOf(name: string): RunningProxies[number] {
  const proxy = proxies.find((one) => one.name === name);
  if (!proxy) throw new Error(`${name} does not run`);
  return proxy;
}
