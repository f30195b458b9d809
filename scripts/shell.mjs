// What every script needs: the root folder, child processes, a way to stop with a sentence.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Prints a sentence and ends the process with 1. */
export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Ends the process with a sentence where this Node.js is older than package.json wants. */
export function requireNode() {
  const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const [least, present] = [engines.node, process.versions.node].map((text) =>
    text
      .replace(/[^\d.]/g, "")
      .split(".")
      .map(Number),
  );
  if (present[0] > least[0] || (present[0] === least[0] && present[1] >= least[1])) return;
  fail(`Sangam needs Node.js ${engines.node}; this is ${process.versions.node}.`);
}

/**
 * Runs a program in ROOT with its output on standard error (standard output belongs to the server's own lines); with
 * `quiet` the output appears only when it fails. Ends the process when the program fails.
 */
export async function run(program, args, { quiet = false, env = process.env } = {}) {
  const { code, output } = await capture(program, args, { env, pass: quiet ? undefined : process.stderr });
  if (code === 0) return;
  if (quiet) process.stderr.write(output);
  fail(`${program} ${args.join(" ")} ended with ${code}.`);
}

/** `run` with this Node.js. */
export function node(args, options) {
  return run(process.execPath, args, options);
}

/**
 * Never rejects: a program that cannot be started has code 127 and says so in its output. With `onMessage` the program, a
 * Node.js then, may send messages to it, and gets one itself when `begun` resolves. `niceness` is as for nice(1).
 */
export function capture(program, args, { env = process.env, cwd = ROOT, pass, onMessage, begun, niceness } = {}) {
  return new Promise((resolve) => {
    const stdio = ["ignore", "pipe", "pipe", ...(onMessage ? ["ipc"] : [])];
    const child = spawn(program, args, { cwd, env, stdio });
    if (onMessage) child.on("message", onMessage);
    begun?.then(() => child.connected && child.send("begin"));
    // What it starts itself inherits it.
    if (niceness !== undefined && child.pid) setPriority(child.pid, niceness);
    let output = "";
    const take = (chunk) => {
      output += chunk;
      pass?.write(chunk);
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    child.on("error", (error) => resolve({ code: 127, output: `${output}${error.message}\n` }));
    child.on("close", (code, signal) => resolve({ code: code ?? signal, output }));
  });
}
