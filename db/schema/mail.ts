import { bigint, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { conversations } from "./chat";
import { instant } from "./columns";
import { inquiries } from "./inquiries";

/**
 * Mails to send. A row is written in the transaction that is the reason for it and deleted once the mail is out, so that a
 * crash loses none. It holds no text and no link: those are made at the moment of sending.
 */
export const mailJobs = pgTable(
  "mail_jobs",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    template: text().notNull(),
    recipient: text().notNull(),
    /** What a mail about unread messages is about; null for all others. */
    conversationId: uuid().references(() => conversations.id, { onDelete: "cascade" }),
    /** What a mail about an inquiry is about; null for all others. */
    inquiryId: uuid().references(() => inquiries.id, { onDelete: "cascade" }),
    attempts: integer().notNull().default(0),
    dueAt: instant().notNull().defaultNow(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index("mail_jobs_due_idx").on(t.dueAt)],
);
