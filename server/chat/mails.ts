import type { AccountType } from "@db/enums";
import type { Db } from "../../db/client";
import type { MailComposer } from "../mail/jobs";
import { unreadMessagesMail } from "../mail/templates";
import { findUnreadNotice } from "./unread-mail";

/** Where each type of account has its rooms. */
const PAGES: Record<AccountType, { messages: string; settings: string }> = {
  admin: { messages: "/admin?section=messages", settings: "/admin?section=settings" },
  client: { messages: "/client?section=messages", settings: "/client?section=settings" },
  user: { messages: "/dashboard?view=messages", settings: "/dashboard?view=settings" },
};

/** Writes the mails about unread messages; none when they have been read meanwhile, or the person may or will not get any. */
export function createUnreadMails({ db, publicUrl }: { db: Db; publicUrl: string }): MailComposer {
  return async ({ conversationId, recipient }) => {
    const notice = conversationId && (await findUnreadNotice(db, { conversationId, readerId: recipient }));
    if (!notice) return null;
    const { email, name, accountType, senderName, count } = notice;
    const { messages, settings } = PAGES[accountType];
    const mail = unreadMessagesMail({
      name,
      senderName,
      count,
      conversationUrl: `${publicUrl}${messages}&c=${conversationId}`,
      settingsUrl: `${publicUrl}${settings}`,
    });
    return { to: email, ...mail };
  };
}
