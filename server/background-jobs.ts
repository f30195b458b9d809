import type { Db } from "../db/client";
import type { AppOptions } from "./app-options";
import { createAccountMails } from "./auth/mails";
import { coverEnd } from "./chat/covers";
import { createUnreadMails, unreadMailKind } from "./chat/unread-mail";
import type { Context } from "./core/context";
import { measureDisks, watchedFolders } from "./core/disk";
import { fileSweep, unfinishedUploadSweep } from "./files/jobs";
import { createFileStore, uploadFolderOf } from "./files/stores";
import type { createGitHubClient } from "./github/client";
import { repositoryKinds } from "./github/jobs";
import { createInquiryMails } from "./inquiries/mails";
import { createInvitationMails } from "./invitations/mails";
import { recurringJob } from "./jobs/recurring";
import { deleteExpired, OUTBOX_DAYS } from "./jobs/retention";
import type { JobKind } from "./jobs/runner";
import { liveLinkKinds } from "./live-links/jobs";
import { createMailTransport, sweepOutbox } from "./mail/client";
import { type MailComposer, mailKind } from "./mail/jobs";
import {
  conditionOf,
  DIGEST_TEMPLATE,
  INQUIRY_TEMPLATE,
  INVITATION_TEMPLATE,
  NOTIFICATION_TEMPLATE,
  UNREAD_TEMPLATE,
} from "./mail/templates";
import { notificationKinds } from "./notifications/jobs";
import { createNotificationMails } from "./notifications/mails";
import { createPushSender } from "./notifications/push";
import { askedBackup } from "./operations/backup/asked";
import { nightlyBackup } from "./operations/backup/nightly";
import { backupSource } from "./operations/commands";
import { statusReminderKind } from "./status-updates/jobs";
import { conditionKind, type Watched } from "./system/conditions";
import { createConditionMails } from "./system/mails";
import { repairTaskTotals } from "./tasks/totals";
import { webhookKind } from "./webhooks/jobs";

interface BackgroundOptions
  extends Pick<AppOptions, "env" | "secrets" | "db" | "connection" | "root" | "logger" | "closedTo">,
    Pick<Context, "limits" | "presence" | "vault" | "outgoing"> {
  github: ReturnType<typeof createGitHubClient>;
}

export interface BackgroundWork {
  kinds: JobKind[];
  /** What is checked of it, and of the machine, once a minute. */
  watched: Watched;
}

/** All kinds of background work of the server. */
export function backgroundJobs(options: BackgroundOptions): BackgroundWork {
  const { env, db, logger, closedTo, limits, presence, vault, github, outgoing } = options;
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
    coverEnd(db),
    ...notificationKinds(db, {
      timeZone: env.timeZone,
      vault,
      logger,
      send: createPushSender({
        contact: env.publicUrl.startsWith("https:") ? env.publicUrl : "mailto:admin@localhost",
      }),
    }),
    statusReminderKind(db, { timeZone: env.timeZone }),
    webhookKind(db, { vault, outgoing }),
    ...liveLinkKinds(db, { outgoing, everySeconds: env.liveLinkCheckSeconds }),
    ...repositoryKinds({ db, logger, vault, github }),
    fileSweep(db, { store: createFileStore(env) }),
    unfinishedUploadSweep(db, { folder: uploadFolderOf(env) }),
    recurringJob(db, { name: "housekeeping", everySeconds: 3_600, work: housekeeping }),
  ];
  const watched = {
    db,
    logger,
    closedTo,
    kinds,
    measureDisks: () => measureDisks(watchedFolders(env)),
    hasNightlyBackups: env.backup.dir !== null,
  };
  // Backups are watched by what is recorded of them.
  const unwatched = [...backupKinds(options), conditionKind(watched)];
  return { kinds: [...kinds, ...unwatched], watched };
}

/** At night where BACKUP_DIR says to, and whenever an admin asks. */
function backupKinds({ db, env, secrets, connection, root }: BackgroundOptions) {
  const { dir, keep } = env.backup;
  const source = backupSource({ env, secrets, connection, root });
  const asked = askedBackup(db, { dir, keep, source });
  return dir === null ? [asked] : [nightlyBackup(db, { dir, keep, timeZone: env.timeZone, source }), asked];
}

/** Each mail is written by the module that it is about. */
function createComposer(options: { db: Db; publicUrl: string }): MailComposer {
  const composeUnread = createUnreadMails(options);
  const composeInquiry = createInquiryMails(options);
  const composeCondition = createConditionMails(options);
  const composeInvitation = createInvitationMails(options);
  const composeNotifications = createNotificationMails(options);
  const composeAccount = createAccountMails(options);
  return (job) => {
    if (conditionOf(job.template) !== null) return composeCondition(job);
    if (job.template === NOTIFICATION_TEMPLATE || job.template === DIGEST_TEMPLATE) return composeNotifications(job);
    if (job.template === UNREAD_TEMPLATE) return composeUnread(job);
    if (job.template === INVITATION_TEMPLATE) return composeInvitation(job);
    return job.template === INQUIRY_TEMPLATE ? composeInquiry(job) : composeAccount(job);
  };
}
