import { execFile } from "node:child_process";
import { chownSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";

/** One stage of a Dockerfile, from its FROM to the next. */
export interface Stage {
  /** What follows FROM: the image, and `AS name`. */
  from: string;
  /** In their order: `COPY`, and what follows it. */
  instructions: { name: string; rest: string }[];
}

/** An ordinary user; null for whoever runs the tests. */
export type User = { uid: number; gid: number } | null;

interface Surroundings {
  /** The folder that stands for the root of the image's filesystem. */
  root: string;
  /** The folder that is built from, and that which stands for the stage before. */
  context: string;
  built?: string;
  user: User;
  env: Record<string, string | undefined>;
}

/** Reads the forms of `deploy/Dockerfile`; throws for any other. */
function readStages(text: string): Stage[] {
  const lines = text
    .replaceAll(/^#.*\n/gm, "")
    .split("\n")
    .filter(Boolean);
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, name = "", rest = ""] = /^([A-Z]+) (.+[^\\])$/.exec(line) ?? [];
    if (name === "") throw new Error(`Not an instruction: ${line}`);
    if (name === "FROM") stages.push({ from: rest, instructions: [] });
    else stages.at(-1)?.instructions.push({ name, rest });
  }
  return stages;
}

/** What all instructions of a name say. */
export function allOf({ instructions }: Stage, name: string): string[] {
  return instructions.filter((one) => one.name === name).map(({ rest }) => rest);
}

/** The command of CMD or HEALTHCHECK, which stands at its end as JSON. */
export function commandOf(stage: Stage, name: "CMD" | "HEALTHCHECK"): [string, ...string[]] {
  const [rest = ""] = allOf(stage, name);
  return JSON.parse(rest.slice(rest.indexOf("[")));
}

/** The variables of `ENV A=b C=d`. */
export function variablesOf(stage: Stage): Record<string, string> {
  const pairs = allOf(stage, "ENV").flatMap((rest) => rest.split(" "));
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
}

/** Does what WORKDIR, COPY and RUN say, RUN as the user; answers what those have printed. */
export async function runStage({ instructions }: Stage, surroundings: Surroundings): Promise<string> {
  const { root, user, env } = surroundings;
  let folder = root;
  let output = "";
  for (const { name, rest } of instructions) {
    if (name === "WORKDIR") {
      folder = join(root, rest);
      mkdirSync(folder, { recursive: true });
      // A home is the user's in the image, too; other folders are root's.
      if (rest.startsWith("/home/")) own(folder, user);
    } else if (name === "COPY") copy(rest, { ...surroundings, folder });
    else if (name === "RUN") {
      const run = promisify(execFile)("sh", ["-c", rest], { cwd: folder, env, ...user, maxBuffer: 1e8 });
      const { stdout, stderr } = await run;
      output += stdout + stderr;
    } else if (!/^(USER|ENV|EXPOSE|VOLUME|HEALTHCHECK|CMD)$/.test(name)) throw new Error(`The test cannot do ${name}.`);
  }
  return output;
}

function copy(rest: string, { root, folder, context, built = "", user }: Surroundings & { folder: string }): void {
  const words = rest.split(" ");
  const [target = "", ...sources] = words.filter((word) => !word.startsWith("--")).toReversed();
  const from = words.some((word) => word.startsWith("--from=")) ? built : context;
  const into = target.startsWith("/") ? join(root, target) : join(folder, target);
  for (const source of sources) {
    // A file goes into a target that ends in a slash; of a folder the contents do.
    const goal = target.endsWith("/") ? join(into, basename(source)) : into;
    if (target.endsWith("/") && statSync(join(from, source)).isDirectory())
      throw new Error(`COPY ${rest} mixes folders.`);
    cpSync(join(from, source), goal, { recursive: true });
    if (words.includes("--chown=node:node")) own(goal, user);
  }
}

/** Gives a file or folder, and all below it, to the user. */
export function own(path: string, user: User): void {
  if (user === null) return;
  chownSync(path, user.uid, user.gid);
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) own(join(path, name), user);
}

/** The stages of `deploy/Dockerfile`: what builds, and what runs. */
export function readDockerfile(): { build: Stage; server: Stage } {
  const [build, server, ...others] = readStages(readFileSync("deploy/Dockerfile", "utf8"));
  if (!build || !server || others.length > 0) throw new Error("deploy/Dockerfile has two stages.");
  return { build, server };
}
