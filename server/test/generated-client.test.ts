import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeProject, makeUser } from "../../db/factories";
import { createTestCallers } from "./caller";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, startLiveServer } from "./live-server";

/* A client that others generate from docs/openapi.json, by openapi-typescript and openapi-fetch: the example of docs/developers.md. */

const run = promisify(execFile);
const ROOT = process.cwd();
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");
const STRICT = { target: "es2022", module: "nodenext", strict: true, noUncheckedIndexedAccess: true, outDir: "out" };

let folder: string;
let database: TestDatabase;
let server: LiveServer;
let complaints: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sangam-openapi-"));
  database = await createTestDatabase();
  server = await startLiveServer(database);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await run(process.execPath, ["scripts/openapi-types.mjs", join(folder, "sangam.ts")]);
  complaints = await compile();
}, 120_000);
afterAll(async () => {
  await server.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The example and a wrong use in one run: reading the types takes most of it. Its complaints, without their details. */
async function compile(): Promise<string[]> {
  writeFileSync(join(folder, "script.ts"), SCRIPT);
  writeFileSync(join(folder, "wrong.ts"), WRONG);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...STRICT, types: [] }, files: ["script.ts", "wrong.ts"] }),
  );
  // The compiler is a Go program: collecting its garbage less often takes a quarter off its processor time.
  const compiled = run(process.execPath, [TSC, "-p", folder], { cwd: folder, env: { ...process.env, GOGC: "400" } });
  const { stdout } = await compiled.catch((error: { stdout: string }) => error);
  return stdout.split("\n").filter((line) => /^\S/.test(line));
}

test("is typed: it asks, changes, and reads a refusal", async () => {
  expect(EXAMPLE).toContain("createFetch");
  expect(complaints.filter((line) => line.startsWith("script.ts"))).toEqual([]);

  const rohan = await makeUser(database.db);
  const { id } = await makeProject(database.db, { createdBy: rohan.id, title: "Harbour", key: "HBP" });
  const { key } = await (await createTestCallers(database.db).as(rohan)).auth.createApiKey({
    name: "Generated",
    scope: "write",
  });
  const { stdout } = await run(process.execPath, [join(folder, "out", "script.js"), server.base, key, id]);
  expect(stdout.trim().split("\n")).toEqual([
    "HBP Harbour",
    "task 1",
    "Please check the marked fields. Please fill in all required fields for the task.",
  ]);
});

test("does not compile with a wrong input or an answer's wrong field, and nothing else is complained about", () => {
  expect(new Set(complaints.map((line) => line.replace(/,.*/, "")))).toEqual(
    new Set(["wrong.ts(4", "wrong.ts(5", "wrong.ts(6", "wrong.ts(7"]),
  );
});

const [, EXAMPLE = ""] =
  /```ts\n(import createFetch[\s\S]*?)```/.exec(readFileSync(join(ROOT, "docs/developers.md"), "utf8")) ?? [];

const SCRIPT = `declare const process: { argv: string[] };
const [, , baseUrl = "", apiKey = "", projectId = ""] = process.argv;
${EXAMPLE}`;

const WRONG = `import createFetch from "openapi-fetch";
import type { paths } from "./sangam.js";
const client = createFetch<paths>({ baseUrl: "" });
client.POST("/api/trpc/projects.list", { body: { json: { scope: "everything" } } });
client.POST("/api/trpc/tasks.move", { body: { json: { taskId: 1, afterTaskId: null } } });
client.POST("/api/trpc/search.all", { body: { json: { q: "a" } } }).then(({ data }) => data?.result.data.json.commits);
client.POST("/api/trpc/search.all", { body: { json: { q: "a" } } }).then(({ error }) => error?.error.json.data.reasons);
`;
