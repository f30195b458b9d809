import { and, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { fieldName } from "../../db/expressions";
import { mailJobs } from "../../db/schema";
import { columnsOf, rowsOf } from "../../db/writes";
import { notifyMail } from "../realtime/notify";
import {
  type ConditionTemplate,
  type DIGEST_TEMPLATE,
  type INQUIRY_TEMPLATE,
  type INVITATION_TEMPLATE,
  type MailTemplate,
  type NOTIFICATION_TEMPLATE,
  UNREAD_TEMPLATE,
} from "./templates";

type QueuedMail =
  | { template: MailTemplate | typeof INVITATION_TEMPLATE; recipient: string }
  | { template: typeof INQUIRY_TEMPLATE; recipient: string; inquiryId: string };

/** Queues a mail in the caller's transaction; it is sent after the commit, by one of the processes. */
export async function queueMail(tx: Db | Tx, mail: QueuedMail): Promise<void> {
  await tx.insert(mailJobs).values(columnsOf(mailJobs, mail));
  await notifyMail(tx);
}

/** Queues mails about notifications: of one person each. */
export async function queueNotificationMails(
  tx: Db | Tx,
  mails: { template: NotificationTemplate; recipient: string; notificationIds: string[] }[],
): Promise<void> {
  if (mails.length === 0) return;
  await tx.insert(mailJobs).values(rowsOf(mailJobs, mails));
  await notifyMail(tx);
}

type NotificationTemplate = typeof NOTIFICATION_TEMPLATE | typeof DIGEST_TEMPLATE;

interface UnreadMail {
  recipient: string;
  conversationId: string;
}

/** Queues mails about unread messages in conversations, replacing those that are still queued for the same person there. */
export async function queueUnreadMails(tx: Db | Tx, mails: UnreadMail[]): Promise<void> {
  if (mails.length === 0) return;
  const field = fieldName<UnreadMail>;
  const [pair, asked] = [sql`(${mailJobs.conversationId}, ${mailJobs.recipient})`, sql`${JSON.stringify(mails)}::json`];
  const same = sql`select (mail ->> ${field("conversationId")})::uuid, mail ->> ${field("recipient")} from json_array_elements(${asked}) as mail`;
  await tx.delete(mailJobs).where(and(eq(mailJobs.template, UNREAD_TEMPLATE), sql`${pair} in (${same})`));
  await tx.insert(mailJobs).values(
    rowsOf(
      mailJobs,
      mails.map((mail) => ({ template: UNREAD_TEMPLATE, ...mail })),
    ),
  );
  await notifyMail(tx);
}

/** Queues mails about a condition of the server; those about the same one that have not been sent are dropped. */
export async function queueConditionMails(
  tx: Db | Tx,
  { conditionId, recipients }: { conditionId: string; recipients: readonly string[] },
): Promise<void> {
  const template: ConditionTemplate = `condition:${conditionId}`;
  await tx.delete(mailJobs).where(eq(mailJobs.template, template));
  if (recipients.length === 0) return;
  const rows = recipients.map((recipient) => ({ template, recipient }));
  await tx.insert(mailJobs).values(rowsOf(mailJobs, rows));
  await notifyMail(tx);
}
