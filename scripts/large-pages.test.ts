import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const MODE = "/sys/kernel/mm/transparent_hugepage/enabled";
/** Where large pages are for who asks, in the C library that knows how: elsewhere all get them, or nobody does. */
const isAsked = existsSync(MODE) && readFileSync(MODE, "utf8").includes("[madvise]") && existsSync("/etc/ld.so.cache");

/** "hg" is the system's own sign of memory for which large pages were asked. */
const SAY = `
  const kept = Buffer.allocUnsafeSlow(2 ** 26);
  const areas = require("node:fs").readFileSync("/proc/self/smaps", "utf8").split(/\\n(?=[0-9a-f]+-)/);
  const large = areas.find((area) => Number(/^Size: +([0-9]+) kB/m.exec(area)?.[1]) >= 2 ** 16 && / rd wr /.test(area) && / hg( |$)/m.test(area));
  console.log(kept.length > 0 && large !== undefined);`;

test.runIf(isAsked)("a server started by npm gets large memory in large pages", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const isLarge = (env: Record<string, string | undefined>) =>
    spawnSync(process.execPath, ["-e", SAY], {
      env: { PATH: process.env.PATH, ...env },
      encoding: "utf8",
    }).stdout.trim();
  for (const name of ["start", "serve"]) {
    const setting = /^([A-Z_]+)=(\S+) exec node /.exec(scripts[name]);
    expect(isLarge({ [setting?.[1] ?? ""]: setting?.[2] }), name).toBe("true");
  }
  expect(isLarge({})).toBe("false");
});
