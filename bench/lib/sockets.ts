import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { median, within } from "./measure";

/** One subscription of a socket: its procedure and its input. */
export interface Subscription {
  path: string;
  input: unknown;
}

/**
 * A socket with its subscriptions, as a browser's tab holds one; resolves once all of them have started. `onEvent` receives what
 * each emits, as it lies on the wire, `onEnd` that the server has ended one.
 */
export function openSocket({
  url,
  cookie,
  address,
  subscriptions,
  onEvent,
  onEnd = () => {},
}: {
  /** Of the server, with http. */
  url: string;
  cookie: string;
  /** Of this machine (127.0.0.0/8), where it comes from: sockets of one address are capped. */
  address?: string;
  subscriptions: readonly Subscription[];
  onEvent: (payload: unknown) => void;
  onEnd?: () => void;
}): Promise<WebSocket> {
  const opened = new Promise<WebSocket>((resolve, reject) => {
    let started = 0;
    const socket = new WebSocket(url.replace("http", "ws"), {
      headers: { cookie },
      ...(address && { localAddress: address }),
    });
    socket.once("error", reject);
    socket.once("open", () => {
      for (const [at, { path, input }] of subscriptions.entries()) {
        socket.send(JSON.stringify({ id: at + 1, method: "subscription", params: { path, input: { json: input } } }));
      }
    });
    socket.on("message", (frame) => {
      if (String(frame) === "PING") return socket.send("PONG");
      const { result, error } = JSON.parse(String(frame));
      if (error && started === subscriptions.length) onEnd();
      else if (error) reject(new Error(JSON.stringify(error)));
      if (result?.type === "data") onEvent(result.data);
      if (result?.type !== "started") return;
      started += 1;
      if (started === subscriptions.length) resolve(socket);
    });
  });
  return within(opened, { ms: 60_000, what: "a socket's streams have not started" });
}

/** Calls a mutation over HTTP and gives the length of its answer in bytes. */
export async function mutate(url: string, cookie: string, input: unknown): Promise<number> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { cookie, "content-type": "application/json" },
    body: JSON.stringify({ json: input }),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.arrayBuffer()).byteLength;
}

/** As many of them as 127.0.0.2 to 127.0.0.20, in turns. */
function addressOf(at: number): string {
  return `127.0.0.${2 + (at % 19)}`;
}

/** People who watch the same, each by a socket of their own, and a change that all of them receive of. */
export interface Watchers {
  /** Resolves with the instant at which the last of them has received of the next change. */
  receivedByAll(): Promise<number>;
  change(): Promise<number>;
  close(): void;
}

const AT_ONCE = 50;

/** The first of the cookies makes the change. */
export async function openWatchers({
  url,
  cookies,
  path,
  change,
}: {
  url: string;
  cookies: readonly string[];
  path: string;
  change: { path: string; input: unknown };
}): Promise<Watchers> {
  /** Who has still to receive of the present change. */
  const waiting = new Set<number>();
  let done: (at: number) => void = () => {};
  let failed: (error: Error) => void = () => {};
  const sockets: WebSocket[] = [];
  const open = (cookie: string, at: number) =>
    openSocket({
      url,
      cookie,
      address: addressOf(at),
      subscriptions: [{ path, input: {} }],
      onEvent(payload) {
        // Many watchers take long enough to open that the first ones are sent signs of life.
        if (JSON.stringify(payload).includes('"heartbeat"')) return;
        if (waiting.delete(at) && waiting.size === 0) done(performance.now());
      },
      onEnd: () => failed(new Error("the server has ended a watcher's stream")),
    });
  for (let at = 0; at < cookies.length; at += AT_ONCE) {
    const some = cookies.slice(at, at + AT_ONCE).map((cookie, next) => open(cookie, at + next));
    sockets.push(...(await Promise.all(some)));
  }
  return {
    change: () => mutate(`${url}/${change.path}`, cookies[0] ?? "", change.input),
    receivedByAll() {
      for (const at of cookies.keys()) waiting.add(at);
      const received = new Promise<number>((resolve, reject) => {
        done = resolve;
        failed = reject;
      });
      return within(received, { ms: 30_000, what: "not all have received of a change" });
    },
    close() {
      failed = () => {};
      for (const socket of sockets) socket.terminate();
    },
  };
}

const CHANGES = 40;

/** From the start of a change until the last has received of it, of 40 changes. */
export async function changeMs({ receivedByAll, change }: Watchers): Promise<{ p50: number; slowest: number }> {
  const times: number[] = [];
  for (let at = 0; at < CHANGES; at += 1) {
    const all = receivedByAll();
    const startedAt = performance.now();
    await change();
    times.push((await all) - startedAt);
    await sleep(20);
  }
  return { p50: median(times), slowest: Math.max(...times) };
}
