import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { ClusterConnection } from "./cluster";

/** How a connection may end on its way, with PostgreSQL itself in good health. */
export type Loss =
  /** With a FIN, as when a proxy is shut down in good order. */
  | "closed"
  /** With a RST, as when a proxy is killed. */
  | "reset"
  /** It stays open and carries nothing any more, not even its end: neither side learns of it, PostgreSQL after a minute. */
  | "silenced";

/** One connection of a client to PostgreSQL. */
interface ProxiedConnection {
  /** The process of PostgreSQL behind it. */
  pid: number;
  lose(loss: Loss): void;
}

/** A way to PostgreSQL on which single connections can be lost. */
export interface FaultProxy {
  port: number;
  /** Those that are ready for statements and not lost. */
  connections(): ProxiedConnection[];
  /** Ends everything, silenced connections included. */
  close(): Promise<void>;
}

/** A message of PostgreSQL's protocol: a byte for its type, four for its length, which counts itself. */
const HEADER_BYTES = 5;
const BACKEND_KEY = "K".charCodeAt(0);

/** After so long PostgreSQL, with its `tcp_keepalives_*` set, gives a silent connection up; its client still learns nothing. */
const KEEPALIVE_MS = 60_000;

/** Whether a message of this process of PostgreSQL may reach its client. */
export type Passes = (message: { type: number; pid: number | null }) => boolean;

/** `socketPath` is where PostgreSQL answers at the moment. */
export async function openFaultProxy(socketPath: () => string, passes: Passes = () => true): Promise<FaultProxy> {
  const ways = new Set<Way>();
  const listener = createServer({ noDelay: true }, (client) => {
    const way = new Way({ client, database: connect(socketPath()) }, { passes, onEnd: () => ways.delete(way) });
    ways.add(way);
  });
  return {
    port: await listen(listener),
    connections: () =>
      [...ways].flatMap((way) =>
        way.pid === null || way.isLost ? [] : [{ pid: way.pid, lose: (loss: Loss) => way.lose(loss) }],
      ),
    close() {
      for (const way of [...ways]) way.destroy();
      return new Promise((resolve) => listener.close(() => resolve()));
    },
  };
}

/** A client's socket and the one that stands for it at PostgreSQL. */
class Way {
  pid: number | null = null;
  isLost = false;
  #isSilent = false;
  readonly #client: Socket;
  readonly #database: Socket;

  constructor(
    { client, database }: { client: Socket; database: Socket },
    { passes, onEnd }: { passes: Passes; onEnd: () => void },
  ) {
    this.#client = client;
    this.#database = database;
    client.on("error", () => client.destroy());
    // PostgreSQL that ends with statements unread resets the connection: so must this.
    database.on("error", () => this.#end(() => client.resetAndDestroy()));
    for (const socket of [client, database]) {
      socket.on("close", () => {
        this.#end(() => this.destroy());
        if (client.destroyed && database.destroyed) onEnd();
      });
    }
    client.on("data", (bytes) => {
      if (!this.#isSilent) database.write(bytes);
    });
    const take = createFrames((type, frame) => {
      if (type === BACKEND_KEY) this.pid = frame.readInt32BE(HEADER_BYTES);
      if (!this.#isSilent && passes({ type, pid: this.pid })) client.write(frame);
    });
    database.on("data", take);
  }

  lose(loss: Loss): void {
    this.isLost = true;
    if (loss === "silenced") {
      this.#isSilent = true;
      setTimeout(() => this.#database.destroy(), KEEPALIVE_MS).unref();
    } else if (loss === "reset") this.#client.resetAndDestroy();
    else this.#client.end(() => this.destroy());
  }

  #end(end: () => void): void {
    if (!this.#isSilent) end();
  }

  destroy(): void {
    this.#client.destroy();
    this.#database.destroy();
  }
}

/** The file of the socket on which PostgreSQL answers, given the folder that holds it. */
export function socketPathOf({ host, port }: Pick<ClusterConnection, "host" | "port">): string {
  return join(host, `.s.PGSQL.${port}`);
}

/** Cuts a stream of bytes into whole messages, however they arrive. Without TLS everything a server says has a header. */
export function createFrames(onFrame: (type: number, frame: Buffer) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    while (rest.length >= HEADER_BYTES) {
      const size = 1 + rest.readInt32BE(1);
      if (rest.length < size) return;
      onFrame(rest.readUInt8(0), rest.subarray(0, size));
      rest = rest.subarray(size);
    }
  };
}

/** Listens on a port that is free, and answers it. */
export function listen(listener: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(0, "127.0.0.1", () => {
      const address = listener.address();
      if (isPort(address)) resolve(address.port);
      else reject(new Error("the listener has no port"));
    });
  });
}

function isPort(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === "object" && address !== null;
}
