import { createHash, timingSafeEqual } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Hono, type MiddlewareHandler } from "hono";
import type * as client from "prom-client";
import type { PoolState } from "../../db/client";
import { DomainError, errorResponse } from "./errors";
import { BOUNDS_SECONDS, type ProcedureTimes, sum } from "./procedure-times";
import { withReadTimeout } from "./read-timeout";

/** Where they are, on either port. */
export const METRICS_PATH = "/metrics";

/** What is read of the database is left out of an answer that would wait longer for it. */
const DATABASE_TIMEOUT_MS = 2_000;
/** For programs. */
const WANTS_TOKEN = "Send the header Authorization: Bearer, with the value of METRICS_TOKEN.";
const LOOP_RESOLUTION_MS = 10;
const LOOP_QUANTILES = [0.5, 0.9, 0.99, 1];

/** What all processes have in common, as the database has it. */
export interface SharedState {
  mail: { queued: number; oldestAt: string | null };
  jobs: { kind: string; waiting: number; lagSeconds: number }[];
  /** When the newest whole backup ended; null without one. */
  backedUpAt: string | null;
}

/** Where the numbers are. Times are counted by our own buckets, which cost a tenth of the library's, and read by each scrape. */
export interface MetricSources {
  version: string;
  times: Times;
  readPools: () => PoolState[];
  /** Open ones by kind. */
  countStreams: () => Record<string, number>;
  /** Whether what is notified arrives in this process, by PostgreSQL or the bus. */
  isListening: () => Promise<boolean>;
  readShared: () => Promise<SharedState>;
}

/** What a process times, each by two labels. */
export interface Times {
  /** By procedure and code. */
  procedures: ProcedureTimes;
  /** By kind of address and class of status. */
  requests: ProcedureTimes;
  /** From a notification's arrival to the event that a stream emits. */
  deliveries: ProcedureTimes;
  /** By measurement and page; a layout shift in thousandths. */
  vitals: ProcedureTimes;
}

export interface Metrics {
  /** `/metrics` for whoever reaches the port that serves nothing else. */
  open: Hono;
  /** `/metrics` for whoever brings the token. */
  guarded: (token: string) => MiddlewareHandler;
}

/** The metrics of this process in the text format of Prometheus. The library is loaded here, and nowhere else. */
export async function createMetrics(sources: MetricSources): Promise<Metrics> {
  const library = await import("prom-client");
  const registry = new library.Registry();
  library.collectDefaultMetrics({ register: registry });
  const make = { library, registry };
  addTimes(make, sources.times);
  addProcess(make, sources);
  const readShared = addShared(make, sources.readShared);
  const readListening = addListening(make, sources.isListening);
  let scrape: Promise<string> | null = null;
  const read = () => {
    // However many ask at once, it is read once.
    scrape ??= Promise.all([readShared(), readListening()])
      .then(() => registry.metrics())
      .finally(() => {
        scrape = null;
      });
    return scrape;
  };
  const answer: MiddlewareHandler = async (c) =>
    c.body(await read(), 200, { "content-type": registry.contentType, "cache-control": "no-store" });
  return {
    open: new Hono().get(METRICS_PATH, answer),
    guarded: (token) => (c, next) => {
      if (!isToken(c.req.header("authorization"), token)) {
        const headers = { "www-authenticate": "Bearer", "cache-control": "no-store" };
        return Promise.resolve(errorResponse(new DomainError("UNAUTHORIZED", WANTS_TOKEN), { headers }));
      }
      return answer(c, next);
    },
  };
}

/** Takes as long for a token that is nearly right as for any other. */
function isToken(given: string | undefined, token: string): boolean {
  const [scheme, value = ""] = given?.split(" ") ?? [];
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(value), digest(token)) && scheme?.toLowerCase() === "bearer";
}

interface Make {
  library: typeof client;
  registry: client.Registry;
}

function addTimes(make: Make, { procedures, requests, deliveries, vitals }: Times): void {
  addHistogram(make, procedures, {
    name: "sangam_procedure_duration_seconds",
    help: "Calls of procedures by outcome, from their start to their result; of a subscription, until it is open",
    labelNames: ["procedure", "code"],
  });
  addHistogram(make, requests, {
    name: "sangam_http_request_duration_seconds",
    help: "HTTP requests until their answer begins, by kind of address and class of status",
    labelNames: ["kind", "status"],
  });
  addHistogram(make, deliveries, {
    name: "sangam_delivery_seconds",
    help: "From the arrival of a notification in this process until the event is given to each connection that follows it",
    labelNames: [],
  });
  addHistogram(make, vitals, {
    name: "sangam_web_vital",
    help: "Page speed as visitors' browsers measured it: seconds, and for CLS the layout shift score",
    labelNames: ["vital", "page"],
  });
}

/** Shows what was counted elsewhere as a histogram of the library's. */
function addHistogram(
  { library, registry }: Make,
  times: ProcedureTimes,
  { labelNames, ...about }: { name: string; help: string; labelNames: [string, string] | [] },
): void {
  const { name } = about;
  const [first, second] = labelNames;
  const empty = new library.Histogram<string>({ ...about, labelNames, registers: [] });
  // Not the histogram itself, which prints its own buckets whatever its `get` returns.
  const metric = new library.Gauge<string>({ ...about, labelNames, registers: [registry] });
  metric.get = async () => ({
    ...(await empty.get()),
    values: times.totals().flatMap(({ procedure, code, count, sumSeconds, cumulative }) => {
      const labels: Record<string, string> =
        first === undefined || second === undefined ? {} : { [first]: procedure, [second]: code };
      return [
        ...cumulative.map((value, at) => ({
          metricName: `${name}_bucket`,
          labels: { ...labels, le: BOUNDS_SECONDS[at] ?? "+Inf" },
          value,
        })),
        { metricName: `${name}_bucket`, labels: { ...labels, le: "+Inf" }, value: count },
        { metricName: `${name}_sum`, labels, value: sumSeconds },
        { metricName: `${name}_count`, labels, value: count },
      ];
    }),
  });
}

function addProcess(make: Make, { version, readPools, countStreams }: MetricSources): void {
  addGauge(make, "sangam_build_info", "1, with the version of Sangam and of Node.js", ["version", "node"]).set(
    { version, node: process.version },
    1,
  );
  const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  delay.enable();
  addGauge(
    make,
    "sangam_event_loop_delay_seconds",
    "How late timers ran since the last scrape",
    ["quantile"],
    (gauge) => {
      for (const quantile of LOOP_QUANTILES) {
        const lateMs = delay.percentile(quantile * 100) / 1e6 - LOOP_RESOLUTION_MS;
        gauge.set({ quantile: String(quantile) }, Math.max(0, lateMs) / 1_000);
      }
      delay.reset();
    },
  );
  const help = "Connections to PostgreSQL: idle, busy, connecting; and calls that are waiting for one";
  addGauge(make, "sangam_db_pool", help, ["state"], (gauge) => {
    const pools = readPools();
    for (const state of ["idle", "busy", "connecting", "waiting"] as const)
      gauge.set({ state }, sum(pools.map((pool) => pool[state])));
  });
  addGauge(make, "sangam_db_oldest_pending_seconds", "Age of the oldest database call without an answer", [], (gauge) =>
    gauge.set(Math.max(0, ...readPools().map(({ oldestPendingMs }) => oldestPendingMs)) / 1_000),
  );
  addGauge(
    make,
    "sangam_streams",
    "Open WebSockets, event streams, and subscriptions over either",
    ["kind"],
    (gauge) => {
      for (const [kind, count] of Object.entries(countStreams())) gauge.set({ kind }, count);
    },
  );
}

function addListening(make: Make, isListening: MetricSources["isListening"]): () => Promise<void> {
  const isUp = addGauge(
    make,
    "sangam_notifications_up",
    "Whether a notification arrived in this process at this scrape; with 0 changes reach people up to 15 s late",
  );
  return async () => {
    const isWell = await withReadTimeout(isListening(), DATABASE_TIMEOUT_MS).catch(() => false);
    isUp.set(isWell ? 1 : 0);
  };
}

/** What is read of the database, before each answer: null as a whole where it does not come in time. */
function addShared(make: Make, readShared: MetricSources["readShared"]): () => Promise<void> {
  const mail = addGauge(make, "sangam_mail_queue", "Mails that are not sent yet, those for another try included");
  const oldest = addGauge(make, "sangam_mail_queue_oldest_seconds", "Age of the oldest of them; 0 without any");
  const waiting = addGauge(make, "sangam_jobs_waiting", "Background jobs that are due and not begun", ["kind"]);
  const lag = addGauge(make, "sangam_job_lag_seconds", "How long the oldest of them has been due", ["kind"]);
  const backup = addGauge(make, "sangam_backup_last_success_timestamp_seconds", "When the newest whole backup ended");
  const isUp = addGauge(
    make,
    "sangam_database_up",
    "Whether the database answered this scrape; with 0 what all servers share is left out: mails, jobs, backups",
  );
  /** One at a time: a database that hangs is not asked by each scrape anew. */
  let reading: Promise<SharedState | null> | null = null;
  return async () => {
    reading ??= readShared()
      .catch(() => null)
      .finally(() => {
        reading = null;
      });
    const state = await withReadTimeout(reading, DATABASE_TIMEOUT_MS).catch(() => null);
    for (const gauge of [mail, oldest, waiting, lag, backup]) gauge.reset();
    isUp.set(state === null ? 0 : 1);
    if (state === null) {
      for (const gauge of [mail, oldest, backup]) gauge.remove();
      return;
    }
    const { queued, oldestAt } = state.mail;
    mail.set(queued);
    oldest.set(oldestAt === null ? 0 : Math.max(0, Date.now() - Date.parse(oldestAt)) / 1_000);
    for (const job of state.jobs) {
      waiting.set({ kind: job.kind }, job.waiting);
      lag.set({ kind: job.kind }, job.lagSeconds);
    }
    if (state.backedUpAt === null) backup.remove();
    else backup.set(Date.parse(state.backedUpAt) / 1_000);
  };
}

function addGauge(
  { library, registry }: Make,
  name: string,
  help: string,
  labelNames: string[] = [],
  collect: (gauge: client.Gauge) => void = () => {},
): client.Gauge {
  const gauge: client.Gauge = new library.Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    collect: () => collect(gauge),
  });
  return gauge;
}
