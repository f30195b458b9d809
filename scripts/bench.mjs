// `npm run bench`: all comparisons, or the named one with its options, and at the end one table of all goals.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { capture, fail, ROOT } from "./shell.mjs";

/** `-- --against COMMIT-OR-FOLDER` adds the goals that are ratios to another version. */
export async function bench([first, ...rest]) {
  const [wanted, options] = first?.startsWith("-") === false ? [first, rest] : [undefined, [first, ...rest]];
  const given = options.filter((option) => option !== undefined);
  // `upgrade -- COMMIT` is all that it can be asked.
  if (wanted === "upgrade" && given[0]?.startsWith("-") === false) given.unshift("--against");
  const args = await withCheckout(given, "--against");
  const names = readdirSync(join(ROOT, "bench"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => file.slice(0, -".ts".length));
  if (wanted !== undefined && !names.includes(wanted)) fail(`There is no comparison ${wanted}: ${names.join(", ")}.`);
  // The half hour of the soak is for those who name it.
  if (wanted === undefined) args.push("--minutes", "3");
  const rows = [];
  const broken = [];
  for (const name of wanted === undefined ? names : [wanted]) {
    const command = ["--import", "tsx", join("bench", `${name}.ts`), ...args];
    const { code } = await capture(process.execPath, command, {
      pass: process.stdout,
      onMessage: (row) => rows.push(row),
    });
    if (code !== 0) broken.push(`${name} ended with ${code}.`);
  }
  if (rows.length > 0) console.log(`\n${table(rows)}`);
  if (broken.length > 0) fail(broken.join("\n"));
}

/** The options with the folder of a built checkout in the place of the commit or folder that one of them names. */
export async function withCheckout(options, name) {
  const at = options.indexOf(name);
  if (at < 0) return options;
  const named = options[at + 1];
  if (named === undefined) fail(`${name} wants a commit, or the folder of another built checkout.`);
  const folder = existsSync(named) ? resolve(named) : await checkOut(named);
  return options.with(at + 1, folder);
}

/** A commit's own worktree below the system's temporary folder, built the first time and kept. */
async function checkOut(commit) {
  const { code, output } = await capture("git", ["rev-parse", "--verify", `${commit}^{commit}`]);
  if (code !== 0) fail(`${commit} is neither a folder nor a commit of this repository.`);
  const sha = output.trim();
  const folder = join(tmpdir(), "sangam-bench", sha.slice(0, 12));
  if (!existsSync(folder)) {
    mkdirSync(join(folder, ".."), { recursive: true });
    // Forced: the system may have emptied its temporary folder since.
    await done("git", ["worktree", "add", "--force", "--detach", folder, sha]);
  }
  console.error(`The other version is in ${folder}`);
  await done(process.execPath, [join(folder, "scripts", "run.mjs"), "build"], folder);
  return folder;
}

async function done(program, args, cwd = ROOT) {
  const { code, output } = await capture(program, args, { cwd });
  if (code !== 0) fail(`${output}${program} ${args.join(" ")} ended with ${code}.`);
}

function table(rows) {
  const cells = [
    ["What", "Goal", "Measured", "Verdict"],
    ...rows.map((row) => [row.what, row.goal, row.measured, row.verdict]),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  return cells
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
