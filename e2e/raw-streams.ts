import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";

/** How a stream's connection ended, other than by the server's word that it should come again. */
type OnFailure = (what: string) => void;

/** One subscription that is begun again whenever its connection ends, without what our own clients do besides. */
export interface RawStream {
  /** How often it was begun. */
  readonly begun: number;
  close(): void;
}

interface Options {
  /** Of the server or its proxy. */
  url: string;
  cookie: string;
  path: string;
  /** Asked before each beginning. */
  input: () => Promise<object> | object;
  onEvent: (event: { id: string | undefined; data: unknown }) => void;
  onFailure: OnFailure;
}

/** Between the end of a connection and the next. */
const PAUSE_MS = 100;
/** "Service restart", and a peer that goes away. */
const COME_AGAIN = new Set([1001, 1012]);

/** Over server-sent events: a stream that the server ends as a whole answer may come again. */
export function openEventStream({ url, cookie, path, input, onEvent, onFailure }: Options): RawStream {
  const stop = new AbortController();
  const stream = {
    begun: 0,
    close: () => stop.abort(),
  };
  async function follow(): Promise<void> {
    const query = encodeURIComponent(JSON.stringify({ json: await input() }));
    const answer = await fetch(`${url}/api/trpc/${path}?input=${query}`, {
      headers: { cookie, accept: "text/event-stream" },
      signal: stop.signal,
    });
    if (!answer.ok || !answer.body) return onFailure(`${path} answered ${answer.status}`);
    let rest = "";
    for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
      const frames = (rest + text).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) {
        const { event, id, data } = fieldsOf(frame);
        if (event === "return" || event === "serialized-error") onFailure(`${path} sent ${event} ${data ?? ""}`);
        if (event === undefined && data !== undefined) onEvent({ id, data: Object(JSON.parse(data)).json });
      }
    }
  }
  void (async () => {
    while (!stop.signal.aborted) {
      stream.begun += 1;
      await follow().catch((error: unknown) => stop.signal.aborted || onFailure(`${path}: ${causeOf(error)}`));
      await sleep(PAUSE_MS);
    }
  })();
  return stream;
}

/** Over a WebSocket of its own. */
export function openSocketStream({ url, cookie, path, input, onEvent, onFailure }: Options): RawStream {
  let socket: WebSocket | null = null;
  let isClosed = false;
  const stream = {
    begun: 0,
    close() {
      isClosed = true;
      socket?.terminate();
    },
  };
  function follow(asked: object): Promise<void> {
    return new Promise((resolve) => {
      const own = new WebSocket(`${url.replace("http", "ws")}/api/trpc`, { headers: { cookie } });
      socket = own;
      own.on("error", (error) => isClosed || onFailure(`socket: ${causeOf(error)}`));
      own.on("open", () =>
        own.send(JSON.stringify({ id: 1, method: "subscription", params: { path, input: { json: asked } } })),
      );
      own.on("message", (frame) => {
        if (String(frame) === "PING") return own.send("PONG");
        const { result, error } = JSON.parse(String(frame));
        if (error || result?.type === "stopped") onFailure(`${path} sent ${frame}`);
        if (result?.type === "data") onEvent({ id: result.id, data: result.data.json });
      });
      own.on("close", (code) => {
        if (!isClosed && !COME_AGAIN.has(code)) onFailure(`socket closed with ${code}`);
        resolve();
      });
    });
  }
  void (async () => {
    while (!isClosed) {
      stream.begun += 1;
      await Promise.resolve(input())
        .then(follow)
        .catch((error: unknown) => isClosed || onFailure(causeOf(error)));
      await sleep(PAUSE_MS);
    }
  })();
  return stream;
}

/** What went wrong, in one line: of a fetch its cause says more. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function fieldsOf(frame: string): { event?: string; id?: string; data?: string } {
  return Object.fromEntries(
    frame.split("\n").flatMap((line) => {
      const at = line.indexOf(":");
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1).trim()]] : [];
    }),
  );
}
