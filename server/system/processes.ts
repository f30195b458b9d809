import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import type { Db } from "../../db/client";
import { describeError, type Logger } from "../core/logger";
import { forgetProcess, reportProcess } from "./mutations";
import { listProcesses, type ProcessActivity, type ReportedProcess } from "./queries";

/** After the start, so that people who wait for the server come first. */
const FIRST_REPORT_MS = 3_000;
const REPORT_EVERY_MS = 60_000;
const FORGET_TIMEOUT_MS = 1_000;

/** The processes that share the database, as they report themselves. */
export interface Processes {
  /** This one. */
  self: Pick<ReportedProcess, "version" | "node" | "startedAt">;
  /** Those that run, the oldest first: this one as it is now, the others as they last reported. */
  list(): Promise<ReportedProcess[]>;
  /** Ends the reports; the others do not see this process any more. */
  close(): Promise<void>;
}

/** Reports this process once a minute, for as long as it runs. */
export function startProcessReports({
  db,
  version,
  measure,
  logger,
}: {
  db: Db;
  version: string;
  measure: () => Promise<Omit<ProcessActivity, "memoryBytes">>;
  logger: Logger;
}): Processes {
  const self = {
    id: randomUUID(),
    version,
    node: process.versions.node,
    host: hostname(),
    startedAt: startOfProcess(),
  };
  const activity = async () => ({ memoryBytes: process.memoryUsage.rss(), ...(await measure()) });
  let last: Promise<void> = Promise.resolve();
  const report = () => {
    last = activity()
      .then((present) => reportProcess(db, { ...self, activity: present }))
      .catch((error: unknown) => logger.warn("process not reported", describeError(error)));
  };
  const first = setTimeout(report, FIRST_REPORT_MS).unref();
  const timer = setInterval(report, REPORT_EVERY_MS).unref();
  const own = { ...self, startedAt: self.startedAt.toISOString() };
  return {
    self: own,
    async list() {
      const others = (await listProcesses(db)).filter(({ id }) => id !== self.id);
      const present = { ...own, seenAt: new Date().toISOString(), activity: await activity() };
      return [...others, present].sort((one, other) => one.startedAt.localeCompare(other.startedAt));
    },
    async close() {
      clearTimeout(first);
      clearInterval(timer);
      const forgotten = last.then(() => forgetProcess(db, self)).catch(() => {});
      // A database that does not answer must not hold up the stop: the row is no longer seen after a while.
      await Promise.race([forgotten, wait(FORGET_TIMEOUT_MS, null, { ref: false })]);
    },
  };
}

function startOfProcess(): Date {
  return new Date(Date.now() - Math.round(process.uptime() * 1_000));
}
