import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const commands = readFileSync("README.md", "utf8").match(/^\| `npm run .*$/gm) ?? [];

test("the README's commands are those of package.json", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const named = commands.flatMap((row) => [...row.matchAll(/`npm run ([\w:]+)/g)].map(([, name]) => name));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test("the README names every comparison of `npm run bench`", () => {
  const [, row = ""] = commands.find((line) => line.startsWith("| `npm run bench`"))?.split("comparisons:") ?? [];
  const named = [...row.matchAll(/`([\w-]+)[^`]*`/g)].map(([, name]) => name);
  const files = readdirSync("bench").filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  expect(named.toSorted()).toEqual(files.map((file) => file.slice(0, -".ts".length)).toSorted());
});
