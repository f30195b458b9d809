import { WebSocket } from "ws";

/** One subscription of a socket: its procedure and its input. */
export interface Subscription {
  path: string;
  input: unknown;
}

/**
 * A socket with its subscriptions, as a browser's tab holds one; resolves once all of them have started. `onEvent` hears what
 * each tells, as it lies on the wire.
 */
export function openSocket({
  url,
  cookie,
  address,
  subscriptions,
  onEvent,
}: {
  /** Of the server, with http. */
  url: string;
  cookie: string;
  /** Where it comes from, told as by a proxy; without it from this machine. */
  address?: string;
  subscriptions: readonly Subscription[];
  onEvent: (payload: unknown) => void;
}): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    let started = 0;
    const socket = new WebSocket(url.replace("http", "ws"), {
      headers: { cookie, ...(address && { "x-forwarded-for": address }) },
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
      if (error) reject(new Error(JSON.stringify(error)));
      if (result?.type === "data") onEvent(result.data);
      if (result?.type !== "started") return;
      started += 1;
      if (started === subscriptions.length) resolve(socket);
    });
  });
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
