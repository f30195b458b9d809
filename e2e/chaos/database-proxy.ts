import { type FaultProxy, openFaultProxy } from "../../server/test/fault-proxy";

/** The servers' way to PostgreSQL, on which connections can be lost and notifications held back. */
export interface DatabaseProxy extends FaultProxy {
  /** From now on no notification passes; everything else does. */
  blockNotifications(isBlocking: boolean): void;
  /** The same for the connections that stand now; later ones hear. */
  blockPresentConnections(): void;
}

const NOTIFICATION = "A".charCodeAt(0);

/** `socketPath` is where PostgreSQL answers at the moment. */
export async function openDatabaseProxy(socketPath: () => string): Promise<DatabaseProxy> {
  const blocked = new Set<number | null>();
  let isBlocking = false;
  const proxy = await openFaultProxy(
    socketPath,
    ({ type, pid }) => type !== NOTIFICATION || !(isBlocking || blocked.has(pid)),
  );
  return {
    ...proxy,
    blockNotifications(next) {
      isBlocking = next;
    },
    blockPresentConnections() {
      for (const { pid } of proxy.connections()) blocked.add(pid);
    },
  };
}
