// "Is it up to date?" by the content of the inputs. Not by their dates: git sets those at checkout.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ROOT } from "./shell.mjs";

/** One hash over files and folders below ROOT (missing ones count as missing) and some words. */
export function hashOf(paths, { words = [], ignore = () => false } = {}) {
  const hash = createHash("sha256").update(words.join("\n"));
  for (const path of paths) {
    for (const file of filesBelow(join(ROOT, path))) {
      const name = relative(ROOT, file);
      if (ignore(name)) continue;
      hash.update(`\0${name}\0`).update(readFileSync(file));
    }
  }
  return hash.digest("hex");
}

/** All files of a folder, in a fixed order; the file itself; or nothing. */
export function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

export function readStamp(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** In one step: nobody reads half a stamp. */
export function writeStamp(file, stamp) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, stamp);
  renameSync(`${file}.${process.pid}`, file);
}
