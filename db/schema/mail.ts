import { bigint, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns";

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
    attempts: integer().notNull().default(0),
    dueAt: instant().notNull().defaultNow(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index("mail_jobs_due_idx").on(t.dueAt)],
);
