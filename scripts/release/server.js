#!/usr/bin/env node
// Sangam with Node.js alone: `node server.js` serves, `node server.js help` lists the other commands.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
// Whole: a name that an old Node.js lacks would end it before the sentence below.
import * as util from "node:util";

const ROOT = dirname(fileURLToPath(import.meta.url));
const { version, engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** What each adds to the command line of the built server; those that take files name them from the caller's folder. */
const COMMANDS = {
  serve: () => [],
  admin: (args) => ["--admin", ...args],
  backup: (args) => ["--backup", process.cwd(), ...args],
  restore: (args) => ["--restore", process.cwd(), ...args],
  export: (args) => ["--export", process.cwd(), ...args],
  import: (args) => ["--import", process.cwd(), ...args],
  doctor: (args) => ["--doctor", ...args],
  "db:migrate": () => ["--migrate-only"],
};

const HELP = `Sangam ${version}: one place where a small software firm and its clients see the same work.

node server.js                                     serves; settings come from the environment or from .env beside it
node server.js admin create --email E --name N     makes an admin and asks for the password
node server.js admin reset-two-factor --email E    for whoever has lost their authenticator and recovery codes
node server.js backup FILE.zip                     everything in one file, beside a running server, too
node server.js restore FILE.zip                    that file into an empty database
node server.js export FILE.zip                     everything in open formats
node server.js import FILE                         brings an older system's data in
node server.js doctor                              says what is well and what to do
node server.js db:migrate                          only brings the database to this version's schema
node server.js version | help

Every setting is explained in .env.example. DEMO=1 loads a demo organisation. docs/ says the rest.
`;

const [major, minor] = process.versions.node.split(".").map(Number);
const [leastMajor, leastMinor] = engines.node
  .replace(/[^\d.]/g, "")
  .split(".")
  .map(Number);
const [name = "serve", ...args] = process.argv.slice(2);
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  stop(`Sangam needs Node.js ${engines.node}; this is ${process.versions.node}.`);
} else if (["help", "--help", "-h"].includes(name)) {
  process.stdout.write(HELP);
} else if (["version", "--version", "-v"].includes(name)) {
  // What a release knows of its build; an image has none of it.
  const build = join(ROOT, "BUILD");
  process.stdout.write(existsSync(build) ? readFileSync(build, "utf8") : `Sangam ${version}\n`);
} else if (!Object.hasOwn(COMMANDS, name)) {
  stop(`There is no command ${name}: \`node server.js help\` lists them.`);
} else {
  process.env.NODE_ENV ??= "production";
  process.env.DEMO ||= dotEnv().DEMO || "0";
  // In this very process, which has the terminal, and so that whoever signals it reaches the server.
  process.argv.splice(2, process.argv.length, ...COMMANDS[name](args[0] === "--" ? args.slice(1) : args));
  await import("./dist-server/main.mjs");
}

function dotEnv() {
  const file = join(ROOT, ".env");
  return existsSync(file) ? util.parseEnv(readFileSync(file, "utf8")) : {};
}

function stop(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
