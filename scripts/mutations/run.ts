// `npm run mutations`: renames, retypes or drops what the whole product shares, one thing at a time, and looks whether the compiler
// sees every use of it: in the app, the server and the examples for the typed client. Nothing is written to disk.
// `-- --count 20 --seed 1`; prints what was caught, and each place that nobody would have been told of. Exits with 1 on a miss.
import { relative } from "node:path";
import { parseArgs } from "node:util";
import { type Declaration, readDeclarations } from "./declarations";
import { type Mutation, mutate, mutationsOf } from "./mutate";
import { repair } from "./repair";
import { findUnseen, type Unseen } from "./unseen";
import { Workspace } from "./workspace";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    name: { type: "string" },
  },
});
const root = process.cwd();
const workspace = new Workspace(root);
const before = workspace.diagnostics();
if (before.length > 0) throw new Error("The sources do not compile: run `npm run typecheck` first.");

const all = readDeclarations(workspace, root);
const chosen = values.name
  ? all.filter(({ name }) => name === values.name)
  : sample(all, Number(values.count), randomBy(Number(values.seed)));
let misses = 0;
for (const [at, { declaration, mutation }] of chosen.map(withMutation).entries()) {
  const { kind, owner, name } = declaration;
  const { complaints, files, unseen } = examine(declaration, mutation);
  const isMiss = complaints === 0 || unseen.length > 0;
  if (isMiss) misses += 1;
  const label = `${mutation} ${kind} ${owner}.${name}`;
  console.log(
    `${isMiss ? "MISSED" : "caught"}  ${at + 1}/${chosen.length}  ${label}: ${complaints} errors in ${files} files`,
  );
  for (const { file, line, text } of unseen) console.log(`          ${relative(root, file)}:${line}  ${text}`);
}
workspace.close();
console.log(`${chosen.length - misses} of ${chosen.length} caught at every use (seed ${values.seed})`);
if (misses > 0) process.exitCode = 1;

/** What the compiler says of the mutation, and, by a rename of the same thing, which uses it would say nothing of. */
function examine(
  declaration: Declaration,
  mutation: Mutation,
): { complaints: number; files: number; unseen: Unseen[] } {
  const { file, name } = declaration;
  const original = workspace.read(file);
  workspace.change(new Map([[file, mutate(original, declaration, mutation)]]));
  const found = workspace.diagnostics();
  workspace.restore();
  workspace.change(new Map([[file, mutate(original, declaration, "rename")]]));
  const unseen = findUnseen(workspace, declaration, repair(workspace, name));
  workspace.restore();
  return { complaints: found.length, files: new Set(found.map(({ fileName }) => fileName)).size, unseen };
}

function withMutation(declaration: Declaration, at: number): { declaration: Declaration; mutation: Mutation } {
  const possible = mutationsOf(declaration);
  return { declaration, mutation: possible[at % possible.length] ?? "rename" };
}

function sample<One>(from: readonly One[], count: number, random: () => number): One[] {
  const rest = [...from];
  return Array.from({ length: Math.min(count, rest.length) }, () =>
    rest.splice(Math.floor(random() * rest.length), 1),
  ).flat();
}

/** The same numbers between 0 and 1 for the same seed (mulberry32). */
function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
