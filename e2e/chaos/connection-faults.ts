import { setTimeout as sleep } from "node:timers/promises";
import type { Loss } from "../../server/test/fault-proxy";
import { findServing, WANTED } from "./capacity";
import type { Fault, Scene } from "./fault";

/** How a single connection to PostgreSQL ends: by PostgreSQL itself, or on its way. */
type Ending = "terminated" | Loss;

/**
 * Of a connection that fell silent nobody learns. A stream's reads end after ten seconds and it begins again within four, and
 * where it is the listening one, the safety timer is left.
 */
const SILENT_BOUND_MS = 20_000;
/** A write on a silent connection ends after 35 s, and only then is there another connection in its place. */
const SILENT_RECOVERY_MS = 60_000;
const RECOVERY_MS = 10_000;

const STORM_MS = 60_000;
const STORM_PAUSE_MS = 150;

/** Ends so many connections of the servers', or all. The listening ones are among them. */
async function lose({ database, random }: Scene, { ending, count }: { ending: Ending; count: number }): Promise<void> {
  const chosen = random.shuffled(database.proxy.connections()).slice(0, count);
  if (ending !== "terminated") for (const connection of chosen) connection.lose(ending);
  else {
    const pids = chosen.map(({ pid }) => pid).join();
    // Beside other faults PostgreSQL may be away, and has ended them all itself.
    await database.sql`
      select pg_terminate_backend(pid::int) from string_to_table(${pids}, ',') as pid where pid <> ''
    `.catch(() => {});
  }
}

/** Some tabs load anew, and others go to another conversation: all of them open streams now. */
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
      for (let round = 0; round < (isShort ? 10 : 50); round += 1) {
        if (random.chance(0.5)) openStreams(scene);
        // From the turn in which the streams' first reads go out to that in which they are answered.
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

/** Takes all connections from under the last words and from streams that are just opened; then the pool has to be whole. */
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

/** What an operator's script may do: PostgreSQL ends a connection every moment, for a minute, while many write and watch. */
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

/** Three ways at once, for `npm test`: the fourth takes as long as its deadlines. */
export const loseConnections = losing({ name: "lose-connections", endings: ["terminated", "closed", "reset"] });

export const CONNECTION_FAULTS: readonly Fault[] = [
  losing({ name: "terminate-connections", endings: ["terminated"] }),
  losing({ name: "close-connections", endings: ["closed"] }),
  losing({ name: "reset-connections", endings: ["reset"] }),
  losing({ name: "silence-connections", endings: ["silenced"] }),
  loseConnections,
  storm,
];
