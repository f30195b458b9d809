import type { Connection, Db } from "../db/client";
import { createAccountMails } from "./auth/mails";
import { createUnreadMails, unreadMailKind } from "./chat/unread-mail";
import type { Context } from "./core/context";
import { measureDisks } from "./core/disk";
import type { Env } from "./core/env";
import type { Logger } from "./core/logger";
import type { Secrets } from "./core/secrets";
import type { createGitHubClient } from "./github/client";
import { repositoryKinds } from "./github/jobs";
import { createInquiryMails } from "./inquiries/mails";
import { createInvitationMails } from "./invitations/mails";
import { recurringJob } from "./jobs/recurring";
import { deleteExpired, OUTBOX_DAYS } from "./jobs/retention";
import type { JobKind } from "./jobs/runner";
import { createMailTransport, sweepOutbox } from "./mail/client";
import { type MailComposer, mailKind } from "./mail/jobs";
import { conditionOf, INQUIRY_TEMPLATE, INVITATION_TEMPLATE, UNREAD_TEMPLATE } from "./mail/templates";
import { nightlyBackup } from "./operations/backup/nightly";
import { backupSource } from "./operations/commands";
import { conditionKind } from "./system/conditions";
import { createConditionMails } from "./system/mails";
import { repairTaskTotals } from "./tasks/totals";

interface BackgroundOptions extends Pick<Context, "limits" | "presence" | "vault"> {
  env: Pick<Env, "publicUrl" | "dataDir" | "timeZone" | "smtpUrl" | "mailFrom" | "backup">;
  secrets: Secrets;
  db: Db;
  connection: Connection;
  root: string;
  logger: Logger;
  /** E-mails of admins who are not written to. */
  closedTo: readonly string[];
  github: ReturnType<typeof createGitHubClient>;
}

/** All kinds of background work of the server. */
export function backgroundJobs({
  env,
  secrets,
  db,
  connection,
  root,
  logger,
  closedTo,
  limits,
  presence,
  vault,
  github,
}: BackgroundOptions): JobKind[] {
  const compose = createComposer({ db, publicUrl: env.publicUrl });
  const housekeeping = () =>
    Promise.all([
      deleteExpired(db),
      sweepOutbox(env.dataDir, { days: OUTBOX_DAYS }),
      limits.sweep(),
      repairTaskTotals(db),
    ]);
  const kinds = [
    mailKind(db, { compose, transport: createMailTransport({ ...env, logger }) }),
    unreadMailKind(db, { presence }),
    ...repositoryKinds({ db, logger, vault, github }),
    recurringJob(db, { name: "housekeeping", everySeconds: 3_600, work: housekeeping }),
  ];
  const watched = {
    db,
    logger,
    closedTo,
    kinds,
    measureDisks: () => measureDisks([env.dataDir, ...(env.backup.dir === null ? [] : [env.backup.dir])]),
    hasNightlyBackups: env.backup.dir !== null,
  };
  // Nightly backups are watched by what is recorded of them.
  const unwatched = [...nightlyBackups({ env, secrets, db, connection, root }), conditionKind(watched)];
  return [...kinds, ...unwatched];
}

/** Where BACKUP_DIR says to. */
function nightlyBackups({
  db,
  env,
  ...rest
}: Pick<BackgroundOptions, "db" | "env" | "secrets" | "connection" | "root">) {
  const { dir, keep } = env.backup;
  if (dir === null) return [];
  return [nightlyBackup(db, { dir, keep, timeZone: env.timeZone, source: backupSource({ env, ...rest }) })];
}

/** Each mail is written by the module that it is about. */
function createComposer(options: { db: Db; publicUrl: string }): MailComposer {
  const composeUnread = createUnreadMails(options);
  const composeInquiry = createInquiryMails(options);
  const composeCondition = createConditionMails(options);
  const composeInvitation = createInvitationMails(options);
  const composeAccount = createAccountMails(options);
  return (job) => {
    if (conditionOf(job.template) !== null) return composeCondition(job);
    if (job.template === UNREAD_TEMPLATE) return composeUnread(job);
    if (job.template === INVITATION_TEMPLATE) return composeInvitation(job);
    return job.template === INQUIRY_TEMPLATE ? composeInquiry(job) : composeAccount(job);
  };
}
