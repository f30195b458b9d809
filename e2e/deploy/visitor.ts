import { type IncomingMessage, request as requestPlain } from "node:http";
import { type RequestOptions, request } from "node:https";
import { expect } from "vitest";
import { WebSocket } from "ws";
import { CERTIFICATE } from "../../server/test/certificate";

/** Another address than the proxy's own, which the servers trust. Other systems have only the one. */
export const ADDRESS = process.platform === "linux" ? "127.0.0.2" : "127.0.0.1";

interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
}

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Somebody at a browser, who reaches a proxy by this port and trusts the tests' certificate. */
export function createVisitor({ port, origin }: { port: number; origin: string }) {
  let cookie = "";

  const open = ({ path, method = "GET", headers = {}, body }: Asked & { path: string }): Promise<IncomingMessage> => {
    const options: RequestOptions = {
      ...TLS,
      port,
      path,
      method,
      headers: { host: `localhost:${port}`, ...headers, ...(cookie && { cookie }) },
    };
    return new Promise((resolve, reject) => {
      request(options, resolve).once("error", reject).end(body);
    });
  };
  const visit = async (path: string, asked: Asked = {}): Promise<Answer> => read(await open({ ...asked, path }));
  const json = { "content-type": "application/json", origin };

  return {
    visit,
    /** Calls a query; rejects when it is refused. */
    async ask(path: string, input?: unknown) {
      const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify({ json: input }))}`;
      return resultOf(await visit(`/api/trpc/${path}${query}`));
    },
    /** Calls a mutation and keeps the cookie that it may set; rejects when it is refused. */
    async change(path: string, input: unknown, headers: Record<string, string> = {}) {
      const body = JSON.stringify({ json: input });
      const answer = await visit(`/api/trpc/${path}`, { method: "POST", headers: { ...json, ...headers }, body });
      cookie = answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? cookie;
      return resultOf(answer);
    },
    /** A subscription as server-sent events. */
    async follow(path: string) {
      const answer = await open({ path: `/api/trpc/${path}?input=${encodeURIComponent('{"json":{}}')}` });
      expect(answer.statusCode).toBe(200);
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      answer.once("error", () => {});
      return { received: () => text, close: () => answer.destroy() };
    },
    /** A subscription over a WebSocket. */
    async watch(path: string) {
      const socket = new WebSocket(`wss://localhost:${port}/api/trpc`, { ...TLS, headers: { cookie, origin } });
      const ended = new Promise<number>((resolve) => socket.once("close", resolve));
      let text = "";
      socket.on("message", (message) => {
        text += String(message);
      });
      await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
      const params = { path, input: { json: {} } };
      socket.send(JSON.stringify({ id: 1, jsonrpc: "2.0", method: "subscription", params }));
      await expect.poll(() => text).toContain('"started"');
      return { received: () => text, ended, close: () => socket.terminate() };
    },
  };
}

/** An answer of the port without TLS. */
export function visitPlain(port: number, path: string): Promise<Answer> {
  const options = { port, path, host: "127.0.0.1", headers: { host: "localhost" } };
  return new Promise<IncomingMessage>((resolve, reject) => {
    requestPlain(options, resolve).once("error", reject).end();
  }).then(read);
}

const TLS = { host: "127.0.0.1", servername: "localhost", ca: CERTIFICATE.cert, localAddress: ADDRESS };

async function read(answer: IncomingMessage): Promise<Answer> {
  let text = "";
  for await (const part of answer.setEncoding("utf8")) text += part;
  return { status: answer.statusCode ?? 0, headers: answer.headers, text };
}

function resultOf({ status, text }: Answer) {
  if (status !== 200) throw new Error(`${status}: ${text.slice(0, 300)}`);
  return JSON.parse(text).result.data.json;
}
