import { randomUUID } from "node:crypto";
import type { Connection, Db } from "../../db/client";
import type { Logger } from "../core/logger";
import { createBus } from "./bus";
import { createHub, type Hub } from "./hub";
import { createPostgresTransport } from "./listener";
import { createPresence, type Presence } from "./presence";

interface RealtimeOptions {
  db: Db;
  connection: Connection;
  logger: Logger;
  /** Where notifications travel by a bus; null for PostgreSQL's own. */
  pubsubUrl: string | null;
}

/** What this process receives of all changes, and who is online. */
export interface Realtime {
  hub: Hub;
  presence: Presence;
  /** Whether what this process sends arrives here. */
  isListening(): Promise<boolean>;
  close(): Promise<void>;
}

/** Connects this process to all others of the database. Rejects when it cannot listen. */
export async function startRealtime({ db, connection, logger, pubsubUrl }: RealtimeOptions): Promise<Realtime> {
  const hub = createHub();
  const transport = pubsubUrl
    ? createBus({ db, url: pubsubUrl, logger })
    : createPostgresTransport({ db, connection, logger });
  const announce = (payloads: string[]) => transport.announce(payloads);
  const presence = createPresence({ processId: randomUUID(), hub, announce, logger });
  const listener = await transport.listen({ hub, presence });
  return {
    hub,
    presence,
    isListening: listener.isWell,
    async close() {
      await presence.close();
      await listener.close();
    },
  };
}
