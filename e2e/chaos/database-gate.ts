import { type DatabaseProxy, openDatabaseProxy } from "../../server/test/database-proxy";

/** The servers' way to PostgreSQL, on which connections can be lost and notifications held back. */
export interface DatabaseGate extends DatabaseProxy {
  /** From now on no notification passes; everything else does. */
  setDeaf(isDeaf: boolean): void;
  /** The same for the connections that stand now; later ones hear. */
  deafenPresent(): void;
}

const NOTIFICATION = "A".charCodeAt(0);

/** `socketPath` is where PostgreSQL answers at the moment. */
export async function openDatabaseGate(socketPath: () => string): Promise<DatabaseGate> {
  const deafened = new Set<number | null>();
  let isDeaf = false;
  const gate = await openDatabaseProxy(
    socketPath,
    ({ type, pid }) => type !== NOTIFICATION || !(isDeaf || deafened.has(pid)),
  );
  return {
    ...gate,
    setDeaf(next) {
      isDeaf = next;
    },
    deafenPresent() {
      for (const { pid } of gate.connections()) deafened.add(pid);
    },
  };
}
