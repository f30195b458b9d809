import { and, eq, lt, notInArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { instantAfter } from "../../db/expressions";
import { secretKeys, serverProcesses, systemConditions, users } from "../../db/schema";
import { columnsOf, rowsOf } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import type { Actor } from "../core/context";
import type { Secrets } from "../core/secrets";
import { secretId } from "../core/vault";
import { queueConditionMails } from "../mail/mutations";
import { type ConditionRow, findCondition, isActiveAdmin, type ProcessActivity } from "./queries";

/** Notes which secrets are in use; the first time counts. */
export async function noteSecrets(
  db: Db,
  { betterAuthSecret, tokenEncryptionKey }: Pick<Secrets, "betterAuthSecret" | "tokenEncryptionKey">,
): Promise<void> {
  const used = { BETTER_AUTH_SECRET: betterAuthSecret, TOKEN_ENCRYPTION_KEY: tokenEncryptionKey };
  const rows = Object.entries(used).map(([name, secret]) => ({ name, keyId: secretId(secret) }));
  await db.insert(secretKeys).values(rowsOf(secretKeys, rows)).onConflictDoNothing();
}

/** Writes into the audit that an admin sent a test mail. */
export async function noteTestMail(db: Db, { by }: { by: Actor }): Promise<void> {
  await insertAudit(db, { kind: "test-mail.sent", actorId: by.id, subjectId: null });
}

/** Rows of processes that were killed go after so long. */
const FORGOTTEN_SECONDS = 600;

/** Writes what a process says of itself, and forgets those that have not for ten minutes. */
export async function reportProcess(
  db: Db,
  {
    activity,
    ...self
  }: { id: string; version: string; node: string; host: string; startedAt: Date; activity: ProcessActivity },
): Promise<void> {
  const report = columnsOf(serverProcesses, { activity, seenAt: sql`now()` });
  await db
    .insert(serverProcesses)
    .values(columnsOf(serverProcesses, { ...self, ...report }))
    .onConflictDoUpdate({ target: serverProcesses.id, set: report });
  await db.delete(serverProcesses).where(lt(serverProcesses.seenAt, instantAfter(sql`now()`, -FORGOTTEN_SECONDS)));
}

/** Takes back what a process says of itself: it stops. */
export async function forgetProcess(db: Db, { id }: { id: string }): Promise<void> {
  await db.delete(serverProcesses).where(eq(serverProcesses.id, id));
}

/** What a check saw of a condition. `unclear` changes nothing: it holds what was known, so that a value near its limit is no news. */
export interface Observation {
  id: string;
  state: "well" | "trouble" | "unclear";
  /** Facts for the mail. */
  details?: Record<string, string | number>;
  /** Nobody could be mailed about this trouble while it lasts: the mail says afterwards that it is over. */
  stopsMail?: boolean;
}

/** Seen by two checks in a row before anybody is mailed: what one check sees may be over at once. */
const CONFIRM_MS = 60_000;
/** Well for so long without a break before anybody is told so. */
const WELL_FOR_MS = 15 * 60_000;

/**
 * Takes note of what a check saw, and mails the admins when trouble has begun or is over; one mail each, whoever checks, since the
 * row is locked. Returns what was announced; null when there was nothing new.
 */
export async function noteObservation(
  db: Db,
  { id, state, details = {}, stopsMail = false }: Observation,
  { now, closedTo }: { now: Date; closedTo: readonly string[] },
): Promise<"trouble" | "well" | null> {
  if (state === "unclear" || (state === "well" && !(await isTroubled(db, id)))) return null;
  return db.transaction(async (tx) => {
    await tx.insert(systemConditions).values({ id }).onConflictDoNothing();
    const isThis = eq(systemConditions.id, id);
    const [row] = await tx.select().from(systemConditions).where(isThis).for("update");
    if (!row) return null;
    const { announced, ...change } = state === "trouble" ? afterTrouble(row, now) : afterWell(row, now);
    const facts = state === "trouble" ? { details } : {};
    await tx
      .update(systemConditions)
      .set(columnsOf(systemConditions, { ...change, ...facts }))
      .where(isThis);
    if (announced === "well" || (announced === "trouble" && !stopsMail)) {
      await queueConditionMails(tx, { conditionId: id, recipients: await listAdmins(tx, closedTo) });
    }
    return announced;
  });
}

/** Whether there is anything that could be over. */
async function isTroubled(db: Db, id: string): Promise<boolean> {
  const row = await findCondition(db, { id });
  return row !== null && (row.announcedAt !== null || row.wellSince === null);
}

type Change = Pick<ConditionRow, "troubleSince" | "announcedAt" | "wellSince"> & {
  announced: "trouble" | "well" | null;
};

function afterTrouble({ troubleSince, announcedAt, wellSince }: ConditionRow, now: Date): Change {
  const isNew = announcedAt === null && (troubleSince === null || wellSince !== null);
  const since = isNew || troubleSince === null ? now : troubleSince;
  const isConfirmed = announcedAt === null && now.valueOf() - since.valueOf() >= CONFIRM_MS;
  return {
    troubleSince: since,
    announcedAt: isConfirmed ? now : announcedAt,
    wellSince: null,
    announced: isConfirmed ? "trouble" : null,
  };
}

function afterWell({ troubleSince, announcedAt, wellSince }: ConditionRow, now: Date): Change {
  const since = wellSince ?? now;
  const isOver = announcedAt !== null && now.valueOf() - since.valueOf() >= WELL_FOR_MS;
  return {
    troubleSince,
    announcedAt: isOver ? null : announcedAt,
    wellSince: since,
    announced: isOver ? "well" : null,
  };
}

/** Without the accounts of a demo that is closed. */
async function listAdmins(tx: Tx, closedTo: readonly string[]): Promise<string[]> {
  const admins = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(isActiveAdmin, closedTo.length > 0 ? notInArray(users.email, [...closedTo]) : undefined));
  return admins.map(({ id }) => id);
}
