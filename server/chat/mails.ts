import type { AccountType } from "@db/enums";
import type { Db } from "../../db/client";
import type { MailComposer } from "../mail/jobs";
import { unreadMessagesMail } from "../mail/templates";
import { findUnreadNotice } from "./unread-mail";

/** Where each type of account has its pages. */
const SHELLS: Record<AccountType, string> = { admin: "/admin", client: "/client", user: "/dashboard" };

/** Writes the mails about unread messages; none when they have been read meanwhile, or the person may or will not get any. */
export function createUnreadMails({ db, publicUrl }: { db: Db; publicUrl: string }): MailComposer {
  return async ({ conversationId, recipient }) => {
    const notice = conversationId && (await findUnreadNotice(db, { conversationId, readerId: recipient }));
    if (!notice) return null;
    const { email, name, accountType, senderName, count } = notice;
    const shellUrl = `${publicUrl}${SHELLS[accountType]}`;
    const mail = unreadMessagesMail({
      name,
      senderName,
      count,
      conversationUrl: `${shellUrl}/messages/${conversationId}`,
      settingsUrl: `${shellUrl}/settings`,
    });
    return { to: email, ...mail };
  };
}
