import { setTimeout as sleep } from "node:timers/promises";
import type { WebSocket } from "ws";
import { makeProject, makeUser } from "../db/factories";
import { startRig } from "./lib/rig";
import { mutate, openSocket } from "./lib/sockets";
import { judge } from "./lib/verdict";

/*
 * From the start of a write to the moment when the last watcher of a board, each a person with a session and a socket of their
 * own, has received of it; beside a floor that reads the row once and sends it to all without asking who they are.
 */

const CHANGES = 40;
const ROUNDS = 5;

const rig = await startRig();
try {
  for (const watchers of [100, 500]) await compare(watchers);
} finally {
  await rig.close();
}

async function compare(watchers: number): Promise<void> {
  const people = [];
  for (let at = 0; at < watchers; at += 1) people.push(await makeUser(rig.db, { name: `Watcher ${at}` }));
  const [writer] = people;
  if (!writer) throw new Error("nobody watches");
  const project = await makeProject(rig.db, { createdBy: writer.id, assignedTo: people.map(({ id }) => id) });
  const cookies = await Promise.all(people.map((person) => rig.cookieOf(person)));
  const [cookie = ""] = cookies;
  const ours = await watch({
    url: `${rig.server.url}/api/trpc`,
    cookies,
    path: "projects.onChange",
    write: () =>
      mutate(`${rig.server.url}/api/trpc/tasks.create`, cookie, {
        projectId: project.id,
        title: "T",
        description: "D",
      }),
  });
  const floor = await watch({
    url: `${rig.floor.url}/live`,
    cookies,
    path: "onChange",
    write: () => mutate(`${rig.floor.url}/live/change`, cookie, project.id),
  });
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [mine, bare] = [await measure(ours), await measure(floor)];
    ratios.push(mine.p50 / bare.p50);
    console.log(
      `round ${round + 1}: last of ${watchers} after ${mine.p50.toFixed(1)} ms (slowest ${mine.slowest.toFixed(1)}), floor ${bare.p50.toFixed(1)} (${bare.slowest.toFixed(1)})`,
    );
  }
  const what = `change to the last of ${watchers} watchers: p50`;
  judge({ what, goal: { atMost: 1.5, unit: "times a bare broadcast's" }, values: ratios });
  for (const socket of [...ours.sockets, ...floor.sockets]) socket.terminate();
}

interface Watch {
  sockets: WebSocket[];
  /** Resolves with the instant at which the last watcher received of the next change. */
  receivedByAll(): Promise<number>;
  write(): Promise<number>;
}

async function watch({
  url,
  cookies,
  path,
  write,
}: {
  url: string;
  cookies: string[];
  path: string;
  write: () => Promise<number>;
}): Promise<Watch> {
  let received = 0;
  let done: ((at: number) => void) | null = null;
  const onEvent = () => {
    received += 1;
    if (received % cookies.length === 0) done?.(performance.now());
  };
  const subscriptions = [{ path, input: {} }];
  const sockets = await Promise.all(cookies.map((cookie) => openSocket({ url, cookie, subscriptions, onEvent })));
  return {
    sockets,
    write,
    receivedByAll: () =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error("not all have received of a change within 10 s")), 10_000);
        done = (at) => {
          clearTimeout(late);
          resolve(at);
        };
      }),
  };
}

async function measure({ receivedByAll, write }: Watch): Promise<{ p50: number; slowest: number }> {
  const times: number[] = [];
  for (let change = 0; change < CHANGES; change += 1) {
    const all = receivedByAll();
    const startedAt = performance.now();
    await write();
    times.push((await all) - startedAt);
    await sleep(20);
  }
  times.sort((a, b) => a - b);
  return { p50: times[Math.floor(times.length / 2)] ?? 0, slowest: times.at(-1) ?? 0 };
}
