import type { Db } from "../db/client";
import { readVersion } from "../db/migrate";
import { findBackupStatus } from "./backups/queries";
import type { ConnectionLimits } from "./core/connection-limits";
import type { Env } from "./core/env";
import { createMetrics, type MetricSources, type Metrics, type SharedState, type Times } from "./core/metrics";
import { createProcedureTimes } from "./core/procedure-times";
import type { JobKind } from "./jobs/runner";
import { findMailQueue } from "./mail/queries";
import type { Hub } from "./realtime/hub";

interface MetricsOptions extends Pick<MetricSources, "times" | "readPools" | "isListening"> {
  env: Pick<Env, "metrics">;
  db: Db;
  /** The checkout. */
  root: string;
  connections: ConnectionLimits;
  hub: Pick<Hub, "size">;
  kinds: readonly Pick<JobKind, "name" | "backlog">[];
}

/** What the process times, from its start: the System page reads it too. */
export function createTimes(): Times {
  const [procedures, requests] = [createProcedureTimes(), createProcedureTimes()];
  return { procedures, requests, deliveries: createProcedureTimes(), vitals: createProcedureTimes() };
}

/** The metrics of the server, where a setting asks for them; else null, and nothing is loaded. */
export async function createAppMetrics(options: MetricsOptions): Promise<Metrics | null> {
  const { env, db, root, times, readPools, isListening, connections, hub, kinds } = options;
  if (env.metrics.port === null && env.metrics.token === null) return null;
  return createMetrics({
    version: readVersion(root),
    times,
    readPools,
    isListening,
    countStreams: () => ({
      socket: connections.sockets.size(),
      event_stream: connections.eventStreams.size(),
      subscription: hub.size(),
    }),
    readShared: () => readShared(db, kinds),
  });
}

async function readShared(db: Db, kinds: MetricsOptions["kinds"]): Promise<SharedState> {
  const [mail, backups, ...jobs] = await Promise.all([
    findMailQueue(db),
    findBackupStatus(db),
    ...kinds.map(async ({ name: kind, backlog }) => ({ kind, ...(await backlog()) })),
  ]);
  return { mail, jobs, backedUpAt: backups.lastGoodNightly?.at ?? null };
}
