import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describeError, type Logger } from "./logger";

/** This one and two before it: an upgrade that was taken back and done again has only two. */
const MAX_BUILDS = 3;
const PARTIAL = ".partial-";
const PARTIAL_MAX_AGE_MS = 3_600_000;
const ASSET = /^\/assets\/[\w-][\w.-]*$/;

/** Where the files of builds are kept: what is here outlives the folder that an upgrade replaces. */
export function keptBuildsIn(dataDir: string): string {
  return join(dataDir, "builds");
}

/**
 * Copies the hashed files of the build in `dist` to where the next one finds them, so that pages that were loaded from this build
 * can load the rest of themselves once it is gone. Keeps the three builds that were started last. Does nothing without a build;
 * what fails is logged, as nothing else depends on it.
 */
export async function keepBuild(
  { dist, kept }: { dist: string; kept: string },
  { logger }: { logger: Logger },
): Promise<void> {
  const assets = join(dist, "assets");
  if (!existsSync(assets)) return;
  try {
    await mkdir(kept, { recursive: true, mode: 0o700 });
    const own = await copyOnce(assets, kept);
    await sweep(kept, own);
  } catch (error) {
    logger.warn("build not kept", describeError(error));
  }
}

/** The folder of a kept build that has the file of this address, read anew each time: another process may have added one. */
export function findKeptBuild(kept: string, path: string): string | null {
  if (!ASSET.test(path) || !existsSync(kept)) return null;
  const builds = readdirSync(kept).filter((name) => !name.startsWith("."));
  const name = builds.find((build) => existsSync(join(kept, build, path)));
  return name === undefined ? null : join(kept, name);
}

/** Returns the build's name. Whole or not at all: it is renamed into its place, and another process may be first. */
async function copyOnce(assets: string, kept: string): Promise<string> {
  // Names hold the hashes of what is in the files.
  const names = (await readdir(assets)).sort().join();
  const name = createHash("sha256").update(names).digest("hex").slice(0, 16);
  const own = join(kept, name);
  if (existsSync(own)) {
    const now = new Date();
    await utimes(own, now, now);
    return name;
  }
  const partial = await mkdtemp(join(kept, PARTIAL));
  await cp(assets, join(partial, "assets"), { recursive: true });
  await rename(partial, own).catch(async (error: unknown) => {
    await rm(partial, { recursive: true, force: true });
    if (!existsSync(own)) throw error;
  });
  return name;
}

async function sweep(kept: string, own: string): Promise<void> {
  // What another process has dropped meanwhile has the oldest time of all.
  const startedAt = (name: string) =>
    stat(join(kept, name)).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
  const names = await readdir(kept);
  const found = await Promise.all(names.map(async (name) => ({ name, startedMs: await startedAt(name) })));
  const partial = found.filter(({ name, startedMs }) => name.startsWith(PARTIAL) && isOld(startedMs));
  const builds = found.filter(({ name }) => !name.startsWith(".") && name !== own);
  const former = builds.toSorted((one, other) => other.startedMs - one.startedMs).slice(MAX_BUILDS - 1);
  for (const { name } of [...partial, ...former]) await rm(join(kept, name), { recursive: true, force: true });
}

function isOld(startedMs: number): boolean {
  return Date.now() - startedMs > PARTIAL_MAX_AGE_MS;
}
