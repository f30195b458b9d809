import { eq } from "drizzle-orm";
import type { Db } from "../../db/client";
import { inquiries } from "../../db/schema";

/** What a visitor wrote; null when it is gone. */
export async function findSubmitted(db: Db, { inquiryId }: { inquiryId: string }) {
  const [found] = await db
    .select({
      kind: inquiries.kind,
      name: inquiries.name,
      email: inquiries.email,
      company: inquiries.company,
      subject: inquiries.subject,
      phone: inquiries.phone,
      programme: inquiries.programme,
      message: inquiries.message,
    })
    .from(inquiries)
    .where(eq(inquiries.id, inquiryId));
  return found ?? null;
}
