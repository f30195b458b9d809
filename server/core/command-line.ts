import { existsSync } from "node:fs";
import { join } from "node:path";
import { findRoot } from "./root-folder";

/** A release brings `server.js` beside package.json, whatever it is started by; a checkout has npm's scripts instead. */
const isRelease = existsSync(join(findRoot(), "server.js"));

/** How a command is typed where this server runs: `npm run backup -- FILE`, or `node server.js backup FILE` in a release. */
export function commandLine(name: string, args = ""): string {
  return isRelease ? ["node server.js", name, args].join(" ").trim() : `npm run ${name}${args && ` -- ${args}`}`;
}
