import { existsSync, readdirSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { FOLDERS, unmatched } from "./chunks";

const folders = Object.values(FOLDERS).flat();
/** A file of each folder, and one icon: what a build would have. */
const paths = [
  ...folders.map((folder) => `${folder}/any.js`),
  "node_modules/lucide-react/dist/esm/icons/check.mjs",
  "node_modules/lucide-react/dist/esm/lucide-react.mjs",
];

test("every rule names a package or a folder of ours, and there is code in it", () => {
  const empty = folders.filter((folder) => !existsSync(folder) || !statSync(folder).isDirectory() || !hasCode(folder));
  expect(empty).toEqual([]);
  expect(folders.filter((folder) => !/^(node_modules|src\/features)\/./.test(folder))).toEqual([]);
});

test("a rule that matches nothing is found, each folder by itself", () => {
  expect(unmatched(paths)).toEqual([]);
  for (const folder of folders) {
    const others = paths.filter((path) => !path.startsWith(`${folder}/`));
    // A folder whose name only begins in the same way does not count.
    expect(unmatched([...others, `${folder}-of-another/any.js`])).toEqual([folder]);
  }
  expect(unmatched(paths.filter((path) => !path.includes("/icons/")))).toHaveLength(1);
});

function hasCode(folder: string): boolean {
  return readdirSync(folder, { recursive: true }).some((name) => /(?<!\.test)\.(m?js|tsx?)$/.test(String(name)));
}
