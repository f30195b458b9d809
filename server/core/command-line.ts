import { basename } from "node:path";

/** A release is started by the `server.js` that it brings; a checkout by npm. */
const isRelease = basename(process.argv[1] ?? "") === "server.js";

/** How a command is typed where this server runs: `npm run backup -- FILE`, or `node server.js backup FILE` in a release. */
export function commandLine(name: string, args = ""): string {
  return isRelease ? ["node server.js", name, args].join(" ").trim() : `npm run ${name}${args && ` -- ${args}`}`;
}
