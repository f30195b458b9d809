import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import { drain, endInTurn } from "./drain";

const ROUNDS = 4;
/** In a thread of their own: new connections one after the other, until one is refused. Says how many ended without an answer. */
const CALLERS = `
  const { connect } = require("node:net");
  const { parentPort, workerData: port } = require("node:worker_threads");
  let [answered, cut, running] = [0, 0, 8];
  function call() {
    let [isConnected, hasAnswer] = [false, false];
    const socket = connect(port, "127.0.0.1", () => {
      isConnected = true;
      socket.write("POST / HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n");
    });
    socket.on("data", () => {
      if (!hasAnswer && (answered += 1) === 40) parentPort.postMessage("busy");
      hasAnswer = true;
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      if (isConnected) {
        if (!hasAnswer) cut += 1;
        call();
      } else if ((running -= 1) === 0) parentPort.postMessage({ cut });
    });
  }
  for (let at = 0; at < running; at += 1) call();
`;
const TIMES = { idleMs: 2_000, callMs: 300 };
const agents: Agent[] = [];
let server: Server;
let answer: (() => void) | undefined;

afterEach(() => {
  for (const agent of agents) agent.destroy();
  server.closeAllConnections();
});

test("a call that runs is answered, and its connection ends with the answer", async () => {
  const call = start(await listen(), "/slow");
  await expect.poll(() => answer).toBeDefined();
  const drained = begin({ isProxied: false });
  await sleep(50);
  answer?.();
  expect(await call).toMatchObject({ statusCode: 200, headers: { connection: "close" } });
  await drained;
});

test("an idle connection of a proxy takes one more request; new connections are refused from the start", async () => {
  const port = await listen();
  const proxy = keepAlive();
  await start(port, "/", proxy);
  const drained = begin({ isProxied: true });
  await sleep(50);
  await untilRefused(port);
  expect(await start(port, "/", proxy)).toMatchObject({ statusCode: 200, headers: { connection: "close" } });
  await drained;
});

test("without a proxy idle connections are closed at once, and a call that never ends is cut in time", async () => {
  const port = await listen();
  await start(port, "/", keepAlive());
  // Neither waited for nor cut like a call: either would take a minute.
  const startedAt = performance.now();
  await begin({ isProxied: false, times: { idleMs: 60_000, callMs: 60_000 } });
  expect(performance.now() - startedAt).toBeLessThan(30_000);

  const hanging = start(await listen(), "/slow").catch((error: unknown) => error);
  await expect.poll(() => answer).toBeDefined();
  await begin({ isProxied: false });
  expect(await hanging).toMatchObject({ code: "ECONNRESET" });
});

test("a balancer that only asks whether the server is ready has its time: connections are accepted meanwhile", async () => {
  const port = await listen();
  const announced: string[] = [];
  const drained = begin({ isProxied: false, acceptMs: 200, announce: () => announced.push("stopping") });
  expect(announced).toEqual(["stopping"]);
  expect(await start(port, "/")).toMatchObject({ statusCode: 200, headers: { connection: "close" } });
  await drained;
  await untilRefused(port);
});

test("a connection that was made is answered, however busy the process is when it stops accepting", async () => {
  let cut = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const port = await listen({ busyMs: 3 });
    const callers = new Worker(CALLERS, { eval: true, workerData: port });
    await once(callers, "message");
    await sleep(20);
    await begin({ isProxied: false });
    const [outcome] = await once(callers, "message");
    cut += outcome.cut;
  }
  // A busy machine may take the processor away between the last look and the closing. Without the look each round cuts all callers.
  expect(cut).toBeLessThanOrEqual(1);
});

test("connections are ended one after the other", async () => {
  const ended: number[] = [];
  const startedAt = performance.now();
  await endInTurn(Array.from({ length: 100 }, () => () => ended.push(performance.now() - startedAt)));
  expect(ended).toHaveLength(100);
  expect(ended[99]).toBeGreaterThan(150);
});

function begin(options: Partial<Parameters<typeof drain>[1]>): Promise<void> {
  return drain(server, {
    announce: () => {},
    acceptMs: 0,
    isProxied: false,
    endStreams: async () => {},
    times: TIMES,
    ...options,
  });
}

async function listen({ busyMs = 0 } = {}): Promise<number> {
  answer = undefined;
  server = createServer((asked, response) => {
    if (asked.url === "/slow") answer = () => response.end("done");
    else {
      for (const until = performance.now() + busyMs; performance.now() < until; );
      response.end("done");
    }
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Another thread of the tests that starts a program holds the port open for that moment; connections made then are reset. */
async function untilRefused(port: number): Promise<void> {
  const outcome = () => start(port, "/").catch((error: unknown) => error);
  let last = await outcome();
  while (last instanceof Error && "code" in last && last.code === "ECONNRESET") last = await outcome();
  expect(last).toMatchObject({ code: "ECONNREFUSED" });
}

function keepAlive(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return agent;
}

async function start(port: number, path: string, agent = new Agent()): Promise<IncomingMessage> {
  const asked = request({ port, host: "127.0.0.1", path, method: "POST", agent });
  asked.end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
  return response;
}
