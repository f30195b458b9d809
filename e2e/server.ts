import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "../server/test/free-port";

/** The built server as its own process, on a free port, with a throw-away database that holds the demo organisation. */
export type TestServer = {
  /** Without a trailing slash. */
  url: string;
  dataDir: string;
  /** Of the running process. */
  pid(): number;
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /**
   * Starts again on the same port and data after `stop` or `kill`; `changes` are settings for this start only, `from` another
   * checkout.
   */
  start(changes?: Record<string, string>, from?: string): Promise<void>;
  /** The lines printed by the last start, up to `ready`. */
  readonly said: readonly string[];
  /** Everything it has logged, at level debug. */
  log: readonly string[];
};

const READY_MS = 120_000;
/** Of the data folder that servers of the demo begin with, where there is one (e2e/demo-data.ts). */
export const DEMO_DATA = "E2E_DEMO_DATA";

/**
 * Starts a server and waits until it is ready. `env` adds settings; `folder` is another checkout to run; `filesOf` is a server whose
 * files it shares, as processes of one database do.
 */
export async function startServer(
  env: Record<string, string> = {},
  folder = ".",
  filesOf?: TestServer,
): Promise<TestServer> {
  const port = await freePort();
  const dataDir = throwAwayFolder();
  if (filesOf) shareFiles(filesOf, dataDir);
  else if (env.DEMO === undefined && env.DATABASE_URL === undefined && folder === ".") copyDemoData(dataDir);
  const log: string[] = [];
  const said: string[] = [];
  let child = await launch({ folder, port, dataDir, env, log, said });
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    pid: () => child.pid ?? 0,
    stop: () => end(child, "SIGTERM"),
    kill: async () => void (await end(child, "SIGKILL")),
    start: async (changes, from = folder) => {
      child = await launch({ folder: from, port, dataDir, env: { ...env, ...changes }, log, said });
    },
    said,
    log,
  };
}

function shareFiles({ dataDir: from }: TestServer, dataDir: string): void {
  mkdirSync(join(from, "files"), { recursive: true, mode: 0o700 });
  symlinkSync(join(from, "files"), join(dataDir, "files"));
}

function copyDemoData(dataDir: string): void {
  const from = process.env[DEMO_DATA];
  // Not by Node.js: the database belongs to PostgreSQL's own user.
  if (from !== undefined) execFileSync("cp", ["-a", `${from}/.`, dataDir]);
}

/** Stops the server and removes its data. */
export async function disposeServer(server: TestServer): Promise<void> {
  await server.stop();
  expectNoSecrets(server);
  rmSync(server.dataDir, { recursive: true, force: true });
}

/** The log never holds passwords, cookies or the links of mails. */
function expectNoSecrets({ log, dataDir }: TestServer): void {
  const outbox = join(dataDir, "outbox");
  const mails = existsSync(outbox) ? readdirSync(outbox).map((file) => readFileSync(join(outbox, file), "utf8")) : [];
  const tokens = mails.flatMap((mail) =>
    [
      ...mail
        .replace(/=\r?\n/g, "")
        .replace(/=3D/g, "=")
        .matchAll(/[?&]token=([\w-]+)/g),
    ].map(([, token = ""]) => token),
  );
  const secrets = ["sangam-demo", "monsoon-24", "session_token=", ...tokens];
  const leaks = log.filter((text) => secrets.some((secret) => text.includes(secret)));
  if (leaks.length > 0) throw new Error(`secrets in the log:\n${leaks.join("")}`);
}

async function launch(options: {
  folder: string;
  port: number;
  dataDir: string;
  env: Record<string, string>;
  log: string[];
  said: string[];
}): Promise<ChildProcess> {
  options.said.length = 0;
  const child = spawn(process.execPath, ["dist-server/main.mjs"], {
    env: {
      ...blankSettings(),
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TZ: "UTC",
      // As package.json and deploy/ start it: without it a sign-in takes twice the processor time.
      GLIBC_TUNABLES: "glibc.malloc.hugetlb=1",
      NODE_ENV: "production",
      PORT: String(options.port),
      DATA_DIR: options.dataDir,
      DEMO: "1",
      RATE_LIMIT_MULTIPLIER: "0",
      LOG_LEVEL: "debug",
      // Nothing listens there: tests of repositories start a server of their own.
      GITHUB_API_URL: "http://127.0.0.1:9",
      // Receivers of webhooks are servers of the tests.
      OUTGOING_ALLOW_LOOPBACK: "1",
      ...options.env,
    },
    cwd: options.folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => options.log.push(text));
  const output = () => options.log.join("").slice(-4_000);
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`The server is not ready after ${READY_MS} ms.\n${output()}`)),
      READY_MS,
    );
    createInterface({ input: child.stdout }).on("line", (line) => {
      options.said.push(line);
      if (!line.startsWith("ready ")) return;
      clearTimeout(late);
      resolve();
    });
    child.once("exit", (code) => {
      clearTimeout(late);
      reject(new Error(`The server ended with ${code}.\n${output()}`));
    });
  });
  return child;
}

function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill(signal);
  });
}

/** An empty setting counts as unset, and overrides a developer's .env. */
function blankSettings(): Record<string, string> {
  const names = readFileSync(".env.example", "utf8").matchAll(/^#?([A-Z][A-Z_]+)=/gm);
  return Object.fromEntries([...names].map((match) => [match[1] ?? "", ""]));
}

/** In memory when there is room, so that the database writes to no disk. */
function throwAwayFolder(): string {
  const memory = "/dev/shm";
  const roomy = existsSync(memory) && statfsSync(memory).bavail * statfsSync(memory).bsize > 1e9;
  const folder = mkdtempSync(join(roomy ? memory : tmpdir(), `sangam-e2e-${process.pid}-`));
  // When root runs the tests, PostgreSQL runs as another user, who has to enter this folder.
  chmodSync(folder, 0o711);
  return folder;
}
