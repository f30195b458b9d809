import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { WebSocket } from "ws";
import { makeConversation, makeUser } from "../db/factories";
import { judgeFeatures, MESSAGE_FEATURES } from "./lib/features";
import { interleave, residentKb, SMALL_CALLS_WARM_UP_MS, within } from "./lib/measure";
import { startRig } from "./lib/rig";
import { mutate, openSocket } from "./lib/sockets";
import { judge } from "./lib/verdict";

/*
 * The chat beside a floor that inserts the row and notifies, without numbers, rights, keys or pointers:
 * a message acknowledged; from the start of sending to the other one's socket; then 1,000 open tabs of 1,000 people in one
 * process: what each holds of its memory, one message to 60 tabs that show the same conversation, and 50 messages a second for
 * a minute.
 */

const TABS = 1_000;
/** A person has 40 sockets at most. */
const SAME = 60;
/** An address has 1,000 sockets at most. */
const ADDRESSES = ["127.0.0.2", "127.0.0.3", "127.0.0.4"];
const PER_SECOND = 50;
const SECONDS = 60;
const ROUNDS = 5;
/** So many pairs are for what comes before the tabs: the floor's rows have numbers of their own, which no stream would go past. */
const FIRST = 101;
const SAID = 60;

const rig = await startRig();
const api = `${rig.server.url}/api/trpc`;
try {
  const admins = await Promise.all(
    Array.from({ length: 50 }, (_, at) => makeUser(rig.db, { name: `Admin ${at}`, accountType: "admin" })),
  );
  const people = await Promise.all(
    Array.from({ length: TABS / 2 + FIRST }, (_, at) =>
      makeUser(rig.db, { name: `Person ${at}`, accountType: "client" }),
    ),
  );
  const pairs = [];
  for (const [at, person] of people.entries()) {
    const admin = admins[at % admins.length];
    if (!admin) throw new Error("a firm has admins");
    const conversation = await makeConversation(rig.db, { between: [admin.id, person.id], messages: [] });
    pairs.push({ id: conversation.id, admin: await rig.cookieOf(admin), person: await rig.cookieOf(person) });
  }
  await rig.db.execute("analyze");
  await acknowledged(pairs);
  await displayed(pairs);
  await manyTabs(pairs.slice(FIRST));
} finally {
  await rig.close();
}

interface Pair {
  id: string;
  /** Cookies of the two. */
  admin: string;
  person: string;
}

/** One after another of a list, round and round. */
function turns<Item>(items: readonly Item[]): () => Item {
  let count = 0;
  return () => {
    const item = items[count++ % items.length];
    if (item === undefined) throw new Error("nothing to take turns");
    return item;
  };
}

/*
 * Processor time of a call in microseconds, ours / the floor's: Node.js 555 / 355, PostgreSQL 465 / 325, the load 150 / 125. One
 * thread of Node.js is what eight callers wait for, so the rate follows the first pair. A third of its profile are writes to
 * PostgreSQL, which the floor does too; of what it does not do nothing stands out: own modules 5 % together (cookie's signature,
 * status, limits, log line), Hono's steps and headers 3, drizzle 2.5, zod 1, and their garbage. In PostgreSQL it is the
 * conversation's row, whose lock numbers messages without a gap.
 */
async function acknowledged(pairs: readonly Pair[]): Promise<void> {
  // The floor numbers nothing: it writes where no real number comes.
  let seq = 1_000_000;
  const [ours, bare, counted] = [
    turns(pairs.slice(0, 40)),
    turns(pairs.slice(40, 80)),
    turns(pairs.slice(80, FIRST - 1)),
  ];
  const subject = () => {
    const { id, person } = ours();
    return mutate(`${api}/chat.send`, person, { conversationId: id, text: "Measured.", clientMessageId: randomUUID() });
  };
  const floor = async (path: string, { id, person }: Pair, more: object = {}) => {
    seq += 1;
    const message = { conversationId: id, seq, text: "Measured.", clientMessageId: randomUUID() };
    const answer = await fetch(`${rig.floor.url}/trpc/${path}`, {
      method: "POST",
      headers: { cookie: person, "content-type": "application/json" },
      body: JSON.stringify({ ...message, ...more }),
    });
    if (!answer.ok) throw new Error(`the floor answered ${answer.status}`);
    return (await answer.arrayBuffer()).byteLength;
  };
  const { rates } = await interleave("send a message", {
    concurrency: 8,
    warmUpMs: SMALL_CALLS_WARM_UP_MS,
    subject,
    floor: () => floor("send", bare()),
  });
  judge({ what: "chat.send, c8", goal: { atLeast: 0.75, unit: "of the floor's rate" }, values: rates });
  // Those of the product and of the floor that counts in their rows are not the same conversations: numbers have no gap.
  await judgeFeatures("chat.send, c8", {
    features: MESSAGE_FEATURES,
    subject,
    floor: (features) => floor("sendWith", features === 0 ? bare() : counted(), { features }),
  });
}

async function displayed(pairs: readonly Pair[]): Promise<void> {
  const pair = pairs[FIRST - 1];
  if (!pair) throw new Error("nobody talks");
  const content = { text: "Measured." };
  const ours = nextEvent();
  const bare = nextEvent();
  let seq = 2_000_000;
  const sockets = [
    await openSocket({
      url: api,
      cookie: pair.admin,
      subscriptions: [{ path: "chat.onMessage", input: { conversationId: pair.id } }],
      onEvent: ours.receive,
    }),
    await openSocket({
      url: `${rig.floor.url}/live`,
      cookie: pair.admin,
      subscriptions: [{ path: "onSaid", input: { conversationId: pair.id } }],
      onEvent: bare.receive,
    }),
  ];
  const say = async (received: Promise<number>, write: () => Promise<unknown>) => {
    const startedAt = performance.now();
    const written = write();
    const took = (await received) - startedAt;
    await written;
    await sleep(5);
    return took;
  };
  const [ratios, tails]: [number[], number[]] = [[], []];
  const conversationId = pair.id;
  for (let round = 0; round < ROUNDS; round += 1) {
    const [mine, floors]: [number[], number[]] = [[], []];
    for (let at = 0; at < SAID; at += 1) {
      const clientMessageId = randomUUID();
      mine.push(
        await say(ours.next(), () =>
          mutate(`${api}/chat.send`, pair.person, { conversationId, ...content, clientMessageId }),
        ),
      );
      seq += 1;
      const row = { conversationId, seq, ...content, clientMessageId: randomUUID() };
      floors.push(await say(bare.next(), () => mutate(`${rig.floor.url}/live/say`, pair.person, row)));
    }
    const [own, floor] = [sorted(mine), sorted(floors)];
    ratios.push(at(own, 0.5) / at(floor, 0.5));
    tails.push(at(own, 0.99) / at(own, 0.5));
    console.log(
      `round ${round + 1}: on the other screen after ${at(own, 0.5).toFixed(1)} ms, p99 ${at(own, 0.99).toFixed(1)}; floor ${at(floor, 0.5).toFixed(1)}, ${at(floor, 0.99).toFixed(1)}`,
    );
  }
  const what = "message to the other's socket";
  judge({ what: `${what}: p50`, goal: { atMost: 2, unit: "times the floor's" }, values: ratios });
  judge({ what: `${what}: p99`, goal: { atMost: 5, unit: "times its own p50" }, values: tails });
  for (const socket of sockets) socket.terminate();
}

async function manyTabs(pairs: readonly Pair[]): Promise<void> {
  const before = residentKb(rig.server.pid());
  const sentAt = new Map<string, number>();
  const took: number[] = [];
  const shared = pairs[0];
  if (!shared) throw new Error("nobody talks");
  let atShared = 0;
  let lastAtShared = 0;
  const onEvent = (payload: unknown) => {
    const now = performance.now();
    const text = textOf(payload);
    if (text === null) return;
    const startedAt = sentAt.get(text);
    if (startedAt !== undefined) took.push(now - startedAt);
    if (text.startsWith("To all")) {
      atShared += 1;
      lastAtShared = now;
    }
  };
  const everyTab = async () => {
    while (atShared < SAME) await sleep(1);
  };
  const address = turns(ADDRESSES);
  const open = (cookie: string, conversationId: string) =>
    openSocket({
      url: api,
      cookie,
      address: address(),
      subscriptions: [
        { path: "chat.onInbox", input: {} },
        { path: "chat.onMessage", input: { conversationId } },
      ],
      onEvent,
    });
  const sockets: WebSocket[] = [];
  for (const { id, admin, person } of pairs) sockets.push(...(await Promise.all([open(admin, id), open(person, id)])));
  await sleep(2_000);
  const held = (residentKb(rig.server.pid()) - before) / TABS;
  console.log(`${TABS} tabs with two streams each: ${held.toFixed(0)} KiB of the process a tab (its garbage included)`);

  for (let tab = 2; tab < SAME; tab += 1) sockets.push(await open(tab % 2 ? shared.admin : shared.person, shared.id));
  const fan: number[] = [];
  for (let round = 0; round < 30; round += 1) {
    atShared = 0;
    const startedAt = performance.now();
    await send(shared, `To all ${round}`);
    await within(everyTab(), { what: "not every tab has received a message" });
    fan.push(lastAtShared - startedAt);
  }
  const spreadOut = sorted(fan);
  console.log(
    `one message to the last of ${SAME} tabs, among ${sockets.length} open: p50 ${at(spreadOut, 0.5).toFixed(1)} ms, slowest ${at(spreadOut, 1).toFixed(1)}`,
  );

  took.length = 0;
  const next = turns(pairs.slice(1));
  const answers: Promise<unknown>[] = [];
  const beganAt = performance.now();
  for (let count = 0; count < PER_SECOND * SECONDS; count += 1) {
    await sleep(Math.max(0, beganAt + (count * 1_000) / PER_SECOND - performance.now()));
    const text = `Number ${count}`;
    sentAt.set(text, performance.now());
    answers.push(send(next(), text));
  }
  await Promise.all(answers);
  await sleep(1_000);
  const delays = sorted(took);
  console.log(
    `${PER_SECOND} messages a second for ${SECONDS} s: ${took.length} of ${2 * PER_SECOND * SECONDS} received, p50 ${at(delays, 0.5).toFixed(1)} ms, p99 ${at(delays, 0.99).toFixed(1)}, slowest ${at(delays, 1).toFixed(1)}; the process then holds ${(residentKb(rig.server.pid()) / 1024).toFixed(0)} MiB`,
  );
  for (const socket of sockets) socket.terminate();
}

function send({ id, person }: Pair, text: string): Promise<number> {
  return mutate(`${api}/chat.send`, person, { conversationId: id, text, clientMessageId: randomUUID() });
}

/** The text of a message event; null for any other payload. */
function textOf(payload: unknown): string | null {
  const text = /"type":"message".*"text":"([^"]*)"/.exec(JSON.stringify(payload))?.[1];
  return text ?? null;
}

/** Waits for the next event. */
function nextEvent() {
  let resolve: ((at: number) => void) | null = null;
  return {
    receive: () => resolve?.(performance.now()),
    next() {
      const received = new Promise<number>((next) => {
        resolve = next;
      });
      return within(received, { what: "a message was not received" });
    },
  };
}

function sorted(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

/** The value below which that share of sorted ones lies. */
function at(values: readonly number[], share: number): number {
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
}
