import { bigint, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { conversations } from "./chat";
import { calendarDay, instant, leaseColumns } from "./columns";
import { inquiries } from "./inquiries";

/**
 * The queue of mails. A row is inserted in the transaction that causes the mail and deleted once it has been sent, so that a
 * crash loses none. It holds no text and no links: those are made when the mail is sent.
 */
export const mailJobs = pgTable(
  "mail_jobs",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    template: text().notNull(),
    recipient: text().notNull(),
    /** Of a mail about unread messages; otherwise null. */
    conversationId: uuid().references(() => conversations.id, { onDelete: "cascade" }),
    /** Of a mail about an inquiry; otherwise null. */
    inquiryId: uuid().references(() => inquiries.id, { onDelete: "cascade" }),
    /** Of a mail about notifications; otherwise null. Those that are read by the time it is sent are left out. */
    notificationIds: uuid().array(),
    attempts: integer().notNull().default(0),
    ...leaseColumns(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index("mail_jobs_due_idx").on(t.dueAt)],
);

/** What became of mails on a day of UTC: how many were handed to the mail server, and how many were given up. */
export const mailDays = pgTable("mail_days", {
  day: calendarDay().primaryKey(),
  sent: integer().notNull().default(0),
  givenUp: integer().notNull().default(0),
});
