// The commands of package.json. Free of dependencies: the first thing it does is to install them.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
// Whole: a name that an old Node.js lacks would end it before the sentence that says so.
import * as util from "node:util";
import { buildIfStale, isBuilt, SERVER_ENTRY } from "./build.mjs";
import { installIfStale } from "./install.mjs";
import { fail, node, ROOT, requireNode } from "./shell.mjs";

const commands = {
  /** Everything from a fresh clone to a running server, in this one process. */
  async start() {
    await installIfStale();
    await buildIfStale();
    await serveBuilt();
  },

  /** Production: only runs what is built; no demo unless DEMO says so. */
  async serve() {
    if (!isBuilt()) fail("Nothing is built yet: run `npm start`, or install and run `npm run build`.");
    process.env.DEMO ||= dotEnv().DEMO || "0";
    await serveBuilt();
  },

  /** Packages alone: a layer of an image that changes less often than the rest. */
  async install() {
    await installIfStale();
  },

  /** With --force also when nothing has changed. */
  async build() {
    await installIfStale();
    await buildIfStale({ force: process.argv.includes("--force") });
  },

  async "db:migrate"() {
    await installIfStale();
    await buildIfStale();
    await node([SERVER_ENTRY, "--migrate-only"]);
  },

  /** `-- create --email E --name N`; uses the cluster of a running server, or starts it meanwhile. */
  async admin() {
    await installIfStale();
    await buildIfStale();
    // In this process, which has the terminal that asks for the password.
    process.argv.splice(1, 2, SERVER_ENTRY, "--admin");
    await serveBuilt();
  },

  /** `-- FILE.json [--dry-run] [--report FILE.json]`: brings the data of an older system in; beside a running server, too. */
  async import() {
    await operate("import");
  },

  /** `-- FILE.zip`: everything in open formats, beside a running server, too. */
  async export() {
    await operate("export");
  },

  /** `-- FILE`: database, uploads and secrets in one file, beside a running server, too. */
  async backup() {
    await operate("backup");
  },

  /** `-- FILE [--without-secrets]`: a backup into an empty database; no server may run on it. */
  async restore() {
    await operate("restore");
  },

  /** `[-- --send-test-mail ADDRESS]`: what is well and what to do, beside a running server or without one. */
  async doctor() {
    // What is built stays as it is: a server may be running from it.
    if (!isBuilt()) {
      await installIfStale();
      await buildIfStale();
    }
    process.argv.splice(1, 2, SERVER_ENTRY, "--doctor");
    await serveBuilt();
  },

  async dev() {
    await installIfStale();
    const { dev } = await import("./dev.mjs");
    await dev({ ...dotEnv(), ...process.env });
  },

  /** All comparisons, or the one that is named, with its options; `-- --against COMMIT-OR-FOLDER`. */
  async bench() {
    await installIfStale();
    await buildIfStale();
    const { bench } = await import("./bench.mjs");
    await bench(process.argv.slice(3));
  },

  /** `[-- --platform NAME|all] [--allow-dirty]`: release/sangam-VERSION-PLATFORM.tar.gz, which runs with Node.js alone. */
  async release() {
    await installIfStale();
    const { release } = await import("./release.mjs");
    await release(process.argv.slice(3));
  },

  /** The brochure, the pictures for links and the icons, from the pages' own words; commit what changes. */
  async assets() {
    await installIfStale();
    await buildIfStale();
    await node(["--import", "tsx", join("scripts", "assets.mjs")]);
  },

  /** Faults under traffic, and whether every promise about messages was kept; `-- --short`, `--fault NAME`, `--upgrade COMMIT`. */
  async chaos() {
    await installIfStale();
    await buildIfStale();
    const { withCheckout } = await import("./bench.mjs");
    await node(["--import", "tsx", "e2e/chaos/run.ts", ...(await withCheckout(process.argv.slice(3), "--upgrade"))]);
  },

  /** Whether the compiler sees every use of a renamed, retyped or dropped name; `-- --seed N --count N`. */
  async mutations() {
    await installIfStale();
    await node(["--import", "tsx", "scripts/mutations/run.ts", ...process.argv.slice(3)]);
  },

  /** Writes what is made of the router: the package's declarations and the reference; with `-- --check` only compares. */
  async reference() {
    await installIfStale();
    await node(["--import", "tsx", "scripts/reference/generate.ts", ...process.argv.slice(3)]);
  },

  async test() {
    const { test } = await import("./test.mjs");
    await test();
  },

  /** `npm test`, and what it leaves out or repeats less often because it takes long. */
  async "test:long"() {
    const { test } = await import("./test.mjs");
    await test({ isLong: true });
  },

  async "test:lts"() {
    const { testLts } = await import("./test.mjs");
    await testLts();
  },

  async "test:repeat"() {
    const { testRepeat } = await import("./test.mjs");
    await testRepeat();
  },
};

/** What files are named from. */
const callerFolder = process.env.INIT_CWD ?? process.cwd();
process.chdir(ROOT);
requireNode();
const command = commands[process.argv[2]];
if (command === undefined) fail(`Usage: node scripts/run.mjs ${Object.keys(commands).join(" | ")}`);
await command();

/** In this process, which has the terminal that asks for a passphrase. */
async function operate(name) {
  await installIfStale();
  await buildIfStale();
  process.argv.splice(1, 2, SERVER_ENTRY, `--${name}`, callerFolder);
  await serveBuilt();
}

/** In this very process, so that whoever signals it reaches the server. */
async function serveBuilt() {
  process.env.NODE_ENV ??= "production";
  await import(join(ROOT, SERVER_ENTRY));
}

function dotEnv() {
  const file = join(ROOT, ".env");
  return existsSync(file) ? util.parseEnv(readFileSync(file, "utf8")) : {};
}
