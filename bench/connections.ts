import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { makeUser } from "../db/factories";
import { residentKb } from "./lib/measure";
import { startRig } from "./lib/rig";
import { judge } from "./lib/verdict";

/*
 * What a flood of connections does to the process: 10,000 sockets that bring no session, and 5,000 event streams of one person,
 * each opened and never given up by its peer. Wanted: 100 open of each, all else refused, and no more memory afterwards than a
 * few megabytes. Then 300 wrong sign-ins at once beside a right one: wanted within 2 s, or 503 at once.
 */

const SOCKETS = 10_000;
const STREAMS = 5_000;
const AT_ONCE = 500;
const SIGN_INS = 300;
/** access.md: connections of one address without a session, and of one person. */
const CAP = 100;
/** A connection without a session is closed after ten seconds. */
const CLOSED_AFTER_MS = 12_000;
const SERVED_WITHIN_MS = 2_000;

const rig = await startRig({ withFloor: false });
try {
  const person = await makeUser(rig.db, { name: "A person with many tabs" });
  const cookie = await rig.cookieOf(person);
  await flood("sockets without a session", SOCKETS, openSocket);
  await sleep(CLOSED_AFTER_MS);
  console.log(`after they were closed: ${mebibytes()} MiB`);
  // Three times: what stays after the first is the garbage of a process that has room, and does not grow.
  const after: number[] = [];
  for (let round = 0; round < 3; round += 1)
    after.push(await flood("event streams of one person", STREAMS, () => openStream(cookie)));
  const [first = 0, , last = 0] = after;
  judge({
    what: "memory after three floods",
    goal: { atMost: 1.5, unit: "times that after one" },
    values: [last / first],
  });
  await signIns();
} finally {
  await rig.close();
}

/** Answers with the memory afterwards, in MiB. */
async function flood(name: string, count: number, open: () => Promise<Opened>): Promise<number> {
  const before = mebibytes();
  const statuses = new Map<number, number>();
  const all: Opened[] = [];
  let maxHeld = before;
  let maxOpen = 0;
  for (let done = 0; done < count; done += AT_ONCE) {
    all.push(...(await Promise.all(Array.from({ length: AT_ONCE }, open))));
    maxOpen = Math.max(maxOpen, all.filter(({ isOpen }) => isOpen()).length);
    maxHeld = Math.max(maxHeld, mebibytes());
  }
  for (const { status } of all) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const answers = [...statuses].map(([status, times]) => `${times} times ${status}`).join(", ");
  console.log(`${count} ${name}: ${answers}; the process held ${before} MiB, at most ${maxHeld}, then ${mebibytes()}`);
  judge({ what: `${name}: open at once`, goal: { atMost: CAP, unit: "connections" }, values: [maxOpen] });
  for (const { close } of all) close();
  return mebibytes();
}

async function signIns(): Promise<void> {
  await makeUser(rig.db, { email: "lata@sangam.example", username: "lata", passwordHash: await rightHash() });
  const flooding = Array.from({ length: SIGN_INS }, (_, at) => signIn(`nobody${at}@sangam.example`, "wrong one"));
  const right = await signIn("lata@sangam.example", "the right one");
  const refused = (await Promise.all(flooding)).filter(({ status }) => status === 503);
  const slowest = Math.max(...refused.map(({ tookMs }) => tookMs));
  const isServed = right.status === 200 && right.tookMs <= SERVED_WITHIN_MS;
  judge({
    what: `a right sign-in beside ${SIGN_INS} wrong ones, unless it has its session within 2 s`,
    goal: { atMost: 1.5, unit: "times the slowest refusal" },
    values: [isServed ? 0 : right.status === 503 ? right.tookMs / slowest : Number.POSITIVE_INFINITY],
  });
  console.log(
    `a right sign-in beside ${SIGN_INS} wrong ones: ${right.status} after ${Math.round(right.tookMs)} ms; ` +
      `${refused.length} answered 503, the last after ${Math.round(slowest)} ms`,
  );
}

async function rightHash(): Promise<string> {
  const { hashPassword } = await import("better-auth/crypto");
  return hashPassword("the right one");
}

async function signIn(email: string, password: string): Promise<{ status: number; tookMs: number }> {
  const startedAt = performance.now();
  const answer = await fetch(`${rig.server.url}/api/trpc/auth.signIn`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ json: { email, password, rememberMe: true } }),
  });
  await answer.arrayBuffer();
  return { status: answer.status, tookMs: performance.now() - startedAt };
}

interface Opened {
  /** Of the answer; 101 for a socket that is open. */
  status: number;
  isOpen: () => boolean;
  close: () => void;
}

function openSocket(): Promise<Opened> {
  const socket = new WebSocket(`${rig.server.url.replace("http", "ws")}/api/trpc`);
  return new Promise((resolve, reject) => {
    const close = () => socket.terminate();
    const isOpen = () => socket.readyState === WebSocket.OPEN;
    socket.once("open", () => resolve({ status: 101, isOpen, close }));
    socket.once("unexpected-response", (request, { statusCode = 0 }) => {
      request.destroy();
      resolve({ status: statusCode, isOpen, close });
    });
    socket.on("error", reject);
  });
}

function openStream(cookie: string): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const url = `${rig.server.url}/api/trpc/projects.onChange?input=${encodeURIComponent('{"json":{}}')}`;
    const headers = { accept: "text/event-stream", cookie };
    const request = get(url, { headers, agent: false }, (answer: IncomingMessage) => {
      answer.on("error", () => {});
      const isOpen = () => answer.statusCode === 200 && !answer.closed;
      resolve({ status: answer.statusCode ?? 0, isOpen, close: () => answer.destroy() });
    });
    request.once("error", reject);
  });
}

function mebibytes(): number {
  return Math.round(residentKb(rig.server.pid()) / 1024);
}
