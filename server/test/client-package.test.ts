import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeConversation, makeUser } from "../../db/factories";
import { createTestCallers } from "./caller";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, startLiveServer } from "./live-server";

/* The package as somebody else's project meets it: packed, installed into an empty folder, type-checked and run there. */

const run = promisify(execFile);
const ROOT = process.cwd();
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");
/** A project of today's defaults, at their strictest. */
const STRICT = {
  compilerOptions: {
    ...{ target: "es2022", module: "nodenext", strict: true, skipLibCheck: false, types: [] },
    ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, outDir: "out" },
  },
  files: ["script.ts", "example.ts", "wrong.ts"],
};

let folder: string;
let outside: string;
let database: TestDatabase;
let server: LiveServer;
let script: ChildProcess | null = null;
/** The compiler's, without their details. */
let complaints: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sangam-package-"));
  outside = join(folder, "outside");
  mkdirSync(outside);
  [database] = await Promise.all([createTestDatabase(), packAndInstall()]);
  complaints = await compile();
  server = await startLiveServer(database);
}, 120_000);
afterAll(async () => {
  script?.kill();
  await server.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Of a copy: another build may be writing dist-client/ here. */
async function packAndInstall(): Promise<void> {
  const copy = join(folder, "copy");
  for (const path of ["package.json", "tsconfig.json", "LICENSE", "scripts", "src/client"]) {
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  await run(process.execPath, ["scripts/client-package.mjs"], { cwd: copy });
  await run("npm", ["pack", "./dist-client", "--pack-destination", outside], { cwd: copy });
  writeFileSync(join(outside, "package.json"), JSON.stringify({ type: "module", private: true }));
  const [tarball = ""] = readdirSync(outside).filter((name) => name.endsWith(".tgz"));
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", `./${tarball}`], { cwd: outside });
}

/** All three in one run: reading the declarations takes most of it. */
async function compile(): Promise<string[]> {
  writeFileSync(join(outside, "script.ts"), SCRIPT);
  writeFileSync(join(outside, "example.ts"), example());
  writeFileSync(join(outside, "wrong.ts"), WRONG);
  writeFileSync(join(outside, "tsconfig.json"), JSON.stringify(STRICT));
  // The compiler is a Go program: collecting its garbage less often takes a quarter off its processor time.
  const compiled = run(process.execPath, [TSC, "-p", outside], { cwd: outside, env: { ...process.env, GOGC: "400" } });
  const { stdout } = await compiled.catch((error: { stdout: string }) => error);
  return stdout.split("\n").filter((line) => /^\S/.test(line));
}

/** Of docs/developers.md, with what it takes as given. */
function example(): string {
  const [, shown = ""] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, "docs/developers.md"), "utf8")) ?? [];
  const given = ["projectId", "conversationId", "lastEventId"].map((name) => `declare const ${name}: string;`);
  const platform = "declare const process: { env: Record<string, string | undefined> };";
  return [shown, ...given, platform].join("\n");
}

test("brings three packages and no server code, and names neither the database nor the auth library", () => {
  const { dependencies, exports } = JSON.parse(readFileSync(join(outside, "node_modules/sangam/package.json"), "utf8"));
  expect(Object.keys(dependencies)).toEqual(["eventsource", "superjson", "ws"]);
  expect(Object.keys(exports)).toEqual(["./client"]);
  const files = readdirSync(join(outside, "node_modules"), { recursive: true, encoding: "utf8" });
  expect(files.filter((file) => /drizzle|better-auth|react|typescript|@trpc/.test(file))).toEqual([]);
  const declarations = files.filter((file) => file.startsWith("sangam/") && file.endsWith(".d.ts"));
  expect(declarations.length).toBeGreaterThan(0);
  for (const file of declarations) {
    const text = readFileSync(join(outside, "node_modules", file), "utf8");
    expect(text).not.toMatch(/drizzle|better-auth|@server|@db|[:<(] ?any\b/);
  }
});

test("a script compiles against it at the strictest, and calls, changes, listens and goes on after the server was away", async () => {
  const rohan = await makeUser(database.db, { name: "Rohan" });
  const admin = await makeUser(database.db, { accountType: "admin" });
  const callers = createTestCallers(database.db);
  const own = await callers.as(rohan);
  const writer = await callers.as(admin);
  const { key } = await own.auth.createApiKey({ name: "Outside", scope: "write" });
  const { id: conversationId } = await makeConversation(database.db, { between: [rohan.id, admin.id], messages: [] });
  expect(complaints.filter((line) => line.startsWith("script.ts"))).toEqual([]);

  script = spawn(process.execPath, ["out/script.js", server.base, key, conversationId], {
    cwd: outside,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  if (script.stdout) createInterface({ input: script.stdout }).on("line", (line) => lines.push(line));
  const says = (...expected: string[]) => expect.poll(() => lines).toEqual(expect.arrayContaining(expected));
  const write = (text: string) => writer.chat.send({ conversationId, text, clientMessageId: crypto.randomUUID() });

  await says("Rohan", "made OUT-1", "refused title", "sse started", "websocket started");
  await write("one");
  await says("sse one", "websocket one");
  await server.close();
  await write("two");
  server = await startLiveServer({ ...database, port: server.port });
  await says("sse two", "websocket two");
  const ended = new Promise((resolve) => script?.once("exit", resolve));
  await write("end");
  expect(await ended).toBe(0);
  expect(lines.filter((line) => / (one|two|end)$/.test(line)).sort()).toEqual(
    ["sse", "websocket"].flatMap((transport) => ["end", "one", "two"].map((text) => `${transport} ${text}`)),
  );
});

test("a wrong use does not compile, and nothing else is complained about", () => {
  expect(new Set(complaints.map((line) => line.replace(/,.*/, "")))).toEqual(
    new Set(["wrong.ts(3", "wrong.ts(4", "wrong.ts(5", "wrong.ts(6"]),
  );
});

test("the example of docs/developers.md compiles", () => {
  expect(example()).toContain("createClient");
  expect(complaints.filter((line) => line.startsWith("example.ts"))).toEqual([]);
});

const SCRIPT = `
import { type Client, createClient, isClientError, type Project, type Task } from "sangam/client";

declare const process: { argv: string[] };
const [, , url = "", apiKey = "", conversationId = ""] = process.argv;
const client: Client = createClient({ url, apiKey });
const me = await client.auth.me.query();
console.log(me?.displayName, me?.createdAt.slice(0, 4));
console.log(me?.displayName);
const project: Project = await client.projects.create.mutate({
  title: "Outside", description: "d", status: "todo", startDate: "2026-11-01", assignedTo: [], managers: [],
});
const task: Task = await client.tasks.create.mutate({ projectId: project.id, title: "t", description: "d" });
console.log(\`made \${project.key}-\${task.number}\`);
await client.tasks.create.mutate({ projectId: project.id, title: "", description: "d" }).catch((error: unknown) => {
  if (isClientError(error, "BAD_REQUEST")) console.log("refused", Object.keys(error.fieldErrors).join());
});
for (const transport of ["sse", "websocket"] as const) {
  const stream = createClient({ url, apiKey, transport }).chat.onMessage.subscribe({ conversationId }, {
    onStarted: () => console.log(transport, "started"),
    onData({ data }) {
      if (data.type !== "message") return;
      console.log(transport, data.message.text);
      if (data.message.text === "end") stream.unsubscribe();
    },
  });
}
`;

const WRONG = `import { createClient } from "sangam/client";
const client = createClient({ url: "http://localhost:3000", apiKey: "sgm_x" });
client.projects.list.query({ scope: "everything" });
client.projects.lst.query();
client.tasks.mine.query().then(({ items }) => items[0]?.dueDay);
client.tasks.move.query({ taskId: "", afterTaskId: null });
`;
