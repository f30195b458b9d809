import { disposeServer, startServer } from "../e2e/server";
import { judge, NEEDS_AGAINST, otherCheckout } from "./lib/verdict";

/*
 * Has the start become slower? `npm run bench start -- --against COMMIT-OR-FOLDER`: the built servers of both, in turns, from
 * the process to its "ready": cold, on an empty folder where PostgreSQL, schema and demo are made, and warm, on the same data.
 */

const PAIRS = 9;
const GOAL = { atMost: 1.1, unit: "times the other version's" };

const other = otherCheckout();
const cold: number[] = [];
const warm: number[] = [];
if (other !== null) {
  // The first start of each reads its files from the disk.
  for (const folder of [".", other]) await startTwice(folder);
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    const folders = pair % 2 === 0 ? [".", other] : [other, "."];
    const times = new Map<string, Times>();
    for (const folder of folders) times.set(folder, await startTwice(folder));
    const [ours, theirs] = [times.get("."), times.get(other)];
    if (!ours || !theirs) continue;
    cold.push(ours.coldMs / theirs.coldMs);
    warm.push(ours.warmMs / theirs.warmMs);
    const both = (key: keyof Times) => `${ours[key].toFixed(0)} ms and ${theirs[key].toFixed(0)}`;
    console.log(`pair ${pair}, ours and theirs: cold ${both("coldMs")}, warm ${both("warmMs")}`);
  }
}
judge({ what: "cold start", goal: GOAL, values: cold, missing: NEEDS_AGAINST });
judge({ what: "warm start", goal: GOAL, values: warm, missing: NEEDS_AGAINST });

interface Times {
  coldMs: number;
  warmMs: number;
}

async function startTwice(folder: string): Promise<Times> {
  const coldFrom = performance.now();
  const server = await startServer({ LOG_LEVEL: "silent" }, folder);
  const coldMs = performance.now() - coldFrom;
  try {
    await server.stop();
    const warmFrom = performance.now();
    await server.start();
    return { coldMs, warmMs: performance.now() - warmFrom };
  } finally {
    await disposeServer(server);
  }
}
