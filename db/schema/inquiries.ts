import { sql } from "drizzle-orm";
import { check, index, pgEnum, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { INQUIRY_KINDS, INQUIRY_STATUSES, INQUIRY_SUBJECTS, PROGRAMMES } from "../enums";
import { quoted } from "../expressions";
import { users } from "./auth";
import { instant } from "./columns";

export const inquiryKindEnum = pgEnum("inquiry_kind", INQUIRY_KINDS);
export const inquirySubjectEnum = pgEnum("inquiry_subject", INQUIRY_SUBJECTS);
export const programmeEnum = pgEnum("programme", PROGRAMMES);
export const inquiryStatusEnum = pgEnum("inquiry_status", INQUIRY_STATUSES);

/** What visitors of the public pages wrote: contacts, and applications for a programme. Spec 2; decisions.md. */
export const inquiries = pgTable(
  "inquiries",
  {
    id: uuid().primaryKey().defaultRandom(),
    kind: inquiryKindEnum().notNull(),
    name: text().notNull(),
    email: text().notNull(),
    /** Contacts only, and there optional. */
    company: text(),
    subject: inquirySubjectEnum(),
    /** Applications only. */
    phone: text(),
    programme: programmeEnum(),
    /** A contact's message, or an application's note; only the note may be empty. */
    message: text().notNull(),
    /** Of the form that sent it: the same one again is a retry. Null without one. */
    inquiryKey: uuid().unique("inquiries_key_unique"),
    status: inquiryStatusEnum().notNull().default("new"),
    createdAt: instant().notNull().defaultNow(),
    /** When an admin last changed the status, and who; null while it is new. */
    decidedAt: instant(),
    decidedBy: uuid().references(() => users.id, { onDelete: "set null" }),
  },
  (t) => [
    /** Ascending, read backwards: see commits_newest_idx. */
    index("inquiries_newest_idx").on(t.createdAt, t.id),
    index("inquiries_status_idx").on(t.status, t.createdAt, t.id),
    check(
      "inquiries_of_their_kind",
      sql`case ${t.kind} when ${quoted(INQUIRY_KINDS, "contact")} then ${t.subject} is not null and ${t.message} <> '' else ${t.programme} is not null and ${t.phone} is not null end`,
    ),
  ],
);
