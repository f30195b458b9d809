import type { Db } from "../../db/client";
import { findAddressee } from "../auth/queries";
import type { MailComposer } from "../mail/jobs";
import { composeMail, conditionOf, type MailContent, type MailText } from "../mail/templates";
import { MAIL_JOBS } from "./conditions";
import { type ConditionRow, findCondition } from "./queries";

/** The mail that shows whether mail arrives. */
export function composeTestMail(publicUrl: string): MailContent {
  return composeMail({
    subject: "Sangam: a test email",
    greeting: "Hello,",
    paragraphs: ["This email was asked for to see whether email from Sangam arrives. It does."],
    action: { label: "Open Sangam", url: publicUrl },
  });
}

type ConditionText = Omit<MailText, "greeting">;

/**
 * Composes the mail to an admin about a condition: what is wrong and what to do, or that it is well again, as it stands when the
 * mail is sent. `recipient` is the admin's id.
 */
export function createConditionMails({ db, publicUrl }: { db: Db; publicUrl: string }): MailComposer {
  return async ({ template, recipient }) => {
    const id = conditionOf(template);
    const row = id === null ? null : await findCondition(db, { id });
    const admin = await findAddressee(db, { id: recipient });
    if (!row || !admin) return null;
    const text = row.announcedAt ? troubleText(row, publicUrl) : wellText(row);
    return { to: admin.email, ...composeMail({ greeting: `Hello ${admin.name},`, ...text }) };
  };
}

const AFTERWARDS = "You get one more email when it is well again.";
const LOOK = "On the server `npm run doctor` checks everything else, too.";

function troubleText({ id, details, troubleSince }: ConditionRow, publicUrl: string): ConditionText {
  const since = `since ${timeOf(troubleSince)}`;
  switch (id) {
    case "disk":
      return {
        subject: "Sangam: the disk is almost full",
        paragraphs: [
          `Only ${details.freePercent} % of the disk of ${details.path} is free (${gigabytes(details.freeBytes)} GB), ${since}. When it is full, nothing can be saved any more.`,
          "Delete what is not needed on that disk, such as old backups, or make it larger.",
          LOOK,
        ],
        footnote: AFTERWARDS,
      };
    case "repository-token":
      return {
        subject: "Sangam: the repository token no longer works",
        paragraphs: [
          details.result === "unreadable"
            ? `The server cannot decrypt the repository token, ${since}: TOKEN_ENCRYPTION_KEY has changed. Give its former value in TOKEN_ENCRYPTION_KEY_OLD, or enter the token again.`
            : `GitHub has refused the repository token ${since}: it has expired or was revoked. Make a new one on GitHub and enter it in Settings.`,
          "Until then new commits of private repositories are not shown.",
        ],
        action: { label: "Open Settings", url: `${publicUrl}/admin/settings` },
        footnote: AFTERWARDS,
      };
    case "backup":
      return {
        subject: details.error ? "Sangam: the nightly backup failed" : "Sangam: the nightly backup is overdue",
        paragraphs: [
          details.error
            ? `The nightly backup failed: ${details.error}`
            : "No server has made the nightly backup, although it has been due for hours.",
          "Make one by hand with `npm run backup -- FILE`: it says what is wrong. Check that the folder BACKUP_DIR can be written and has room.",
          LOOK,
        ],
        footnote: AFTERWARDS,
      };
    default:
      return {
        subject: `Sangam: background work stands still (${kindOf(id)})`,
        paragraphs: [
          `“${kindOf(id)}” has not been done ${since}.${details.error ? ` The last error: ${details.error}.` : ""}`,
          "Look for “job failed” in the server's log, and restart the server if nothing else helps.",
          LOOK,
        ],
        footnote: AFTERWARDS,
      };
  }
}

function wellText({ id, troubleSince, wellSince }: ConditionRow): ConditionText {
  const span = `from ${timeOf(troubleSince)} to ${timeOf(wellSince)}`;
  switch (id) {
    case "disk":
      return { subject: "Sangam: the disk has room again", paragraphs: [`It was almost full ${span}.`] };
    case "repository-token":
      return { subject: "Sangam: the repository token works again", paragraphs: [`It did not ${span}.`] };
    case "backup":
      return { subject: "Sangam: nightly backups work again", paragraphs: [`They did not ${span}.`] };
    case MAIL_JOBS:
      return {
        subject: "Sangam: email is sent again",
        paragraphs: [
          `No email could be sent ${span}. What waited has been sent since, or is on its way.`,
          "The server's log says under “job failed” what was wrong.",
        ],
      };
    default:
      return {
        subject: `Sangam: background work goes on (${kindOf(id)})`,
        paragraphs: [`“${kindOf(id)}” stood still ${span}.`],
      };
  }
}

function kindOf(id: string): string {
  return id.replace(/^job:/, "");
}

function gigabytes(bytes: string | number | undefined): string {
  return (Number(bytes) / 1e9).toFixed(1);
}

/** In UTC: whoever reads it may be anywhere. */
function timeOf(instant: Date | null): string {
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return instant ? `${format.format(instant)} UTC` : "some time";
}
