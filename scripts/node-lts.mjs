// The long-term-supported Node.js that the Dockerfile, releases and docs/deploy.md name, for tests under it as well.
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { capture, ROOT } from "./shell.mjs";

/** Active LTS from October 2026 to October 2027, looked after until April 2029. */
export const NODE_LTS = "26.10.0";

/**
 * The path of that Node.js: this one when it is of the same line, else the npm package of this platform, fetched once. Null, after
 * one line that says why, where it cannot be had.
 */
export async function findNodeLts() {
  const [line] = NODE_LTS.split(".");
  if (process.versions.node.split(".")[0] === line) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(ROOT, "node_modules", ".cache", `node-${NODE_LTS}`);
  const program = join(folder, "node_modules", name, "bin", "node");
  if (existsSync(program)) return program;
  const own = `${folder}.${process.pid}`;
  mkdirSync(own, { recursive: true });
  const install = ["install", "--prefix", own, "--no-audit", "--no-fund", "--no-package-lock", `${name}@${NODE_LTS}`];
  const { code, output } = await capture("npm", install, { cwd: own });
  // Another process may have been quicker.
  if (code === 0 && !existsSync(folder)) renameSync(own, folder);
  rmSync(own, { recursive: true, force: true });
  if (existsSync(program) && (await capture(program, ["--version"])).code === 0) return program;
  const why = /^npm (?:error|ERR!) (.+)$/m.exec(output)?.[1] ?? "it does not start here";
  console.error(`Skipped: tests under Node.js ${NODE_LTS}. It could not be installed: ${why}.`);
  return null;
}
