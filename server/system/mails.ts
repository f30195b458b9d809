import type { Db } from "../../db/client";
import { commandLine } from "../core/command-line";
import type { MailComposer } from "../mail/jobs";
import { composeMail, conditionOf, type MailContent, type MailText } from "../mail/templates";
import { MAIL_JOBS } from "./conditions";
import { type ConditionRow, findActiveAdmin, findCondition } from "./queries";
import { describeTrouble, kindOf, since, timeOf } from "./warnings";

/** The mail that shows whether mail arrives. */
export function composeTestMail(publicUrl: string): MailContent {
  return composeMail({
    subject: "Sangam: a test email",
    greeting: "Hello,",
    paragraphs: ["Someone sent this email to check whether email from Sangam arrives. It does."],
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
    const admin = await findActiveAdmin(db, { id: recipient });
    if (!row || !admin) return null;
    const text = row.announcedAt ? troubleText(row, publicUrl) : wellText(row);
    return { to: admin.email, ...composeMail({ greeting: `Hello ${admin.name},`, ...text }) };
  };
}

const AFTERWARDS = "You get one more email when it is well again.";
const LOOK = `System in Sangam, and \`${commandLine("doctor")}\` on the server, show everything else, too.`;

function troubleText(row: ConditionRow, publicUrl: string): ConditionText {
  const { text, action } = describeTrouble(row, since(row.troubleSince));
  const isToken = row.id === "repository-token";
  return {
    subject: troubleSubject(row),
    paragraphs: [text, action, ...(isToken ? [] : [LOOK])],
    action: isToken
      ? { label: "Open Settings", url: `${publicUrl}/admin/settings` }
      : { label: "Open System", url: `${publicUrl}/admin/system` },
    footnote: AFTERWARDS,
  };
}

function troubleSubject({ id, details }: ConditionRow): string {
  switch (id) {
    case "disk":
      return "Sangam: the disk is almost full";
    case "repository-token":
      return "Sangam: the repository token no longer works";
    case "backup":
      return details.error ? "Sangam: the nightly backup failed" : "Sangam: the nightly backup is overdue";
    default:
      return `Sangam: background work is stuck (${kindOf(id)})`;
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
          `No email could be sent ${span}. Emails that waited have been sent since, or are on their way.`,
          "The server's log says under “job failed” what was wrong.",
        ],
      };
    default:
      return {
        subject: `Sangam: background work runs again (${kindOf(id)})`,
        paragraphs: [`“${kindOf(id)}” was stuck ${span}.`],
      };
  }
}
