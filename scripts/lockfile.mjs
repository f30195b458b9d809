// bun.lock names no address to download from, and holds every platform's packages. `node scripts/lockfile.mjs`
// Where a registry lacks a platform's package, Bun leaves it out without a word and the lock fails on that platform.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./shell.mjs";

const text = readFileSync(join(ROOT, "bun.lock"), "utf8");
// The text form is JSON with commas after the last elements.
const { packages, workspaces } = JSON.parse(text.replace(/,(\s*[}\]])/g, "$1"));
const problems = [];

if (/https?:\/\//.test(text)) problems.push("bun.lock holds a download address: install with the default registry.");
const ids = new Set(Object.values(packages).flatMap(([id]) => [id, id.slice(0, id.lastIndexOf("@"))]));
const wanted = [
  ...Object.entries(workspaces).map(([name, workspace]) => [name || "package.json", workspace]),
  ...Object.values(packages).map((entry) => [entry[0], entry.find((part) => typeof part === "object") ?? {}]),
];
for (const [dependent, { optionalDependencies = {} }] of wanted) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const id = /^\d/.test(version) ? `${name}@${version}` : name;
    if (!ids.has(id)) problems.push(`${dependent} wants ${id}, which bun.lock lacks: pin a version that has it.`);
  }
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
