import { setTimeout as sleep } from "node:timers/promises";
import type { WebSocket } from "ws";
import { makeConversation, makeProject, makeUser } from "../db/factories";
import type { TestServer } from "../e2e/server";
import { residentKb } from "./lib/measure";
import { type Pair, startPair } from "./lib/pair";
import { openSocket, type Subscription } from "./lib/sockets";
import { judge, NEEDS_AGAINST, otherCheckout } from "./lib/verdict";

/*
 * What an idle tab with projects, inbox and presence holds of the server's memory: the growth of its resident set with 500 of them
 * open, garbage included, beside that of another version. A firm of 100 people with five tabs each.
 *
 * Of 45 KiB (8d5d583: 136) 33 are objects of the tab's own and 12 its socket and buffers. Until the driver's queries were collected
 * with what is young (patches/, query.js) it was 70.
 */

const WHAT = "memory of an idle tab";
const GOAL = { atMost: 0.4, unit: "of the other version's" };
const TABS_EACH = 5;
const AT_ONCE = 20;
const ROUNDS = 3;
/** One round of the safety timer, and then some. */
const IDLE_MS = 20_000;

const JOINED: Subscription[] = [{ path: "live.onEvent", input: { topics: ["projects", "inbox", "presence"] } }];
const SINGLE: Subscription[] = [
  { path: "projects.onChange", input: {} },
  { path: "chat.onInbox", input: {} },
  { path: "chat.onPresence", input: {} },
];

const other = otherCheckout();
if (other === null) judge({ what: WHAT, goal: GOAL, values: [], missing: NEEDS_AGAINST });
else {
  const pair = await startPair(other);
  try {
    await compare(pair);
  } finally {
    await pair.close();
  }
}

async function compare(pair: Pair): Promise<void> {
  const cookies = await fill(pair);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = await measure(pair.ours, { cookies, subscriptions: JOINED });
    const theirs = await measure(pair.theirs, { cookies, subscriptions: SINGLE });
    console.log(`round ${round + 1}: ${ours.toFixed(1)} KiB a tab, the other version ${theirs.toFixed(1)}`);
    ratios.push(ours / theirs);
  }
  judge({ what: WHAT, goal: GOAL, values: ratios });
}

/** KiB a tab, of a server that has just started and has had some tabs before. */
async function measure(
  server: TestServer,
  { cookies, subscriptions }: { cookies: readonly string[]; subscriptions: readonly Subscription[] },
): Promise<number> {
  await server.stop();
  await server.start();
  const open = (all: readonly string[]) => openTabs(server, { cookies: all, subscriptions });
  for (const socket of await open(cookies)) socket.close();
  await sleep(2_000);
  const before = residentKb(server.pid());
  const sockets = await open(Array.from({ length: TABS_EACH }, () => cookies).flat());
  await sleep(IDLE_MS);
  const held = (residentKb(server.pid()) - before) / sockets.length;
  for (const socket of sockets) socket.terminate();
  return held;
}

async function openTabs(
  { url }: TestServer,
  { cookies, subscriptions }: { cookies: readonly string[]; subscriptions: readonly Subscription[] },
): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  for (let at = 0; at < cookies.length; at += AT_ONCE) {
    const some = cookies
      .slice(at, at + AT_ONCE)
      .map((cookie) => openSocket({ url: `${url}/api/trpc`, cookie, subscriptions, onEvent: () => {} }));
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}

/** 10 admins, 40 users and 50 clients; everybody but them talks to two admins, and a project is of a client and three users. */
async function fill({ db, cookieOf, copyRows }: Pair): Promise<string[]> {
  const people = async (count: number, accountType: "admin" | "user" | "client") =>
    Promise.all(Array.from({ length: count }, (_, at) => makeUser(db, { name: `${accountType} ${at}`, accountType })));
  const [admins, users, clients] = [await people(10, "admin"), await people(40, "user"), await people(50, "client")];
  const idOf = (some: readonly { id: string }[], at: number) => some[at % some.length]?.id ?? "";
  for (const [at, { id }] of [...users, ...clients].entries()) {
    for (const admin of [at, at + 3]) {
      const messages = [{ senderId: id, text: "Good morning" }];
      await makeConversation(db, { between: [idOf(admins, admin), id], messages });
    }
  }
  for (let at = 0; at < 100; at += 1) {
    const assignedTo = [at, at + 7, at + 19].map((one) => idOf(users, one));
    await makeProject(db, { createdBy: idOf(users, at), clientId: idOf(clients, at), assignedTo });
  }
  const cookies = await Promise.all([...admins, ...users, ...clients].map(cookieOf));
  await copyRows();
  return cookies;
}
