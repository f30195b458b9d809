import { createHash } from "node:crypto";
import type { InquiryStatus } from "@db/enums";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { instantAfter } from "../../db/expressions";
import { inquiries } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import type { Submission } from "../contract/inquiries";
import { MESSAGES } from "../contract/messages";
import type { Inquiry } from "../contract/views";
import type { Actor, Context } from "../core/context";
import { DomainError } from "../core/errors";
import { queueMail } from "../mail/mutations";
import { INQUIRY_TEMPLATE } from "../mail/templates";
import { notifyOfInquiry } from "../notifications/mutations";
import { settleInquiry } from "../notifications/settle";
import { notifyInquiry } from "../realtime/notify";
import { findInquiry } from "./queries";

/** An HTML form with the same content is one inquiry for this long; after that it is a new one. */
const SAME_CONTENT_HOURS = 1;

type Submitting = Pick<Context, "db" | "limits" | "contactEmail" | "address">;

/**
 * Stores a visitor's inquiry. Limited to 10 per hour and address, else TOO_MANY_REQUESTS. Repeating a key with the same content
 * is the same inquiry; with other content it is a CONFLICT. A submission that filled in the honeypot succeeds but is not stored.
 */
export async function submitInquiry(ctx: Submitting, submission: Submission): Promise<void> {
  if (await isWanted(ctx, submission)) await insertInquiry(ctx, { submission, keyHours: null });
}

/** Stores an inquiry from an HTML form without JavaScript, which has no key: a hash of its content is the key for an hour. */
export async function submitHtmlForm(ctx: Submitting, submission: Submission): Promise<void> {
  if (!(await isWanted(ctx, submission))) return;
  const inquiryKey = contentKey(sentColumns(submission));
  await insertInquiry(ctx, { submission: { ...submission, inquiryKey }, keyHours: SAME_CONTENT_HOURS });
}

async function isWanted({ limits, address }: Submitting, { website }: Submission): Promise<boolean> {
  await limits.consume("inquiry", address);
  return !website;
}

/** Inserts the inquiry, queues the mail about it if an address is configured, and notifies admins, in one transaction and once per key. */
async function insertInquiry(
  { db, contactEmail }: Submitting,
  { submission, keyHours }: { submission: Submission; keyHours: number | null },
): Promise<void> {
  const columns = sentColumns(submission);
  const { inquiryKey } = submission;
  await db.transaction(async (tx) => {
    if (inquiryKey && keyHours !== null) await releaseKey(tx, { inquiryKey, keyHours });
    const [made] = await tx
      .insert(inquiries)
      .values(columnsOf(inquiries, { ...columns, inquiryKey }))
      .onConflictDoNothing({ target: inquiries.inquiryKey })
      .returning({ id: inquiries.id });
    if (!made) {
      if (inquiryKey && (await hasSameContent(tx, { inquiryKey, columns }))) return;
      throw new DomainError("CONFLICT", MESSAGES.inquiries.keyTaken, { reason: "key-taken" });
    }
    if (contactEmail !== null)
      await queueMail(tx, { template: INQUIRY_TEMPLATE, recipient: contactEmail, inquiryId: made.id });
    await notifyInquiry(tx, { inquiryId: made.id });
    await notifyOfInquiry(tx, { inquiryId: made.id });
  });
}

/**
 * Sets the status and writes an audit event. Setting the current status again changes nothing and is no error, since two admins
 * may answer one inquiry. NOT_FOUND for an unknown inquiry.
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
        .set(columnsOf(inquiries, { status, ...decision }))
        .where(eq(inquiries.id, inquiryId));
      const details = { from: before.status, to: status };
      await insertAudit(tx, { kind: "inquiry.status-changed", actorId: by.id, subjectId: inquiryId, details });
      await notifyInquiry(tx, { inquiryId });
      if (status !== "new") await settleInquiry(tx, { inquiryId });
    }
    const found = await findInquiry(tx, { inquiryId });
    if (!found) throw new DomainError("NOT_FOUND", MESSAGES.inquiries.notFound);
    return found;
  });
}

/** Removes the key from an inquiry that is older than `keyHours`. */
async function releaseKey(tx: Tx, { inquiryKey, keyHours }: { inquiryKey: string; keyHours: number }): Promise<void> {
  await tx
    .update(inquiries)
    .set({ inquiryKey: null })
    .where(
      and(eq(inquiries.inquiryKey, inquiryKey), lt(inquiries.createdAt, instantAfter(sql`now()`, -keyHours * 3600))),
    );
}

/** Whether the inquiry with this key has the same content. */
async function hasSameContent(
  tx: Tx,
  { inquiryKey, columns }: { inquiryKey: string; columns: Written },
): Promise<boolean> {
  const { kind, name, email, company, subject, phone, programme, message } = inquiries;
  const [earlier] = await tx
    .select({ kind, name, email, company, subject, phone, programme, message })
    .from(inquiries)
    .where(eq(inquiries.inquiryKey, inquiryKey));
  return earlier !== undefined && contentKey(earlier) === contentKey(columns);
}

/** A UUID derived from the content of an inquiry. */
function contentKey({ kind, name, email, company, subject, phone, programme, message }: Written): string {
  const content = [kind, name, email, company, subject, phone, programme, message].map((value) => value ?? null);
  const hex = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  // UUID version 8: custom.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

type Written = typeof inquiries.$inferInsert;

function sentColumns(submission: Submission): Written {
  const { kind, name, email } = submission;
  if (submission.kind === "contact") {
    const { company, subject, message } = submission;
    return { kind, name, email, company, subject, message };
  }
  const { phone, programme, note } = submission;
  return { kind, name, email, phone, programme, message: note ?? "" };
}
