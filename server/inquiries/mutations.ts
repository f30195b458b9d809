import { createHash } from "node:crypto";
import type { InquiryStatus } from "@db/enums";
import { and, eq, lt, sql } from "drizzle-orm";
import type * as z from "zod/mini";
import type { Db, Tx } from "../../db/client";
import { instantAfter } from "../../db/expressions";
import { inquiries } from "../../db/schema";
import { insertAudit } from "../audit/queries";
import type { submitInquirySchema } from "../contract/inquiries";
import { MESSAGES } from "../contract/messages";
import type { Inquiry } from "../contract/views";
import type { Actor, Context } from "../core/context";
import { DomainError } from "../core/errors";
import { queueInquiryMail } from "../mail/queries";
import { notifyInquiry } from "../realtime/notify";
import { findInquiry } from "./queries";

export type Submission = z.infer<typeof submitInquirySchema>;

/** The same words of a form without a key are one inquiry for so long; later somebody sends them again on purpose. */
const SAME_WORDS_HOURS = 1;

type Submitting = Pick<Context, "db" | "limits" | "contactEmail" | "address">;

/**
 * Takes what a visitor sent: 10 an hour and address, else TOO_MANY_REQUESTS. A key with the same words again is the same
 * inquiry, with others a CONFLICT. What a program filled in is answered in the same way and kept nowhere.
 */
export async function submitInquiry(ctx: Submitting, submission: Submission): Promise<void> {
  if (await isWanted(ctx, submission)) await insertInquiry(ctx, { submission, keyHours: null });
}

/** The same for a plain form, which can make no key: its words are the key, for an hour. */
export async function submitPlainForm(ctx: Submitting, submission: Submission): Promise<void> {
  if (!(await isWanted(ctx, submission))) return;
  const inquiryKey = keyOfWords(columnsOf(submission));
  await insertInquiry(ctx, { submission: { ...submission, inquiryKey }, keyHours: SAME_WORDS_HOURS });
}

async function isWanted({ limits, address }: Submitting, { website }: Submission): Promise<boolean> {
  await limits.consume("inquiry", address);
  return !website;
}

/** The inquiry, the mail about it where one is wanted, and the notice for the admins' lists: all of them or none, and once a key. */
async function insertInquiry(
  { db, contactEmail }: Submitting,
  { submission, keyHours }: { submission: Submission; keyHours: number | null },
): Promise<void> {
  const columns = columnsOf(submission);
  const { inquiryKey } = submission;
  await db.transaction(async (tx) => {
    if (inquiryKey && keyHours !== null) await releaseKey(tx, { inquiryKey, keyHours });
    const [made] = await tx
      .insert(inquiries)
      .values({ ...columns, inquiryKey })
      .onConflictDoNothing({ target: inquiries.inquiryKey })
      .returning({ id: inquiries.id });
    if (!made) {
      if (inquiryKey && (await hasWords(tx, { inquiryKey, columns }))) return;
      throw new DomainError("CONFLICT", MESSAGES.inquiries.keyTaken, { reason: "key-taken" });
    }
    if (contactEmail !== null) await queueInquiryMail(tx, { recipient: contactEmail, inquiryId: made.id });
    await notifyInquiry(tx, { inquiryId: made.id });
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
      await notifyInquiry(tx, { inquiryId });
    }
    const found = await findInquiry(tx, { inquiryId });
    if (!found) throw new DomainError("NOT_FOUND", MESSAGES.inquiries.notFound);
    return found;
  });
}

/** Takes a key from an inquiry that is older than so many hours. */
async function releaseKey(tx: Tx, { inquiryKey, keyHours }: { inquiryKey: string; keyHours: number }): Promise<void> {
  await tx
    .update(inquiries)
    .set({ inquiryKey: null })
    .where(
      and(eq(inquiries.inquiryKey, inquiryKey), lt(inquiries.createdAt, instantAfter(sql`now()`, -keyHours * 3600))),
    );
}

/** Whether the inquiry of a key says the same. */
async function hasWords(tx: Tx, { inquiryKey, columns }: { inquiryKey: string; columns: Written }): Promise<boolean> {
  const { kind, name, email, company, subject, phone, programme, message } = inquiries;
  const [earlier] = await tx
    .select({ kind, name, email, company, subject, phone, programme, message })
    .from(inquiries)
    .where(eq(inquiries.inquiryKey, inquiryKey));
  return earlier !== undefined && keyOfWords(earlier) === keyOfWords(columns);
}

/** A UUID of what somebody wrote: the same for the same words. */
function keyOfWords({ kind, name, email, company, subject, phone, programme, message }: Written): string {
  const words = [kind, name, email, company, subject, phone, programme, message].map((word) => word ?? null);
  const hex = createHash("sha256").update(JSON.stringify(words)).digest("hex");
  // Version 8: of one's own making.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

type Written = typeof inquiries.$inferInsert;

function columnsOf(submission: Submission): Written {
  const { kind, name, email } = submission;
  if (submission.kind === "contact") {
    const { company, subject, message } = submission;
    return { kind, name, email, company, subject, message };
  }
  const { phone, programme, note } = submission;
  return { kind, name, email, phone, programme, message: note ?? "" };
}
