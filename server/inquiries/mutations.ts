import type { InquiryStatus } from "@db/enums";
import { eq, sql } from "drizzle-orm";
import type * as z from "zod/mini";
import type { Db } from "../../db/client";
import { inquiries } from "../../db/schema";
import { insertAudit } from "../audit/queries";
import type { submitInquirySchema } from "../contract/inquiries";
import { MESSAGES } from "../contract/messages";
import type { Inquiry } from "../contract/views";
import type { Actor, Context } from "../core/context";
import { DomainError } from "../core/errors";
import { queueInquiryMail } from "../mail/queries";
import { announceInquiry } from "../realtime/notify";
import { findInquiry } from "./queries";

export type Submission = z.infer<typeof submitInquirySchema>;

/**
 * Takes what a visitor sent through any of the forms: 10 an hour and address, else TOO_MANY_REQUESTS. What a program filled in
 * is answered in the same way and kept nowhere.
 */
export async function submitInquiry(
  { db, limits, contactEmail, address }: Pick<Context, "db" | "limits" | "contactEmail" | "address">,
  submission: Submission,
): Promise<void> {
  await limits.consume("inquiry", address);
  if (submission.website) return;
  await insertInquiry(db, { submission, contactEmail });
}

/** The inquiry, the mail about it where one is wanted, and the knock for the admins' lists: all of them or none. */
async function insertInquiry(
  db: Db,
  { submission, contactEmail }: { submission: Submission; contactEmail: string | null },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [made] = await tx.insert(inquiries).values(columnsOf(submission)).returning({ id: inquiries.id });
    if (!made) throw new Error("no inquiry was inserted");
    if (contactEmail !== null) await queueInquiryMail(tx, { recipient: contactEmail, inquiryId: made.id });
    await announceInquiry(tx, { inquiryId: made.id });
  });
}

/**
 * Any status to any other, written to the audit. The status that it has already changes nothing and is no error: two admins
 * may answer one inquiry. NOT_FOUND for one that does not exist.
 */
export async function setInquiryStatus(
  db: Db,
  { inquiryId, status, by }: { inquiryId: string; status: InquiryStatus; by: Actor },
): Promise<Inquiry> {
  return db.transaction(async (tx) => {
    const [before] = await tx
      .select({ status: inquiries.status })
      .from(inquiries)
      .where(eq(inquiries.id, inquiryId))
      .for("no key update");
    if (before && before.status !== status) {
      const decision =
        status === "new" ? { decidedBy: null, decidedAt: null } : { decidedBy: by.id, decidedAt: sql`now()` };
      await tx
        .update(inquiries)
        .set({ status, ...decision })
        .where(eq(inquiries.id, inquiryId));
      const details = { from: before.status, to: status };
      await insertAudit(tx, { kind: "inquiry.status-changed", actorId: by.id, subjectId: inquiryId, details });
      await announceInquiry(tx, { inquiryId });
    }
    const found = await findInquiry(tx, { inquiryId });
    if (!found) throw new DomainError("NOT_FOUND", MESSAGES.inquiries.notFound);
    return found;
  });
}

function columnsOf(submission: Submission): typeof inquiries.$inferInsert {
  const { kind, name, email } = submission;
  if (submission.kind === "contact") {
    const { company, subject, message } = submission;
    return { kind, name, email, company, subject, message };
  }
  const { phone, programme, note } = submission;
  return { kind, name, email, phone, programme, message: note ?? "" };
}
