import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startTestBus } from "../../server/test/bus";
import { IS_LONG_FORM } from "../long-form";
import { busFaults } from "./bus-faults";
import { type Database, startDatabase } from "./database";
import type { Fault } from "./fault";
import { FAULTS, oneTask, SHORT_GROUPS } from "./faults";
import { createRandom } from "./random";
import { playRound, type RoundResult } from "./round";
import { createServers, type Servers } from "./servers";
import { playUpgrade } from "./upgrade";

/*
 * `npm run chaos`: every fault, several seeds each, on the built server. With `--short` what `npm test` runs: one seed (`npm run
 * test:long` two) with eight faults, some beside each other, and twenty people on one task. A red names its seed and the file of its history, and the exit code is 1.
 * `--bus` puts a Redis or Valkey between them and adds its faults;
 * `--processes N` puts so many servers behind one nginx; `--upgrade COMMIT` replaces that version by this one under load.
 */

interface Round {
  seed: number;
  groups: readonly (readonly Fault[])[];
}

const MAX_SHOWN = 12;
const HISTORIES = join(tmpdir(), "sangam-chaos");
const COLUMNS = [-84, 8, 7, 9, 8, 10, 7, 6] as const;

const bus = process.argv.includes("--bus") ? await startTestBus() : null;
const allFaults: readonly Fault[] = bus ? [...FAULTS, ...busFaults(bus)] : FAULTS;
const { isShort, keepsAll, rounds, behindNginx, former } = planned();
if (process.argv.includes("--bus") && bus === null) process.exit(0);
if (former !== null) process.exit((await playUpgrade(former)) ? 0 : 1);
const failed = await playAll(rounds);
print(failed === 0 ? `${rounds.length} rounds, all good` : `${failed} of ${rounds.length} rounds broke a promise`);
// Explicit, as connections to killed servers linger in the pool of `fetch`.
process.exit(failed === 0 ? 0 : 1);

async function playAll(all: readonly Round[]): Promise<number> {
  const database = await startDatabase({ isDurable: !isShort });
  const servers = await createServers(database.url, { behindNginx, bus });
  let count = 0;
  try {
    print(line(["faults", "seed", "sent", "no answer", "displays", "rest ms", "hole ms", "broken"]));
    sendProgress({ done: 0, failed: 0, total: all.length });
    for (const [at, round] of all.entries()) {
      count += (await play(round, { database, servers })) ? 0 : 1;
      sendProgress({ done: at + 1, failed: count, total: all.length });
    }
  } finally {
    await servers.close();
    await database.close();
    await bus?.close();
  }
  return count;
}

/** To `npm test`, which says how far its steps are. */
function sendProgress(progress: { done: number; failed: number; total: number }): void {
  if (process.connected) process.send?.(progress);
}

/** Resolves to whether it kept all promises. */
async function play(round: Round, on: { database: Database; servers: Servers }): Promise<boolean> {
  const { seed } = round;
  const faults = round.groups.flat();
  const where = `${bus ? "--bus " : ""}${behindNginx > 0 ? `--processes ${behindNginx} ` : ""}`;
  const wanted = isShort ? "--short" : faults.map(({ name }) => `--fault ${name}`).join(" ");
  const again = `  again:   npm run chaos -- ${where}${wanted} --seed ${seed} --rounds 1`;
  const result = await playRound({ ...on, ...round, isShort }).catch((error: unknown) => {
    print(again);
    throw error;
  });
  const { acknowledged, unknown, displays, restMs, holeMs, violations } = result;
  const names = faults.map(({ name }) => name).join(", ");
  print(line([names, seed, acknowledged, unknown, displays, restMs, holeMs, violations.length]));
  if (keepsAll || violations.length > 0) print(`  history: ${keep(result, on.servers)}`);
  if (violations.length === 0) return true;
  for (const { kind, detail } of violations.slice(0, MAX_SHOWN)) print(`  ${kind}: ${detail}`);
  if (violations.length > MAX_SHOWN) print(`  and ${violations.length - MAX_SHOWN} more`);
  print(again);
  return false;
}

/** Writes one entry per line, violations first, and the servers' log beside it. Returns the path. */
function keep({ history, violations }: RoundResult, servers: Servers): string {
  const { entries, ...head } = history;
  mkdirSync(HISTORIES, { recursive: true });
  const file = join(HISTORIES, `${head.faults.length > 1 ? "mixed" : head.faults[0]}-${head.seed}.jsonl`);
  writeFileSync(file, [{ ...head, violations }, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  writeFileSync(file.replace(".jsonl", ".log"), servers.log());
  return file;
}

interface Plan {
  isShort: boolean;
  keepsAll: boolean;
  rounds: Round[];
  /** So many processes behind one nginx; 0: as many as each fault wants, each with an address of its own. */
  behindNginx: number;
  /** The built checkout to upgrade from, instead of rounds. */
  former: string | null;
}

function planned(): Plan {
  const { values } = parseArgs({
    options: {
      short: { type: "boolean", default: false },
      seed: { type: "string" },
      rounds: { type: "string" },
      fault: { type: "string", multiple: true },
      // Keeps good histories too.
      keep: { type: "boolean", default: false },
      processes: { type: "string", default: "0" },
      upgrade: { type: "string" },
      // By a Redis or Valkey between the servers, with its faults.
      bus: { type: "boolean", default: false },
    },
  });
  const unknown = values.fault?.filter((wanted) => !allFaults.some(({ name }) => name === wanted)) ?? [];
  if (unknown.length > 0) {
    print(`There is no fault ${unknown.join(", ")}; there are ${allFaults.map(({ name }) => name).join(", ")}.`);
    process.exit(1);
  }
  const base = { keepsAll: values.keep, behindNginx: Number(values.processes), former: values.upgrade ?? null };
  // The long form explores new seeds each time; the short one is repeatable, so that `npm test` is.
  const first = Number(values.seed ?? (values.short ? 1 : Date.now() % 1_000_000));
  const count = Number(values.rounds ?? (values.short && !IS_LONG_FORM ? 1 : 2));
  const seeds = Array.from({ length: count }, (_, at) => first + at);
  if (values.short) {
    const groupsOf = (seed: number) =>
      [...SHORT_GROUPS, ...(bus ? [busFaults(bus)] : [])].map((group) => createRandom(seed).shuffled(group));
    const mixed = seeds.map((seed) => ({ seed, groups: groupsOf(seed) }));
    return { ...base, isShort: true, rounds: [...mixed, { seed: first, groups: [[oneTask]] }] };
  }
  const chosen = allFaults.filter(({ name }) => values.fault?.includes(name));
  const castOf = chosen.find(({ cast }) => cast !== undefined);
  if (chosen.length > 1 && castOf) {
    print(`${castOf.name} has people of its own: run it alone.`);
    process.exit(1);
  }
  const plans = chosen.length > 0 ? [chosen] : allFaults.map((fault) => [fault]);
  return {
    ...base,
    isShort: false,
    rounds: plans.flatMap((faults) => seeds.map((seed) => ({ seed, groups: [faults] }))),
  };
}

function line(cells: readonly (string | number)[]): string {
  return cells
    .map((cell, at) => {
      const width = COLUMNS[at] ?? 8;
      return width < 0 ? String(cell).padEnd(-width) : String(cell).padStart(width);
    })
    .join("  ");
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
