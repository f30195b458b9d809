// `npm run release`: release/sangam-VERSION-PLATFORM.tar.gz, which runs with Node.js alone, with its checksum beside it.
import { createHash } from "node:crypto";
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { createGzip } from "node:zlib";
import { buildIfStale } from "./build.mjs";
import { PLATFORMS, writeContents } from "./release/contents.mjs";
import { tryOut } from "./release/try-out.mjs";
import { capture, fail, ROOT } from "./shell.mjs";

const OWN_PLATFORM = `${process.platform}-${process.arch}`;
const USAGE = `Usage: npm run release [-- --platform ${PLATFORMS.join(" | ")} | all] [--allow-dirty] [--try]`;

/**
 * Builds anew, packs, and unpacks and tries what it packed. For other platforms than this machine's PostgreSQL comes from the
 * npm registry, checked against bun.lock; only their contents can be looked at here. The same commit, Node.js and npm give
 * the same checksum. `--try` packs and tries what is built, and keeps nothing.
 */
export async function release(args) {
  const { platforms, allowDirty, isTrial } = readOptions(args);
  const commit = await readCommit();
  if (isTrial) return tryRelease(commit);
  if (commit.isDirty && !allowDirty) {
    fail("There are changes that are not committed: commit or stash them, or add --allow-dirty for a trial.");
  }
  if (!(await isGnuTar())) fail("A release is packed by GNU tar, the same each time: make it on Linux.");
  await buildIfStale({ force: true });
  mkdirSync(join(ROOT, "release"), { recursive: true });
  for (const platform of platforms) await releaseFor({ platform, commit });
}

/** What `npm test` does: packs what is built, without compressing it, and tries that. */
async function tryRelease(commit) {
  if (!(await isGnuTar())) return console.log("Not tried: a release is packed by GNU tar.");
  await inTemporaryFolder(async (folder) => {
    const name = await pack({ platform: OWN_PLATFORM, commit, folder });
    await tryOut({ archive: join(folder, `${name}.tar`), name, platform: OWN_PLATFORM });
  });
}

function releaseFor({ platform, commit }) {
  return inTemporaryFolder(async (folder) => {
    const name = await pack({ platform, commit, folder });
    const file = `${name}.tar.gz`;
    const path = join(ROOT, "release", file);
    // No name and no time in its head: the same bytes each time.
    await pipeline(createReadStream(join(folder, `${name}.tar`)), createGzip({ level: 9 }), createWriteStream(path));
    await tryOut({ archive: path, name, platform });
    const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
    writeFileSync(`${path}.sha256`, `${sha256}  ${file}\n`);
    console.log(`release/${file}  ${sha256}`);
  });
}

/** Makes NAME.tar with everything below NAME/, each file with the time of the commit and nobody's name. */
async function pack({ platform, commit, folder }) {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const name = `sangam-${version}-${platform}`;
  await writeContents({ folder: join(folder, name), platform, version, commit });
  const same = [
    "--sort=name",
    `--mtime=@${commit.seconds}`,
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--mode=u=rwX,go=rX",
  ];
  const { code, output } = await capture("tar", ["--format=ustar", ...same, "-cf", `${name}.tar`, name], {
    cwd: folder,
  });
  if (code !== 0) fail(`tar ended with ${code}: ${output}`);
  return name;
}

function readOptions(args) {
  try {
    const options = {
      platform: { type: "string", default: OWN_PLATFORM },
      "allow-dirty": { type: "boolean" },
      try: { type: "boolean" },
    };
    const { values } = parseArgs({ args, options });
    const platforms = values.platform === "all" ? PLATFORMS : [values.platform];
    if (platforms.every((platform) => PLATFORMS.includes(platform))) {
      return { platforms, allowDirty: values["allow-dirty"] === true, isTrial: values.try === true };
    }
  } catch {
    // Said below.
  }
  return fail(USAGE);
}

/** The commit that lies here; outside a git checkout one without a name and of no time. */
async function readCommit() {
  const shown = await capture("git", ["log", "-1", "--format=%H %ct"]);
  if (shown.code !== 0) return { sha: "unknown", seconds: 0, isDirty: true };
  const [sha, seconds] = shown.output.trim().split(" ");
  const { output } = await capture("git", ["status", "--porcelain"]);
  return { sha, seconds: Number(seconds), isDirty: output.trim() !== "" };
}

async function isGnuTar() {
  return (await capture("tar", ["--version"])).output.includes("GNU tar");
}

async function inTemporaryFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), "sangam-release-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
