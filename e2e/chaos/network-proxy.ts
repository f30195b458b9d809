import { connect, createServer, type Socket } from "node:net";
import { listen } from "../../server/test/fault-proxy";

/** The state of the network between a person and the servers. */
type NetworkState =
  /** Everything passes. */
  | "open"
  /** Connections break and new ones fail, as without a network. */
  | "shut"
  /** Nothing passes, and no connection closes. */
  | "silent"
  /** Nothing the servers send is read. */
  | "stalled";

/** A TCP proxy between one person and the servers, for faults. */
export interface NetworkProxy {
  url: string;
  setState(state: NetworkState): void;
  /** Breaks every open connection. */
  cut(): void;
  /** Called for each request of a procedure; returns which part of it is lost. */
  setLoss(decide: (() => "request" | "answer" | null) | null): void;
  close(): Promise<void>;
}

interface Pair {
  client: Socket;
  server: Socket | null;
  losesAnswer: boolean;
}

const CALL = /^POST \/api\/trpc\/(chat|comments)\./;

/** `ports` returns the running servers' ports, the preferred one first. Skips those that do not listen. */
export async function openNetworkProxy(ports: () => readonly number[]): Promise<NetworkProxy> {
  const pairs = new Set<Pair>();
  let state: NetworkState = "open";
  let decideLoss: (() => "request" | "answer" | null) | null = null;

  function drop(pair: Pair): void {
    pairs.delete(pair);
    pair.client.destroy();
    pair.server?.destroy();
  }
  function settle({ client, server }: Pair): void {
    if (state === "silent") client.pause();
    else client.resume();
    if (state === "silent" || state === "stalled") server?.pause();
    else server?.resume();
  }
  function join(pair: Pair, server: Socket): void {
    pair.server = server;
    server.on("data", (bytes) => {
      if (pair.losesAnswer) drop(pair);
      else if (!pair.client.write(bytes)) server.pause();
    });
    pair.client.on("drain", () => settle(pair));
    server.on("drain", () => settle(pair));
    server.on("close", () => drop(pair));
  }
  function forward(pair: Pair, bytes: Buffer): void {
    const loss = CALL.test(bytes.toString("latin1", 0, 40)) ? (decideLoss?.() ?? null) : null;
    pair.losesAnswer ||= loss === "answer";
    if (loss === "request") drop(pair);
    else if (pair.server && !pair.server.write(bytes)) pair.client.pause();
  }
  const listener = createServer({ noDelay: true }, (client) => {
    client.on("error", () => client.destroy());
    if (state === "shut") return client.destroy();
    const pair: Pair = { client, server: null, losesAnswer: false };
    pairs.add(pair);
    client.on("close", () => drop(pair));
    client.pause();
    void connectToFirst(ports()).then((server) => {
      if (!server || !pairs.has(pair)) {
        server?.destroy();
        return drop(pair);
      }
      join(pair, server);
      client.on("data", (bytes) => forward(pair, bytes));
      settle(pair);
    });
  });
  return {
    url: `http://127.0.0.1:${await listen(listener)}`,
    setState(next) {
      state = next;
      if (state === "shut") for (const pair of [...pairs]) drop(pair);
      for (const pair of pairs) settle(pair);
    },
    cut() {
      for (const pair of [...pairs]) drop(pair);
    },
    setLoss(decide) {
      decideLoss = decide;
    },
    close() {
      for (const pair of [...pairs]) drop(pair);
      return new Promise((resolve) => listener.close(() => resolve()));
    },
  };
}

/** Null if no port accepts. Later errors surface as "close". */
async function connectToFirst([port, ...others]: readonly number[]): Promise<Socket | null> {
  if (port === undefined) return null;
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const isConnected = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.on("error", () => resolve(false));
  });
  return isConnected ? socket : connectToFirst(others);
}
