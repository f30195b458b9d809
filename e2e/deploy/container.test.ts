import { type ChildProcess, execFile, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { parse } from "yaml";
import { createTestDatabase, type TestDatabase } from "../../server/test/db";
import { freePort } from "../../server/test/free-port";
import { IS_LONG_FORM } from "../long-form";
import { allOf, commandOf, own, readDockerfile, runStage, type User, variablesOf } from "./dockerfile";

/** Only root can become another user: the one whom the tests' PostgreSQL lets into the folder of its socket. */
const USER: User = process.getuid?.() === 0 ? ownerOf(inject("pg").host) : null;
/** What this checkout has installed and built; both are made anew when an input is missing or another one. */
const MADE = ["node_modules/.install-stamp", "dist", "dist-server"];
/** Packages that are compiled for a platform, and what they need: all else is in the bundle. */
const PACKAGES = ["@img", "detect-libc", "semver", "sharp"];
/** By what each library is known in the bundle. */
const SIGNS = { "prom-client": "openmetrics-text", OpenTelemetry: "BatchSpanProcessor", Redis: "ClientOfflineError" };
/** Installs and builds in the clean folder, which takes a minute or two: in the long form, or with `DOCKERFILE_FROM_SCRATCH=1`. */
const isFromScratch = IS_LONG_FORM || process.env.DOCKERFILE_FROM_SCRATCH === "1";

let folder: string;
let database: TestDatabase;
let image: string;
let printed: string;
const { build, server } = readDockerfile();

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), "sangam-image-"));
  chmodSync(folder, 0o755);
  const [built, ran] = [join(folder, "build"), join(folder, "image")];
  const home = join(built, allOf(build, "WORKDIR")[0] ?? "");
  mkdirSync(home, { recursive: true });
  if (!isFromScratch) {
    for (const path of [...MADE, ...PACKAGES.map((name) => join("node_modules", name))]) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      cpSync(path, join(home, path), { recursive: true });
    }
    own(home, USER);
  }
  const env = { PATH: process.env.PATH, HOME: home };
  printed = await runStage(build, { root: built, context: resolve("."), user: USER, env });
  await runStage(server, { root: ran, context: resolve("."), built, user: USER, env });
  image = join(ran, allOf(server, "WORKDIR")[0] ?? "");
  await promisify(execFile)("chmod", ["-R", "a-w", image]);
});
afterAll(async () => {
  await promisify(execFile)("chmod", ["-R", "u+w", folder]);
  rmSync(folder, { recursive: true });
  await database.close();
});

test("the Dockerfile copies all that a build needs", () => {
  // Other inputs, or missing ones, would be installed or built anew.
  expect(printed).toBe(isFromScratch ? "Installing packages ...\nBuilding ...\n" : "");
});

test("the image holds what is needed, and nothing of it is the server's to change", async () => {
  expect(allOf(server, "USER")).toEqual(["node"]);
  expect(["src", "server", "scripts", ".env"].filter((name) => existsSync(join(image, name)))).toEqual([]);
  expect(readdirSync(join(image, "node_modules")).sort()).toEqual(PACKAGES);
  const { host, port: socket, username, database: name } = database.connection;
  const [port, metricsPort] = [await freePort(), await freePort()];
  const env = {
    ...imageVariables(),
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    HOST: "127.0.0.1",
    DATABASE_URL: `postgres://${username}@localhost:${socket}/${name}?host=${host}`,
    BETTER_AUTH_SECRET: "s".repeat(32),
    TOKEN_ENCRYPTION_KEY: "t".repeat(32),
  };
  const isWell = () => runCommand(commandOf(server, "HEALTHCHECK"), env).then(({ code }) => code === 0);
  const child = start(commandOf(server, "CMD"), env);
  const ended = new Promise((done) => child.once("exit", done));
  try {
    expect(await isWell()).toBe(false);
    await expect.poll(isWell).toBe(true);
    const page = await fetch(`http://127.0.0.1:${port}/login`);
    expect(await page.text()).toContain("</html>");
    // For whoever reaches that port at HOST, and nowhere else.
    const scraped = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    expect(await scraped.text()).toMatch(/^sangam_database_up 1$/m);
    expect(await fetch(`http://127.0.0.1:${port}/metrics`)).toMatchObject({ status: 404 });
    await expect(fetch(`http://127.0.0.2:${metricsPort}/metrics`)).rejects.toThrow();
    const doctor = await runCommand(["node", "server.js", "doctor"], env);
    expect(doctor.output).toContain("ok     migrations: None is pending.");
    expect((await runCommand(["node", "server.js", "version"], env)).output).toMatch(/^Sangam \d/);
  } finally {
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  }
  expect(await isWell()).toBe(false);
});

test("metrics, traces and the bus are loaded only where a setting asks for them", () => {
  const folder = join(image, "dist-server");
  const textOf = (file: string) => readFileSync(join(folder, file), "utf8");
  const loaded = new Set(["main.mjs"]);
  for (const file of loaded)
    for (const [, imported = ""] of textOf(file).matchAll(/(?:from|^import) ?"(\.[^"]+)"/gm))
      loaded.add(join(dirname(file), imported));
  expect(loaded.size).toBeGreaterThan(1);
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".mjs"));
  for (const [library, sign] of Object.entries(SIGNS)) {
    const holding = all.filter((file) => textOf(file).includes(sign));
    expect({ library, isBuiltIn: holding.length > 0 }).toEqual({ library, isBuiltIn: true });
    expect({ library, atStart: holding.filter((file) => loaded.has(file)) }).toEqual({ library, atStart: [] });
  }
});

test("without a database of its own the image says what to set", async () => {
  const { code, output } = await runCommand(commandOf(server, "CMD"), imageVariables());
  expect(code).toBe(1);
  expect(output).toContain("DATABASE_URL");
});

test("the compose file is one by the Compose Specification", () => {
  const compose: unknown = parse(readFileSync("deploy/compose.yaml", "utf8"), { merge: true });
  const schema = JSON.parse(readFileSync("e2e/deploy/compose-spec.json", "utf8"));
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const isValid = ajv.validate(schema, compose);
  expect(isValid ? [] : ajv.errors).toEqual([]);
});

test("what the compose file sets are settings of the server, and Caddy's network is the proxy that it trusts", () => {
  const compose = parse(readFileSync("deploy/compose.yaml", "utf8"), { merge: true });
  const known = readFileSync(".env.example", "utf8");
  const unknown = Object.keys(compose.services.app.environment).filter((name) => !known.includes(`#${name}=`));
  expect(unknown).toEqual([]);
  expect(compose.services.app.environment.TRUSTED_PROXIES).toBe(compose.networks.default.ipam.config[0].subnet);
  expect(compose.services.app).toMatchObject({ read_only: true, cap_drop: ["ALL"], restart: "unless-stopped" });
  const mounted = Object.values<{ volumes?: string[] }>(compose.services).flatMap(({ volumes = [] }) => volumes);
  const named = mounted.map((volume) => volume.split(":")[0] ?? "").filter((name) => !name.startsWith("."));
  expect(named.toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
});

test("systemd takes the unit, and finds little that the server could do besides", async () => {
  const unit = readFileSync("deploy/sangam.service", "utf8");
  const keys = [...unit.matchAll(/^(\w+)=/gm)].map(([, key]) => key);
  expect(keys).toEqual(expect.arrayContaining(["User", "ExecStart", "Restart", "ProtectSystem", "NoNewPrivileges"]));
  const analyze = (...args: string[]) => runCommand(["systemd-analyze", ...args], { PATH: process.env.PATH });
  const { code, output } = await analyze("--version");
  const [, version = "0"] = /^systemd (\d+)/.exec(output) ?? [];
  if (code !== 0 || Number(version) < 250) return;
  const file = join(folder, "sangam.service");
  writeFileSync(file, unit.replace("/usr/bin/node", process.execPath));
  expect(await analyze("verify", file)).toEqual({ code: 0, output: "" });
  // Of 100: an ordinary service has 96.
  expect(await analyze("security", "--offline=true", "--threshold=20", file)).toMatchObject({ code: 0 });
});

test("the unit is tried again for as long as a database is away, and may write where the settings' example has backups", () => {
  const unit = readUnit();
  expect(unit.get("Restart")).toEqual(["always"]);
  // Zero switches the limit off; unset, it is five starts in ten seconds.
  expect(unit.get("StartLimitIntervalSec")).toEqual(["0"]);
  const [, backups] = /^#BACKUP_DIR=(.*)$/m.exec(readFileSync(".env.example", "utf8")) ?? [];
  expect(unit.get("ReadWritePaths")).toEqual([`-${backups}`]);
});

test("the docs' line for commands runs them as the unit runs the server", () => {
  const [, line = ""] = /^ {2}(systemd-run (?:.*\\\n)*.*)$/m.exec(readFileSync("docs/deploy.md", "utf8")) ?? [];
  const unit = readUnit();
  const [settings = ""] = unit.get("Environment") ?? [];
  const same = ["User", "EnvironmentFile", "WorkingDirectory", "UMask"].map((key) => `-p ${key}=${unit.get(key)}`);
  const wanted = [...same, ...settings.split(" ").map((setting) => `-E ${setting}`)];
  expect(wanted.filter((option) => !line.includes(` ${option} `))).toEqual([]);
});

/** What the systemd unit sets, each setting with all its values. */
function readUnit(): Map<string, string[]> {
  const unit = new Map<string, string[]>();
  for (const [, key = "", value = ""] of readFileSync("deploy/sangam.service", "utf8").matchAll(/^(\w+)=(.*)$/gm))
    unit.set(key, [...(unit.get(key) ?? []), value]);
  return unit;
}

function ownerOf(path: string): User {
  const { uid, gid } = statSync(path);
  return { uid, gid };
}

function imageVariables(): Record<string, string | undefined> {
  const variables = variablesOf(server);
  const data = join(dirname(image), variables.DATA_DIR ?? "");
  return { PATH: process.env.PATH, LOG_LEVEL: "silent", ...variables, DATA_DIR: data };
}

function start([program, ...args]: [string, ...string[]], env: Record<string, string | undefined>): ChildProcess {
  return spawn(program, args, { cwd: image, env, stdio: "ignore", ...USER });
}

/** Never rejects. */
async function runCommand(
  [program, ...args]: [string, ...string[]],
  env: Record<string, string | undefined>,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: image, env, ...USER }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr });
    });
  });
}
