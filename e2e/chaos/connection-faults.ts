import { setTimeout as sleep } from "node:timers/promises";
import type { Loss } from "../../server/test/fault-proxy";
import { findServing, WANTED } from "./capacity";
import type { Fault, Scene } from "./fault";

/** How a connection to PostgreSQL ends: by PostgreSQL itself, or in the proxy. */
type Ending = "terminated" | Loss;

/**
 * Nobody notices a connection that fell silent: a stream's read times out after ten seconds and the stream restarts within four.
 * For the listening connection there is only the safety timer.
 */
const SILENT_BOUND_MS = 20_000;
/** A write on a silent connection times out after 35 s; only then is the connection replaced. */
const SILENT_RECOVERY_MS = 60_000;
const RECOVERY_MS = 10_000;

const STORM_MS = 60_000;
const STORM_PAUSE_MS = 150;

/** Ends some or all connections of the servers, listening ones included. */
async function lose({ database, random }: Scene, { ending, count }: { ending: Ending; count: number }): Promise<void> {
  const chosen = random.shuffled(database.proxy.connections()).slice(0, count);
  if (ending !== "terminated") for (const connection of chosen) connection.lose(ending);
  else {
    const pids = chosen.map(({ pid }) => pid).join();
    // With other faults PostgreSQL may be down, and has ended them all itself.
    await database.sql`
      select pg_terminate_backend(pid::int) from string_to_table(${pids}, ',') as pid where pid <> ''
    `.catch(() => {});
  }
}

/** Some tabs reload, others open another conversation: all of them open streams. */
function openStreams({ company, random }: Scene): void {
  for (const tab of company.tabs) {
    const page = tab.page();
    if (random.chance(0.3)) tab.reload();
    else page.open(random.pick(tab.person.partnerIds.filter((id) => id !== page.openPartner())));
  }
}

function losing({ name, endings }: { name: string; endings: readonly Ending[] }): Fault {
  const isSilent = endings.includes("silenced");
  return {
    name,
    servers: 1,
    ...(isSilent ? { boundMs: SILENT_BOUND_MS } : {}),
    async strike(scene) {
      const { random, isShort } = scene;
      for (let round = 0; round < (isShort ? 6 : 50); round += 1) {
        if (random.chance(0.5)) openStreams(scene);
        // Hits the streams' first reads, from when they are sent until they are answered.
        await sleep(random.between(0, 30));
        await lose(scene, {
          ending: random.pick(endings),
          count: random.chance(0.2) ? Infinity : random.between(1, 4),
        });
        await sleep(random.between(50, 500));
      }
    },
    strikeLast: (scene, sendLast) => endAllAndCount(scene, { endings, isSilent, sendLast }),
  };
}

/** Ends all connections during the last messages and while streams open; afterwards the pool must be whole. */
async function endAllAndCount(
  scene: Scene,
  { endings, isSilent, sendLast }: { endings: readonly Ending[]; isSilent: boolean; sendLast: () => Promise<void> },
): Promise<void> {
  openStreams(scene);
  const sent = sendLast();
  await sleep(scene.random.between(0, 30));
  await lose(scene, { ending: scene.random.pick(endings), count: Infinity });
  await sent;
  const serving = await findServing(scene, isSilent ? SILENT_RECOVERY_MS : RECOVERY_MS);
  scene.recorder.write({ type: "capacity", at: scene.recorder.now(), serving, wanted: WANTED });
}

/** As an operator's script might: ends a connection every 150 ms for a minute, while many write and watch. */
const storm: Fault = {
  name: "storm",
  servers: 1,
  crowd: 4,
  async strike(scene) {
    const until = performance.now() + (scene.isShort ? STORM_MS / 10 : STORM_MS);
    while (performance.now() < until) {
      await lose(scene, { ending: "terminated", count: 1 });
      await sleep(STORM_PAUSE_MS);
    }
  },
  strikeLast: (scene, sendLast) => endAllAndCount(scene, { endings: ["terminated"], isSilent: false, sendLast }),
};

/** Three endings in one fault, for `npm test`: the fourth takes as long as its timeouts. */
export const loseConnections = losing({ name: "lose-connections", endings: ["terminated", "closed", "reset"] });

export const CONNECTION_FAULTS: readonly Fault[] = [
  losing({ name: "terminate-connections", endings: ["terminated"] }),
  losing({ name: "close-connections", endings: ["closed"] }),
  losing({ name: "reset-connections", endings: ["reset"] }),
  losing({ name: "silence-connections", endings: ["silenced"] }),
  loseConnections,
  storm,
];
