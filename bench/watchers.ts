import { setTimeout as sleep } from "node:timers/promises";
import { ne } from "drizzle-orm";
import type { WebSocket } from "ws";
import { makeProject, makeUser } from "../db/factories";
import { tasks } from "../db/schema";
import { within } from "./lib/measure";
import { startPair } from "./lib/pair";
import { makeFirm, startRig } from "./lib/rig";
import { changeMs, mutate, openSocket, openWatchers } from "./lib/sockets";
import { judge, NEEDS_AGAINST, otherCheckout } from "./lib/verdict";

/*
 * From the start of a write to the moment when the last watcher of a board, each a person with a session and a socket of their
 * own, has received of it; beside a floor that reads the row once and sends it to all without asking who they are. Then, beside
 * another version, how fast bursts of changes get onto all screens, whether by events or by lists that are read again.
 */

const CHANGES = 40;
const ROUNDS = 5;

/** In the browser, the pause in which the changes of one burst gather. */
const GATHER_MS = 100;

const rig = await startRig();
try {
  for (const watchers of [100, 500]) await compare(watchers);
} finally {
  await rig.close();
}

await compareBursts(otherCheckout());

/** Bursts of ticks on a board of 200 tasks: how many of them per second reach the screens of 500 watchers, on both versions. */
async function compareBursts(folder: string | null): Promise<void> {
  const what = `ticks in bursts of ${CHANGES} on the screens of 500 watchers`;
  const goal = { atLeast: 10, unit: "times as many a second as before" };
  if (!folder) return judge({ what, goal, values: [], missing: NEEDS_AGAINST });
  const pair = await startPair(folder);
  try {
    const { user, projectIds } = await makeFirm(pair.db, { projects: 1, tasks: 200, tasksOfFirst: 200 });
    const [projectId = ""] = projectIds;
    const people = [user];
    // Admins see every project without being on it: an event names all who are.
    while (people.length < 500) {
      people.push(await makeUser(pair.db, { name: `Watcher ${people.length}`, accountType: "admin" }));
    }
    const open = await pair.db.select({ id: tasks.id }).from(tasks).where(ne(tasks.status, "completed")).limit(CHANGES);
    const cookies = await Promise.all(people.map((person) => pair.cookieOf(person)));
    await pair.copyRows();
    const taskIds = open.map(({ id }) => id);
    const screens = [];
    for (const { url } of [pair.ours, pair.theirs]) {
      screens.push(await openScreens({ url: `${url}/api/trpc`, cookies, projectId, taskIds }));
    }
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const rates: number[] = [];
      for (const { burst } of screens) {
        const { tookMs, reads, events } = await burst(round % 2 === 0);
        rates.push((people.length * CHANGES) / tookMs);
        console.log(
          `round ${round + 1}: everywhere after ${tookMs.toFixed(0)} ms, ${events} events, ${reads} lists read`,
        );
      }
      ratios.push((rates[0] ?? 0) / (rates[1] ?? 1));
    }
    judge({ what, goal, values: ratios });
    for (const { close } of screens) close();
  } finally {
    await pair.close();
  }
}

interface Received {
  type?: string;
  kind?: string;
  steps?: { task: ShownTask | null }[];
  task: ShownTask | null;
}
interface ShownTask {
  id: string;
  completed: boolean;
}

/** People with the tasks of one project open: an event is put on the screen, or the list is read again, as the browser does. */
async function openScreens({
  url,
  cookies,
  projectId,
  taskIds,
}: {
  url: string;
  cookies: string[];
  projectId: string;
  taskIds: string[];
}) {
  const list = `${url}/tasks.list?input=${encodeURIComponent(JSON.stringify({ json: { projectId } }))}`;
  const burst = { isCompleted: false, waiting: 0, reads: 0, events: 0, done: () => {} };
  type Screen = {
    cookie: string;
    socket: WebSocket | null;
    left: Set<string>;
    isReading: boolean;
    isOutdated: boolean;
  };
  const screens = cookies.map(
    (cookie): Screen => ({ cookie, socket: null, left: new Set(), isReading: false, isOutdated: false }),
  );
  function show(screen: Screen, shown: ShownTask[]): void {
    const before = screen.left.size;
    for (const { id, completed } of shown) if (completed === burst.isCompleted) screen.left.delete(id);
    if (before === 0 || screen.left.size > 0) return;
    burst.waiting -= 1;
    if (burst.waiting === 0) burst.done();
  }
  async function read(screen: Screen): Promise<void> {
    screen.isOutdated = true;
    if (screen.isReading) return;
    screen.isReading = true;
    while (screen.isOutdated) {
      await sleep(GATHER_MS);
      screen.isOutdated = false;
      burst.reads += 1;
      const answer = await fetch(list, { headers: { cookie: screen.cookie } });
      if (answer.ok) show(screen, (await answer.json()).result.data.json);
      else screen.isOutdated = true;
    }
    screen.isReading = false;
  }
  function receive(screen: Screen, { json }: { json: Received }): void {
    if (json.type) return;
    burst.events += 1;
    if (json.kind === "resync" && !json.steps) void read(screen);
    else
      show(
        screen,
        (json.steps ?? [json]).flatMap(({ task }) => task ?? []),
      );
  }
  async function follow(screen: Screen): Promise<void> {
    screen.socket = await openSocket({
      url,
      cookie: screen.cookie,
      subscriptions: [{ path: "projects.onChange", input: {} }],
      onEvent: (payload) => receive(screen, Object(payload)),
      // A server that comes to its limits ends streams: the browser then subscribes again, and reads the list.
      onEnd: () => void followAgain(screen),
    });
  }
  async function followAgain(screen: Screen): Promise<void> {
    screen.socket?.terminate();
    await sleep(GATHER_MS);
    await follow(screen).then(
      () => read(screen),
      () => followAgain(screen),
    );
  }
  await Promise.all(screens.map(follow));
  return {
    close() {
      for (const { socket } of screens) socket?.terminate();
    },
    async burst(isCompleted: boolean) {
      Object.assign(burst, { isCompleted, waiting: screens.length, reads: 0, events: 0 });
      for (const screen of screens) screen.left = new Set(taskIds);
      const everywhere = new Promise<void>((resolve) => {
        burst.done = resolve;
      });
      const startedAt = performance.now();
      const [cookie = ""] = cookies;
      await Promise.all(
        taskIds.map((taskId) => mutate(`${url}/tasks.setCompleted`, cookie, { taskId, completed: isCompleted })),
      );
      // The version before may need longer on a slow machine: it counts as that long.
      await within(everywhere, { ms: 120_000, what: "a burst is not on every screen" }).catch(({ message }) =>
        console.log(message),
      );
      const tookMs = performance.now() - startedAt;
      await sleep(1_000);
      return { tookMs, reads: burst.reads, events: burst.events };
    },
  };
}

async function compare(watchers: number): Promise<void> {
  const people = [];
  for (let at = 0; at < watchers; at += 1) people.push(await makeUser(rig.db, { name: `Watcher ${at}` }));
  const [writer] = people;
  if (!writer) throw new Error("nobody watches");
  const project = await makeProject(rig.db, { createdBy: writer.id, assignedTo: people.map(({ id }) => id) });
  const cookies = await Promise.all(people.map((person) => rig.cookieOf(person)));
  const ours = await openWatchers({
    url: `${rig.server.url}/api/trpc`,
    cookies,
    path: "projects.onChange",
    change: { path: "tasks.create", input: { projectId: project.id, title: "T", description: "D" } },
  });
  const floor = await openWatchers({
    url: `${rig.floor.url}/live`,
    cookies,
    path: "onChange",
    change: { path: "change", input: project.id },
  });
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [mine, bare] = [await changeMs(ours), await changeMs(floor)];
    ratios.push(mine.p50 / bare.p50);
    console.log(
      `round ${round + 1}: last of ${watchers} after ${mine.p50.toFixed(1)} ms (slowest ${mine.slowest.toFixed(1)}), floor ${bare.p50.toFixed(1)} (${bare.slowest.toFixed(1)})`,
    );
  }
  const what = `change to the last of ${watchers} watchers: p50`;
  judge({ what, goal: { atMost: 1.5, unit: "times a bare broadcast's" }, values: ratios });
  ours.close();
  floor.close();
}
