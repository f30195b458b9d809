import type { Connection, Db, PoolState, Sql } from "../db/client";
import type { StreamTimes } from "./core/context";
import type { Env } from "./core/env";
import type { Logger } from "./core/logger";
import type { Secrets } from "./core/secrets";
import type { Tracing } from "./core/tracing";

/** What the server is made of and by: settings, secrets, the database, and where it logs. */
export interface AppOptions {
  env: Pick<
    Env,
    | "port"
    | "publicUrl"
    | "google"
    | "trustedProxies"
    | "rateLimitMultiplier"
    | "smtpUrl"
    | "mailFrom"
    | "contactEmail"
    | "timeZone"
    | "dataDir"
    | "databaseUrl"
    | "pubsubUrl"
    | "github"
    | "backup"
    | "metrics"
    | "liveLinkCheckSeconds"
    | "outgoing"
    | "filesQuotaBytes"
    | "s3Url"
  >;
  secrets: Secrets;
  db: Db;
  /**
   * For the read of a session that every call begins with; `db` when left out. Over one connection those of calls that come
   * together are one write, which wakes PostgreSQL up once: that costs Node.js more than anything else of a small call.
   */
  sessionDb?: Db;
  /** The plain client of the same pool. */
  sql: Sql;
  /** Of the same pool: how long a call has been pending past its deadline. */
  overdueMs?: () => number;
  /** The pools of this process. */
  readPools?: () => PoolState[];
  tracing?: Tracing | null;
  connection: Connection;
  logger: Logger;
  /** E-mails that may not sign in, and answer like a wrong password: the demo's, outside the demo. */
  closedTo: readonly string[];
  /** The checkout, with `dist/` below it; and which build it runs, without which no two processes agree on a tag. */
  root: string;
  build?: string | undefined;
  /** For tests: other times for connections than the product's. */
  connectionTimes?: { sessionlessMs?: number; eventStreamMs?: number };
  /** Other than the product's: for tests. */
  streamTimes?: StreamTimes;
}
