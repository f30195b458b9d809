import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Where the system has large pages, and the C library that knows this setting. */
const LARGE_PAGES = "/sys/kernel/mm/transparent_hugepage/enabled";
const hasLargePages =
  existsSync(LARGE_PAGES) && !readFileSync(LARGE_PAGES, "utf8").includes("[never]") && existsSync("/etc/ld.so.cache");

const HASH = `
  const { scryptSync } = require("node:crypto");
  const hash = () => scryptSync("password", "salt", 64, { N: 16384, r: 16, p: 1, maxmem: 2 ** 26 });
  hash();
  const before = process.resourceUsage().minorPageFault;
  hash();
  console.log(process.resourceUsage().minorPageFault - before);`;

test.runIf(hasLargePages)("a server started by npm hashes a password in a tenth of the pages", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const name of ["start", "serve"]) {
    const setting = /^([A-Z_]+)=(\S+) exec node /.exec(scripts[name]);
    const env = { PATH: process.env.PATH, [setting?.[1] ?? ""]: setting?.[2] };
    const { stdout } = spawnSync(process.execPath, ["-e", HASH], { env, encoding: "utf8" });
    // 8,200 pages of 4 kB.
    expect(Number(stdout), name).toBeLessThan(820);
  }
});
