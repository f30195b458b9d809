import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

/** Makes this Node.js look like 18, whose node:util has no parseEnv, to the modules that are loaded after it. */
const NODE_18 = `
import module from "node:module";
import * as util from "node:util";
globalThis.util = util;
Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });
const names = Object.keys(util).filter((name) => !["default", "parseEnv"].includes(name));
const source = names.map((name) => "export const " + name + " = globalThis.util." + name + ";").join("\\n");
const hooks = "export const resolve = (name, context, next) => name === 'node:util' " +
  "? { url: " + JSON.stringify("data:text/javascript," + encodeURIComponent(source)) + ", shortCircuit: true } : next(name, context);";
module.register("data:text/javascript," + encodeURIComponent(hooks));
`;

let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sangam-old-node-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("an old Node.js is told which one is needed, by a release and by a checkout", async () => {
  for (const file of ["package.json", "scripts/release/server.js"])
    copyFileSync(file, join(folder, file.split("/").at(-1)));
  const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
  const refusal = { code: 1, output: `Sangam needs Node.js ${engines.node}; this is 18.20.8.\n` };
  expect(await runUnderOld(join(folder, "server.js"), "help")).toEqual(refusal);
  expect(await runUnderOld("scripts/run.mjs", "start")).toEqual(refusal);
});

/** Never rejects. */
function runUnderOld(...args) {
  const preload = `data:text/javascript,${encodeURIComponent(NODE_18)}`;
  return new Promise((resolve) => {
    execFile(process.execPath, ["--no-deprecation", "--import", preload, ...args], (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, output: stdout + stderr });
    });
  });
}
