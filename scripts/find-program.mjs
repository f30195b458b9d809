// Finds a program of another project that tests run, or installs its Debian package.
// `node scripts/find-program.mjs nginx caddy` prints where they are and, on standard error, why one cannot be had.
import { accessSync, constants, existsSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { capture } from "./shell.mjs";

/** By what tests call them: the package, its program under each of its names, and how that says its version. */
const PROGRAMS = {
  nginx: { label: "nginx", package: "nginx", commands: ["nginx"], version: "-v" },
  caddy: { label: "Caddy", package: "caddy", commands: ["caddy"], version: "version" },
  redis: {
    label: "Redis or Valkey",
    package: "redis-server",
    commands: ["redis-server", "valkey-server"],
    version: "--version",
  },
};

const NAMES = Object.keys(PROGRAMS);

/** Where Debian and Homebrew keep servers, which is not on everybody's PATH. */
const FOLDERS = ["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];
const LOCKED = /Could not get lock|is locked by another process/;
const LOCK_TIMEOUT_MS = 300_000;
const POLICY = "/usr/sbin/policy-rc.d";

const asked = new Map();
/** Of the lists of packages: read once, they are as good for the next package. */
let listed;

/** Those of all these programs that cannot be had. What is missing is installed together: each apt-get reads all of its lists. */
export async function findMissingPrograms() {
  const packages = [];
  for (const program of Object.values(PROGRAMS))
    if ((await presentPath(program)) === null) packages.push(program.package);
  if (packages.length > 1 && mayInstall()) await withoutServices(() => installWithApt(...packages));
  const missing = [];
  // One by one where that did not work.
  for (const name of NAMES) if ((await findProgram(name)) === null) missing.push(name);
  return missing;
}

/**
 * The path of a program that starts: `nginx`, `caddy` or `redis` (Valkey counts). Root has its Debian package installed when it
 * is missing. Null when it cannot be had, after one line on standard error that says why; tests that need it are then skipped.
 */
export function findProgram(name) {
  const found = asked.get(name) ?? find(name);
  asked.set(name, found);
  return found;
}

async function find(name) {
  const program = PROGRAMS[name];
  if (program === undefined) throw new Error(`No program "${name}": ${NAMES.join(", ")}.`);
  const present = await presentPath(program);
  if (present !== null) return present;
  const problem = await install(program, name);
  const installed = await presentPath(program);
  if (installed === null) console.error(`Skipped: tests with ${program.label}. It is not installed, and ${problem}.`);
  return installed;
}

/** Why it was not installed, as the end of a sentence; only counts where the program is still missing. */
async function install(program, name) {
  // A step before this one has already tried.
  if (process.env.PROGRAMS_MISSING?.split(",").includes(name)) return "could not be installed before";
  if (!mayInstall())
    return `only root on Debian or Ubuntu has it installed by itself (apt-get install ${program.package})`;
  const problem = await withoutServices(() => installWithApt(program.package));
  return problem === null ? "does not start" : `apt-get could not install it: ${problem}`;
}

function mayInstall() {
  return process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
}

/**
 * Installs Debian packages, as root. Null, or the first complaint when that did not work. Waits while another apt-get runs, and
 * not for a network that is not there.
 */
export async function installWithApt(...packages) {
  console.error(`Installing ${packages.join(", ")} with apt-get ...`);
  listed ??= apt("update", "-q");
  const complaint = await listed;
  const problem = await apt("install", "-qy", "--no-install-recommends", ...packages);
  return problem === null ? null : (complaint ?? problem);
}

async function apt(...args) {
  const options = ["DPkg::Lock::Timeout=300", "Acquire::Retries=1", "Acquire::http::Timeout=15"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const { code, output } = await capture(
      "timeout",
      ["180", "apt-get", ...options.flatMap((option) => ["-o", option]), ...args],
      { env },
    );
    const complaint = /^[EW]: (.+?)\.?$/m.exec(output)?.[1]?.trim();
    // An update without a network ends well, with warnings.
    if (code === 0) return args[0] === "update" ? (complaint ?? null) : null;
    if (!LOCKED.test(output) || Date.now() > deadline)
      return complaint ?? (code === 124 ? "no answer within 180 s" : `it ended with ${code}`);
    await sleep(1_000);
  }
}

/** Debian starts what it installs, on the ports that everybody knows; a test only wants the program. */
async function withoutServices(work) {
  if (existsSync(POLICY)) return work();
  const undo = () => rmSync(POLICY, { force: true });
  process.once("exit", undo);
  // Should this process be killed, what it leaves behind refuses nothing.
  writeFileSync(POLICY, `#!/bin/sh\nkill -0 ${process.pid} 2>/dev/null && exit 101\nexit 0\n`, { mode: 0o755 });
  try {
    return await work();
  } finally {
    undo();
    process.off("exit", undo);
  }
}

async function presentPath({ commands, version }) {
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), ...FOLDERS];
  for (const path of commands.flatMap((command) => folders.map((folder) => join(folder, command)))) {
    if (isExecutable(path) && (await capture(path, [version])).code === 0) return path;
  }
  return null;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const name of process.argv.slice(2)) console.log((await findProgram(name)) ?? "");
}
