import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { EmbeddedError, giveTo, identity, PG_ENV, prepareBinaries } from "./binaries";
import { type ClusterLocation, isCluster } from "./location";
import { markSetting, ownMark } from "./postmaster";

/** A PostgreSQL that this process has started and holds on a leash. */
export type RunningServer = {
  pid: number;
  /** The last lines that PostgreSQL wrote before it ended; undefined while it runs. */
  failure(): string | undefined;
  exited: Promise<string>;
  stop(): Promise<void>;
};

/**
 * The shell keeps a child that waits on file descriptor 3. When node ends in any way, kill -9 included, the kernel
 * closes the other end, the child reads end-of-file and signals PostgreSQL to stop (INT: roll back, write out, leave).
 * The shell itself becomes PostgreSQL. Only builtins, so it needs nothing else on the machine.
 */
const LEASH = '( (read -r _ <&3; kill -INT $$) >/dev/null 2>&1 & ) ; exec 3<&-; exec "$@"';

/** What PostgreSQL says to the slower of two simultaneous starts, which then joins the quicker one. */
const OTHER_START_WON = /lock file .* (already exists|is empty)|Is another (postmaster|server)/;

const FAST_STOP_MS = 10_000;
const ABANDONED_INIT_MS = 10 * 60_000;

/** Makes the cluster when there is none and starts PostgreSQL on it; returns at once, before it is ready. */
export async function launch(
  location: ClusterLocation,
  options: { log: (line: string) => void; flags: readonly string[]; removeStalePid: boolean },
): Promise<RunningServer> {
  const binaries = prepareBinaries(location.user, location.copyFolder);
  if (!isCluster(location.pgDir)) await initialise(location, binaries.initdb);
  // Its process id now belongs to another program, which PostgreSQL itself would take for a living twin.
  if (options.removeStalePid) rmSync(join(location.pgDir, "postmaster.pid"), { force: true });
  const settings = [
    "listen_addresses=",
    `unix_socket_directories=${location.socketDir}`,
    "unix_socket_permissions=0700",
    "timezone=UTC",
    "log_timezone=UTC",
    // Errors of statements reach the server as errors; here they would only copy people's input into a log.
    "log_min_messages=fatal",
    "log_min_error_statement=panic",
    markSetting(ownMark()),
    ...options.flags,
  ];
  const child = spawn(
    "/bin/sh",
    ["-c", LEASH, "sh", binaries.postgres, "-D", location.pgDir, "-p", "5432", ...settings.flatMap((s) => ["-c", s])],
    // detached: a session of its own, so that Ctrl-C reaches node only.
    { ...identity(location.user), cwd: "/", detached: true, stdio: ["ignore", "ignore", "pipe", "pipe"], env: PG_ENV },
  );
  return watch(child, options.log);
}

function watch(child: ChildProcess, log: (line: string) => void): RunningServer {
  const lastLines: string[] = [];
  let ending = false;
  let failure: string | undefined;
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on("line", (line) => {
      lastLines.push(line);
      if (lastLines.length > 12) lastLines.shift();
      if (!ending && !OTHER_START_WON.test(line)) log(line);
    });
  }
  const exited = new Promise<string>((resolve) => {
    const settle = (why: string) => {
      // The leash's holder would otherwise signal whoever gets this process id next.
      child.stdio[3]?.destroy();
      failure = lastLines.join(" ").trim() || why;
      resolve(ending ? "PostgreSQL was stopped." : `PostgreSQL has ended by itself: ${failure}`);
    };
    child.once("error", (error) => settle(error.message));
    // "close" comes after the last line of stderr, but waits for all who hold it; "exit" comes first.
    child.once("exit", (code, signal) => setTimeout(settle, 20, signal ?? `exit code ${code}`));
  });
  return {
    pid: child.pid ?? -1,
    failure: () => failure,
    exited,
    async stop() {
      ending = true;
      if (failure !== undefined) return;
      child.kill("SIGINT");
      const force = setTimeout(() => child.kill("SIGQUIT"), FAST_STOP_MS);
      await exited;
      clearTimeout(force);
    },
  };
}

/** In a folder beside it, renamed at the end: an interrupted or a doubled first start leaves no half cluster. */
async function initialise(location: ClusterLocation, initdb: string): Promise<void> {
  const folder = dirname(location.pgDir);
  const prefix = `${basename(location.pgDir)}.new-`;
  removeAbandoned(folder, prefix);
  const made = mkdtempSync(join(folder, prefix));
  try {
    giveTo(made, location.user);
    chmodSync(made, 0o700);
    await run(location, initdb, [
      ...["-D", made, "-U", "sangam", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions"],
      ...["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
    ]);
    renameSync(made, location.pgDir);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    // A twin that was quicker has put its own there.
    if (!isCluster(location.pgDir)) throw error;
  }
}

function run(location: ClusterLocation, program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, {
    ...identity(location.user),
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
    env: PG_ENV,
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    complaint += text;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new EmbeddedError(`PostgreSQL's files could not be made in ${location.pgDir}: ${complaint.trim()}`));
    });
  });
}

function removeAbandoned(folder: string, prefix: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.startsWith(prefix) && Date.now() - statSync(path).mtimeMs > ABANDONED_INIT_MS) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}
