import type * as z from "zod/mini";
import type { Db } from "../../db/client";
import { inquiries } from "../../db/schema";
import type { submitInquirySchema } from "../contract/inquiries";
import type { Context } from "../core/context";
import { queueInquiryMail } from "../mail/queries";
import { announceInquiry } from "../realtime/notify";

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

function columnsOf(submission: Submission): typeof inquiries.$inferInsert {
  const { kind, name, email } = submission;
  if (submission.kind === "contact") {
    const { company, subject, message } = submission;
    return { kind, name, email, company, subject, message };
  }
  const { phone, programme, note } = submission;
  return { kind, name, email, phone, programme, message: note ?? "" };
}
