import type { Db } from "../db/client";
import { readVersion } from "../db/migrate";
import type { BackgroundWork } from "./background-jobs";
import type { SystemGateway } from "./core/context";
import { fullestOf } from "./core/disk";
import type { Env } from "./core/env";
import type { Logger } from "./core/logger";
import type { ProcedureTimes } from "./core/procedure-times";
import { tryMail } from "./mail/client";
import { composeTestMail } from "./system/mails";
import { startProcessReports } from "./system/processes";
import { readStatus } from "./system/status";

interface SystemOptions {
  env: Pick<Env, "publicUrl" | "smtpUrl" | "mailFrom" | "dataDir" | "backup" | "pubsubUrl">;
  db: Db;
  /** The checkout. */
  root: string;
  logger: Logger;
  background: BackgroundWork;
  procedureTimes: ProcedureTimes;
  /** Open connections of this process. */
  countStreams: () => { sockets: number; eventStreams: number };
  isListening: () => Promise<boolean>;
}

/** What the System page asks for beyond rows, and this process's reports of itself. */
export function startSystem({
  env,
  db,
  root,
  logger,
  background: { kinds, watched },
  procedureTimes,
  countStreams,
  isListening,
}: SystemOptions): SystemGateway & { close(): Promise<void> } {
  const measure = async () => ({
    ...countStreams(),
    disk: fullestOf(await watched.measureDisks().catch(() => [])),
    procedures: procedureTimes.lastHour(),
  });
  const processes = startProcessReports({ db, version: readVersion(root), measure, logger });
  return {
    readStatus: () => readStatus({ db, env, watched, kinds, processes, isListening }),
    sendTestMail: (to) => tryMail({ to, ...composeTestMail(env.publicUrl) }, { ...env, logger }),
    close: processes.close,
  };
}
