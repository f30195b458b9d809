import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { createDb } from "../db/client";
import { startEmbedded } from "../db/embedded/start";
import { migrate } from "../db/migrate";
import { createTestCallers } from "../server/test/caller";
import { THROW_AWAY_FLAGS, throwAwayFolder } from "../server/test/cluster";
import { fillScreens, growElsewhere, makeScreens } from "./lib/growing-firm";
import { growWatchers } from "./lib/growing-watchers";
import { type Cost, costOf, exponentOf, GROWTH_CALLS, MAX_EXPONENT } from "./lib/growth-calls";
import { judge } from "./lib/verdict";

/*
 * What does a screen cost when the organisation grows around it? Three people's screens stay as they are, while all else doubles
 * up to ten times today's large case (300 projects, 5,000 tasks, 500 people, 2,400 messages). Each call's exponent: 0 where its
 * cost stays, 1 where it doubles with the rest. Pages and bytes are counted, so they hold on any machine; milliseconds are not.
 * Then tabs that watch, 500 times each size, each of somebody else: milliseconds until a change is on the screens that show it, and memory.
 */

const WATCHED = [
  { what: "a change to 20 watchers of a board: ms", of: "shown", atMost: MAX_EXPONENT.showsPart },
  { what: "a change to all watchers of a board: ms", of: "all", atMost: MAX_EXPONENT.showsAll },
  // Garbage included, which a process with room does not collect: no goal.
  { what: "the memory of all tabs: KiB", of: "memory", atMost: null },
] as const;

const { values } = parseArgs({ options: { sizes: { type: "string", default: "1,2,4,8,10" } }, strict: false });
const sizes = String(values.sizes).split(",").map(Number);

const dataDir = throwAwayFolder();
const cluster = await startEmbedded({ dataDir, flags: THROW_AWAY_FLAGS });
await migrate(cluster.connection);
// One connection: what PostgreSQL counts is then what these calls touched.
const { db, sql, close } = createDb(cluster.connection, { max: 1, statementTimeoutMs: null, readTimeoutMs: null });
try {
  const screens = await makeScreens(db);
  await fillScreens(sql, screens);
  const callers = createTestCallers(db);
  const costs = new Map<string, { size: number; cost: Cost }[]>();
  for (const [at, size] of sizes.entries()) {
    await growElsewhere({ db, sql }, { from: sizes[at - 1] ?? 0, to: size });
    for (const { who, name, call } of GROWTH_CALLS) {
      const caller = await callers.as(screens[who]);
      const cost = await costOf(sql, () => call(caller, screens, db));
      costs.set(`${name}, ${who}`, [...(costs.get(`${name}, ${who}`) ?? []), { size, cost }]);
    }
  }
  for (const { who, name, showsAll = false } of GROWTH_CALLS) {
    const points = costs.get(`${name}, ${who}`) ?? [];
    const of = (kind: keyof Cost) => points.map(({ size, cost }) => ({ size, cost: cost[kind] }));
    const shown = (kind: keyof Cost) =>
      `${kind} ${of(kind)
        .map(({ cost }) => cost.toFixed(kind === "ms" ? 1 : 0))
        .join(", ")} (${exponentOf(of(kind)).toFixed(2)})`;
    console.log(`${name}, ${who}, at ${sizes.join(", ")} times: ${shown("pages")}; ${shown("bytes")}; ${shown("ms")}`);
    const atMost = showsAll ? MAX_EXPONENT.showsAll : MAX_EXPONENT.showsPart;
    judge({
      what: `growth of ${name}, ${who}: pages`,
      goal: { atMost, unit: "exponent" },
      values: [exponentOf(of("pages"))],
    });
  }
} finally {
  await close();
  await cluster.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

const watched = await growWatchers(sizes);
for (const { what, of, atMost } of WATCHED) {
  const points = watched.map((cost) => ({ size: cost.size, cost: cost[of] }));
  const costs = points.map(({ cost }) => cost.toFixed(1)).join(", ");
  console.log(`${what}, at ${sizes.join(", ")} times: ${costs} (${exponentOf(points).toFixed(2)})`);
  if (atMost !== null)
    judge({ what: `growth of ${what}`, goal: { atMost, unit: "exponent" }, values: [exponentOf(points)] });
}
