import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findKeptBuild, keepBuild } from "./kept-builds";
import { createLogger, type Logger } from "./logger";

const silent = { logger: createLogger({ level: "silent" }) };
let folder: string;
let kept: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sangam-builds-"));
  kept = join(folder, "builds");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a build's files are found after its folder was replaced, and beside those of the next", async () => {
  await keepBuild({ dist: buildOf("app-one.js", "app-one.js.br"), kept }, silent);
  await keepBuild({ dist: buildOf("app-two.js"), kept }, silent);
  expect(fileOf("/assets/app-one.js")).toBe(true);
  expect(fileOf("/assets/app-one.js.br")).toBe(true);
  expect(fileOf("/assets/app-two.js")).toBe(true);
  expect(findKeptBuild(kept, "/assets/app-three.js")).toBeNull();
});

test("the three builds that were started last are kept", async () => {
  const names = ["one", "two", "three", "four"].map((name) => `app-${name}.js`);
  for (const [at, name] of names.entries()) {
    await keepBuild({ dist: buildOf(name), kept }, silent);
    // The order of starts, whatever the resolution of the disk's clock.
    for (const build of readdirSync(kept)) {
      if (existsSync(join(kept, build, "assets", name))) utimesSync(join(kept, build), 1_000 + at, 1_000 + at);
    }
  }
  expect(names.filter((name) => fileOf(`/assets/${name}`))).toEqual(names.slice(1));
  await keepBuild({ dist: buildOf("app-two.js"), kept }, silent);
  await keepBuild({ dist: buildOf("app-five.js"), kept }, silent);
  expect(["app-two.js", "app-four.js", "app-five.js"].every((name) => fileOf(`/assets/${name}`))).toBe(true);
  expect(readdirSync(kept)).toHaveLength(3);
});

test("two processes that start at the same time keep one copy", async () => {
  const dist = buildOf("app-one.js");
  await Promise.all([1, 2, 3].map(() => keepBuild({ dist, kept }, silent)));
  expect(readdirSync(kept)).toHaveLength(1);
  expect(fileOf("/assets/app-one.js")).toBe(true);
});

test("nothing outside the assets of a build is found", async () => {
  await keepBuild({ dist: buildOf("app-one.js"), kept }, silent);
  writeFileSync(join(folder, "secret"), "hidden");
  for (const path of [
    "/assets/../../../secret",
    "/assets/..",
    "/assets/",
    "/assets",
    "/secret",
    "/assets/a/../app-one.js",
  ])
    expect(findKeptBuild(kept, path)).toBeNull();
});

test("without room, or without a build, the server runs on and says so", async () => {
  const warned: string[] = [];
  const logger: Logger = { ...silent.logger, warn: (event) => void warned.push(event) };
  writeFileSync(kept, "a file where the folder should be");
  await keepBuild({ dist: join(folder, "none"), kept }, { logger });
  expect(warned).toEqual([]);
  await keepBuild({ dist: buildOf("app-one.js"), kept }, { logger });
  expect(warned).toEqual(["build not kept"]);
});

function fileOf(path: string): boolean {
  const build = findKeptBuild(kept, path);
  return build !== null && existsSync(join(build, path));
}

/** The one folder that each build replaces. */
function buildOf(...names: string[]): string {
  const dist = join(folder, "dist");
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(join(dist, "assets"), { recursive: true });
  for (const name of names) writeFileSync(join(dist, "assets", name), name);
  return dist;
}
