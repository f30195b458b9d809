import type { Db } from "../../db/client";
import { FIRM_NAME } from "../contract/labels";
import type { MailComposer } from "../mail/jobs";
import { composeMail } from "../mail/templates";
import { createInvitationToken } from "./acceptance";
import { findInvitationToMail } from "./queries";

/** Composes the mail with the link of an invitation; null when it is gone. `recipient` is the invitation's id. */
export function createInvitationMails({ db, publicUrl }: { db: Db; publicUrl: string }): MailComposer {
  return async ({ recipient: invitationId }) => {
    const found = await findInvitationToMail(db, { invitationId });
    if (!found) return null;
    const { email, name, inviterName } = found;
    const token = await createInvitationToken(db, { invitationId });
    const mail = composeMail({
      subject: `${inviterName ?? FIRM_NAME} invites you to Sangam`,
      greeting: `Hello ${name},`,
      paragraphs: [
        `${inviterName === null ? FIRM_NAME : `${inviterName} of ${FIRM_NAME}`} invites you to Sangam, the one place where the firm and its clients see the same work and talk about it.`,
        `Choose a password, then log in with this address, ${email}. The link works once, within 7 days.`,
      ],
      action: { label: "Accept invitation", url: `${publicUrl}/invitation?token=${token}` },
      footnote: "If you did not expect this invitation, you can ignore this email.",
    });
    return { to: email, ...mail };
  };
}
