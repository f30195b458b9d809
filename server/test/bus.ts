import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { findProgram } from "../../scripts/find-program.mjs";
import { listen } from "./fault-proxy";
import { freePort } from "./free-port";

/** A Redis or Valkey of its own, behind a proxy on which it can fall silent. */
export interface TestBus {
  url: string;
  /** kill -9. */
  kill(): Promise<void>;
  /** On the same address, after `kill`. */
  start(): Promise<void>;
  /** While true nothing passes, in no direction, and nothing closes: neither what is connected nor what connects. */
  setSilent(isSilent: boolean): void;
  /** Breaks every open connection. */
  cut(): void;
  close(): Promise<void>;
}

const START_TRIES = 200;

interface TestBusOptions {
  password?: string;
  /** Files of the certificate and its key: it then speaks TLS alone. */
  tls?: { cert: string; key: string };
}

/** Whether there is such a program: for tests that are skipped without it. */
export async function hasTestBus(): Promise<boolean> {
  return (await findProgram("redis")) !== null;
}

/** Null where there is no such program. Started in a hook, never as a test file is loaded: no hook ends it when all its tests are skipped. */
export async function startTestBus({ password, tls }: TestBusOptions = {}): Promise<TestBus | null> {
  const program = await findProgram("redis");
  if (program === null) return null;
  const port = await freePort();
  // The certificate is that of a name.
  const [scheme, host] = tls ? ["rediss", "localhost"] : ["redis", "127.0.0.1"];
  const ports = tls
    ? {
        ...{ port: "0", "tls-port": String(port), "tls-auth-clients": "no" },
        ...{ "tls-cert-file": tls.cert, "tls-key-file": tls.key, "tls-ca-cert-file": tls.cert },
      }
    : { port: String(port) };
  const settings = { bind: "127.0.0.1", ...ports, save: "", appendonly: "no", requirepass: password ?? "" };
  let server: ChildProcess | null = null;
  const start = async () => {
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    server = spawn(program, args, { stdio: "ignore" });
    await untilListening(port);
  };
  const kill = async () => {
    if (server?.exitCode !== null) return;
    const exit = once(server, "exit");
    server.kill("SIGKILL");
    await exit;
  };
  const proxy = await openProxy(port);
  await start();
  return {
    url: `${scheme}://${password === undefined ? "" : `:${password}@`}${host}:${proxy.port}`,
    kill,
    start,
    setSilent: proxy.setSilent,
    cut: proxy.cut,
    async close() {
      proxy.close();
      await kill();
    },
  };
}

async function openProxy(port: number) {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const settle = (socket: Socket) => (isSilent ? socket.pause() : socket.resume());
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port, host: "127.0.0.1", noDelay: true });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("data", (bytes) => other.write(bytes));
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      settle(socket);
    }
  });
  return {
    port: await listen(server),
    cut,
    setSilent(next: boolean) {
      isSilent = next;
      for (const socket of sockets) settle(socket);
    },
    close() {
      cut();
      server.close();
    },
  };
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const socket = connect({ port, host: "127.0.0.1" });
    const isThere = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "close").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isThere) return;
    if (tries === START_TRIES) throw new Error("the bus does not start");
    await sleep(20);
  }
}
