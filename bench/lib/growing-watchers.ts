import { makeProject, makeUser } from "../../db/factories";
import { residentKb } from "./measure";
import { startRig } from "./rig";
import { changeMs, openWatchers, type Watchers } from "./sockets";

/** What a change on a board costs, and what a tab holds, at one size of the organisation. */
export interface WatcherCost {
  size: number;
  /** Milliseconds from a change to the last of 20 people on one board, while everybody else watches other boards. */
  shown: number;
  /** And to the last of all who watch one board, 50 times the size. */
  all: number;
  /** KiB of the process, of all tabs. */
  memory: number;
}

const ON_SHOWN = 20;
const EACH_SIZE = { elsewhere: 500, onOne: 50 };
/** People of one board elsewhere: an event names all of them. */
const ON_EACH = 25;

/**
 * Opens ever more tabs, each a person's with a session, from 19 addresses of this machine, because sockets of one are capped. A
 * change on a board that most of them do not watch should cost what it did.
 */
export async function growWatchers(sizes: readonly number[]): Promise<WatcherCost[]> {
  const rig = await startRig({ withFloor: false });
  const url = `${rig.server.url}/api/trpc`;
  const opened: Watchers[] = [];
  const board = async (count: number): Promise<Watchers> => {
    const people = await Promise.all(Array.from({ length: count }, () => makeUser(rig.db)));
    const [writer] = people;
    if (!writer) throw new Error("nobody watches");
    const project = await makeProject(rig.db, { createdBy: writer.id, assignedTo: people.map(({ id }) => id) });
    const cookies = await Promise.all(people.map((person) => rig.cookieOf(person)));
    const [path, input] = ["tasks.create", { projectId: project.id, title: "T", description: "D" }];
    const watchers = await openWatchers({ url, cookies, path: "projects.onChange", change: { path, input } });
    opened.push(watchers);
    return watchers;
  };
  try {
    const shown = await board(ON_SHOWN);
    // What the process sets up once is nobody's tab.
    await changeMs(shown);
    const before = residentKb(rig.server.pid());
    const costs: WatcherCost[] = [];
    let elsewhere = 0;
    for (const size of sizes) {
      for (; elsewhere < EACH_SIZE.elsewhere * size; elsewhere += ON_EACH) await board(ON_EACH);
      const memory = residentKb(rig.server.pid()) - before;
      const ms = await changeMs(shown);
      const all = await board(EACH_SIZE.onOne * size);
      costs.push({ size, shown: ms.p50, all: (await changeMs(all)).p50, memory });
      all.close();
    }
    return costs;
  } finally {
    for (const watchers of opened) watchers.close();
    await rig.close();
  }
}
