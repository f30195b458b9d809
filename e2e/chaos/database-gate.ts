import { connect, createServer, type Socket } from "node:net";
import { listen } from "./gate";

/** The servers' way to PostgreSQL, on which notifications can be held back. */
export interface DatabaseGate {
  port: number;
  /** From now on no notification passes; everything else does. */
  setDeaf(isDeaf: boolean): void;
  /** The same for the connections that stand now; later ones hear. */
  deafenPresent(): void;
  close(): Promise<void>;
}

/** A message of PostgreSQL's protocol: a byte for its type, four for its length, which counts itself. */
const HEADER_BYTES = 5;
const NOTIFICATION = "A".charCodeAt(0);

/** `socketPath` is where PostgreSQL answers at the moment. */
export async function openDatabaseGate(socketPath: () => string): Promise<DatabaseGate> {
  const sockets = new Set<Socket>();
  const deafened = new WeakSet<Socket>();
  let isDeaf = false;
  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const listener = createServer({ noDelay: true }, (client) => {
    const database = connect(socketPath());
    keep(client, database);
    keep(database, client);
    client.pipe(database);
    const take = createFrames((type, frame) => {
      const isHeldBack = type === NOTIFICATION && (isDeaf || deafened.has(client));
      if (!isHeldBack) client.write(frame);
    });
    database.on("data", take);
  });
  return {
    port: await listen(listener),
    setDeaf(next) {
      isDeaf = next;
    },
    deafenPresent() {
      for (const socket of sockets) deafened.add(socket);
    },
    close() {
      for (const socket of [...sockets]) socket.destroy();
      return new Promise((resolve) => listener.close(() => resolve()));
    },
  };
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
