import { setTimeout as sleep } from "node:timers/promises";
import { createDb } from "../../db/client";
import { FIRM } from "./casts";
import { differences } from "./check-at-rest";
import { check } from "./checker";
import { type Company, gather } from "./company";
import type { Database } from "./database";
import type { Fault } from "./fault";
import type { History, Rows, Screen, ThreadView, Violation } from "./history";
import { beginVisits, readOverviews } from "./overviews";
import { createRandom } from "./random";
import { createRecorder, type Recorder } from "./recorder";
import type { Servers } from "./servers";
import { beginSignOffs } from "./sign-offs";
import { begin, sendLast, startTraffic } from "./traffic";

export interface RoundResult {
  history: History;
  violations: Violation[];
  /** Acknowledged messages and comments. */
  acknowledged: number;
  /** Calls without an answer. */
  unknown: number;
  displays: number;
  /** The longest wait until all screens were right. */
  restMs: number;
  /** The longest time that a screen showed a gap between two numbers. */
  holeMs: number;
}

interface RoundOptions {
  database: Database;
  servers: Servers;
  seed: number;
  /** The groups run at once; within each, one fault after the other. */
  groups: readonly (readonly Fault[])[];
  isShort: boolean;
}

/** By the promise; under `npm test` the machine has other things to do. */
const BOUND_MS = { long: 5_000, short: 10_000 };
/** After that the round has failed: what people have sent waits in line, and a busy machine stores few a second. */
const TIMEOUT_MS = 120_000;

/** One round: new people, traffic, faults, rest, comparison. */
export async function playRound({ database, servers, seed, groups, isShort }: RoundOptions): Promise<RoundResult> {
  const recorder = createRecorder();
  const random = createRandom(seed);
  const faults = groups.flat();
  await servers.resize(Math.max(...faults.map((fault) => fault.servers)));
  const { db, close } = createDb({ url: database.url }, { max: 2 });
  const { ports, secret } = servers;
  const crowd = Math.max(...faults.map((fault) => fault.crowd ?? 1));
  const cast = faults.find((fault) => fault.cast)?.cast ?? FIRM;
  const company = await gather({ db, ports, secret, recorder, mark: `${seed}`, crowd, cast }).finally(close);
  const scene = { database, servers, company, recorder, isShort };
  const history = { seed, faults: faults.map(({ name }) => name), people: company.people, entries: recorder.entries };
  const form = isShort ? "short" : "long";
  const boundMs = Math.max(BOUND_MS[form], ...faults.map((fault) => fault.boundMs ?? 0));
  const restMs: number[] = [];
  try {
    // A first visit begins before every transaction that still runs: one of a connection that a fault has silenced lasts a minute, and
    // what an earlier round did in it would be news.
    await database.untilIdle();
    await beginVisits(company);
    await beginSignOffs(company);
    begin(company);
    const traffic = startTraffic(company, { random: random.fork("traffic"), database, isShort });
    const strikeAll = async (group: readonly Fault[]) => {
      for (const fault of group) {
        const chance = random.fork(fault.name);
        await sleep(chance.between(300, 1_000));
        recorder.write({ type: "fault", name: fault.name, at: recorder.now(), phase: "begins" });
        await fault.strike({ ...scene, random: chance });
        if (!fault.heal) recorder.write({ type: "fault", name: fault.name, at: recorder.now(), phase: "healed" });
      }
    };
    await Promise.all(groups.map(strikeAll));
    await sleep(random.between(300, 1_000));
    await traffic.stop();
    for (const fault of faults) {
      const last = { ...scene, random: random.fork(`last ${fault.name}`) };
      await fault.strikeLast?.(last, () => sendLast(company));
    }
    const wait = { company, database, recorder, boundMs, timeoutMs: TIMEOUT_MS };
    restMs.push(await waitForRest(wait));
    for (const fault of faults) await fault.heal?.({ ...scene, random });
    for (const index of [0, 1]) {
      // If it is not at rest by now, another wait does not help.
      if (recorder.entries.some((entry) => entry.type === "at-rest" && !entry.isAtRest)) break;
      for (const tab of company.tabs) {
        tab.page().open(tab.person.partnerIds[index] ?? null);
        tab.page().discussions.open(company.taskIds[index % company.taskIds.length] ?? null);
      }
      // Scrolling takes longer.
      restMs.push(await waitForRest({ ...wait, boundMs: wait.timeoutMs, readsAll: true }));
    }
  } finally {
    await company.close();
  }
  return { history, violations: check(history), ...summaryOf(history), restMs: Math.round(Math.max(...restMs)) };
}

interface RestOptions {
  company: Company;
  database: Database;
  recorder: Recorder;
  boundMs: number;
  timeoutMs: number;
  /** Loads every open conversation and discussion up to its beginning. */
  readsAll?: boolean;
}

/** Waits until nothing is under way and every screen matches the rows. Records both, and returns the milliseconds it took. */
async function waitForRest({
  company,
  database,
  recorder,
  boundMs,
  timeoutMs,
  readsAll = false,
}: RestOptions): Promise<number> {
  const healedAt = recorder.now();
  const personIds = company.people.map(({ id }) => id);
  const screens = () => [
    ...company.tabs.map((tab) => tab.screen()),
    ...company.outsiders.map(({ person, page }) => ({ tab: person.name, personId: person.id, ...page.screen() })),
  ];
  for (let pressedAt = healedAt; ; ) {
    const rows = await rowsWhenReachable(database, personIds);
    const at = recorder.now();
    const isAtRest =
      company.tabs.every((tab) => tab.isAtRest() && (!readsAll || isWhole(tab.screen()))) &&
      screens().every((screen) => differences(screen, { rows, at, people: company.people }).length === 0) &&
      (await isStill(database, personIds, rows));
    if (isAtRest || at - healedAt > timeoutMs) {
      const reads = await Promise.all(company.tabs.flatMap((tab) => tab.comments.readAnew()));
      const overviews = await readOverviews(company, database);
      recorder.write({ type: "at-rest", at, healedAt, boundMs, isAtRest, rows, screens: screens(), reads, overviews });
      return at - healedAt;
    }
    if (readsAll) for (const tab of company.tabs) void tab.page().readOlder();
    // People press Retry under a failed message.
    if (at - pressedAt > 1_000) {
      pressedAt = at;
      for (const tab of company.tabs) tab.page().retryLost();
    }
    await sleep(50);
  }
}

function isWhole({ thread, discussion }: Screen): boolean {
  return thread?.isWhole !== false && discussion?.isWhole === true;
}

/** Nothing arrives afterwards: a late duplicate counts too. */
async function isStill(database: Database, personIds: readonly string[], rows: Rows): Promise<boolean> {
  await sleep(300);
  return JSON.stringify(await rowsWhenReachable(database, personIds)) === JSON.stringify(rows);
}

async function rowsWhenReachable(database: Database, personIds: readonly string[]): Promise<Rows> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await database.readRows(personIds);
    } catch (error) {
      if (tries === 50) throw error;
      await sleep(100);
    }
  }
}

const SENDING: readonly string[] = ["send", "start", "comment"];
const DISPLAYS: readonly string[] = ["thread", "inbox", "discussion"];

function summaryOf({ entries }: History): Pick<RoundResult, "acknowledged" | "unknown" | "displays" | "holeMs"> {
  const sent = entries.flatMap((entry) =>
    entry.type === "operation" && SENDING.includes(entry.operation) ? [entry] : [],
  );
  return {
    acknowledged: new Set(sent.filter(({ outcome }) => outcome === "ok").map(({ key }) => key)).size,
    unknown: sent.filter(({ outcome }) => outcome === "unknown").length,
    displays: entries.filter(({ type }) => DISPLAYS.includes(type)).length,
    holeMs: Math.round(maxHole(entries)),
  };
}

function maxHole(entries: History["entries"]): number {
  const since = new Map<string, number>();
  let max = 0;
  for (const entry of entries) {
    if (entry.type !== "thread") continue;
    const begun = since.get(entry.tab);
    if (begun !== undefined) max = Math.max(max, entry.at - begun);
    if (!hasHole(entry.thread)) since.delete(entry.tab);
    else if (begun === undefined) since.set(entry.tab, entry.at);
  }
  return max;
}

function hasHole({ items }: ThreadView): boolean {
  const seqs = items.flatMap(([seq]) => (seq === null ? [] : [seq]));
  return seqs.some((seq, at) => at > 0 && seq !== (seqs[at - 1] ?? 0) + 1);
}
