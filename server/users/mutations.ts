import type { AccountStatus, AccountType } from "@db/enums";
import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../db/client";
import { holds } from "../../db/expressions";
import {
  accounts,
  calendarFeeds,
  commentReads,
  files,
  invitations,
  sessions,
  twoFactors,
  users,
  verifications,
} from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { type AuditFact, insertAudit } from "../audit/mutations";
import { endCoversOf } from "../chat/covers";
import { MESSAGES } from "../contract/messages";
import type { ProfilePatch } from "../contract/profiles";
import type { AdminUser, PersonExport } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import { profileMissing } from "../core/procedures";
import { queueMail } from "../mail/mutations";
import type { MailTemplate } from "../mail/templates";
import { eraseNotifications, settleSignUp } from "../notifications/settle";
import { announcePerson } from "../projects/members";
import { notifyAccount } from "../realtime/notify";
import { findPersonExport } from "./person-export";
import { deletePhoto } from "./photos";
import { adminUserColumns, shownName } from "./queries";

interface Decision {
  userId: string;
  by: Actor;
}

/**
 * pending to active with a type. Of two admins who decide at once one succeeds, the other gets CONFLICT. The audit says when
 * nobody had confirmed the address.
 */
export function approveAccount(db: Db, { accountType, ...decision }: Decision & { accountType: AccountType }) {
  return changeAccount(db, {
    ...decision,
    from: ["pending"],
    to: { accountStatus: "active", accountType },
    eventOf: (approved) => ({ kind: "account.approved", details: { accountType, ...unconfirmed(approved) } }),
    mail: "account-approved",
  });
}

/** pending to rejected. */
export function rejectAccount(db: Db, decision: Decision) {
  return changeAccount(db, {
    ...decision,
    from: ["pending"],
    to: { accountStatus: "rejected" },
    eventOf: () => ({ kind: "account.rejected" }),
    mail: "account-rejected",
  });
}

/** active to inactive, with every session at an end. Not the last active admin: CONFLICT. */
export function deactivateAccount(db: Db, decision: Decision) {
  return changeAccount(db, {
    ...decision,
    from: ["active"],
    to: { accountStatus: "inactive" },
    eventOf: () => ({ kind: "account.deactivated" }),
  });
}

/** inactive or rejected to active, of the type it has. */
export function reactivateAccount(db: Db, decision: Decision) {
  return changeAccount(db, {
    ...decision,
    from: ["inactive", "rejected"],
    to: { accountStatus: "active" },
    eventOf: (reactivated) => ({ kind: "account.reactivated", details: unconfirmed(reactivated) }),
    mail: "account-approved",
  });
}

/** Another type for a decided account, with every session at an end. Not the last active admin: CONFLICT. */
export function setAccountType(db: Db, { accountType, ...decision }: Decision & { accountType: AccountType }) {
  return changeAccount(db, {
    ...decision,
    from: ["active", "inactive", "rejected"],
    to: { accountType },
    eventOf: () => ({ kind: "account.type-changed", details: { accountType } }),
  });
}

/** Audit details of letting in somebody whose address is not confirmed. */
function unconfirmed({ emailVerified }: AdminUser): { emailVerified?: false } {
  return emailVerified ? {} : { emailVerified };
}

interface Change extends Decision {
  from: AccountStatus[];
  to: { accountStatus?: AccountStatus; accountType?: AccountType };
  eventOf: (changed: AdminUser) => AuditFact;
  mail?: MailTemplate;
}

/**
 * The only way to change an account's status or type: compare-and-set, sessions, audit row, mail and notification in one
 * transaction. After the commit every process refuses the person's next call.
 */
async function changeAccount(db: Db, { userId, by, from, to, eventOf, mail }: Change): Promise<AdminUser> {
  return db.transaction(async (tx) => {
    if (from.includes("active")) await requireAnotherAdmin(tx, { userId, to, by });
    if (to.accountType) await dropReadMarks(tx, { userId, accountType: to.accountType });
    const [changed] = await tx
      .update(users)
      .set(columnsOf(users, { ...to, decidedBy: by.id, decidedAt: sql`now()`, updatedAt: sql`now()` }))
      .where(
        and(
          eq(users.id, userId),
          isNull(users.erasedAt),
          inArray(users.accountStatus, from),
          to.accountStatus ? undefined : sql`${users.accountType} <> ${to.accountType}`,
        ),
      )
      .returning(adminUserColumns);
    if (!changed) throw await explainRefusal(tx, { userId, to });
    await tx.delete(sessions).where(eq(sessions.userId, userId));
    if (changed.accountStatus !== "active" || changed.accountType !== "admin") await endCoversOf(tx, { userId, by });
    // What was decided about the account counts, not what an invitation promised before.
    if (to.accountStatus) await tx.delete(invitations).where(eq(invitations.email, changed.email));
    await insertAudit(tx, { ...eventOf(changed), actorId: by.id, subjectId: userId });
    if (mail) await queueMail(tx, { template: mail, recipient: userId });
    await notifyAccount(tx, { userId });
    if (to.accountStatus) await settleSignUp(tx, { userId });
    return changed;
  });
}

/**
 * Locks the account before its change. Clients count comments by numbers of their own: whoever becomes one, or is one no longer, has
 * read marks that mean other comments.
 */
async function dropReadMarks(
  tx: Tx,
  { userId, accountType }: { userId: string; accountType: AccountType },
): Promise<void> {
  const [present] = await tx
    .select({ accountType: users.accountType })
    .from(users)
    .where(eq(users.id, userId))
    .for("no key update");
  if ((present?.accountType === "client") !== (accountType === "client"))
    await tx.delete(commentReads).where(eq(commentReads.userId, userId));
}

/**
 * Keeps at least one active admin, also when two admins act at once: a change that could remove one locks all admins, in
 * one order, and then counts.
 */
async function requireAnotherAdmin(tx: Tx, { userId, to, by }: Pick<Change, "userId" | "to" | "by">): Promise<void> {
  if (to.accountType === "admin" || to.accountStatus === "active") return;
  const admins = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.accountType, "admin"), eq(users.accountStatus, "active")))
    .orderBy(asc(users.id))
    // "No key update", so that rows which refer to these admins can be written meanwhile.
    .for("no key update");
  // The caller may have been deactivated a moment ago.
  if (!admins.some(({ id }) => id === by.id)) throw new DomainError("FORBIDDEN", MESSAGES.general.notAllowed);
  if (admins.length === 1 && admins[0]?.id === userId) throw new DomainError("CONFLICT", MESSAGES.users.lastAdmin);
}

async function explainRefusal(tx: Tx, { userId, to }: Pick<Change, "userId" | "to">): Promise<DomainError> {
  const decider = alias(users, "decider");
  const [found] = await tx
    .select({ status: users.accountStatus, accountType: users.accountType, decider: shownName(decider) })
    .from(users)
    .leftJoin(decider, eq(decider.id, users.decidedBy))
    .where(eq(users.id, userId));
  if (!found) return new DomainError("NOT_FOUND", MESSAGES.users.notFound);
  if (!to.accountStatus && found.accountType === to.accountType) {
    return new DomainError("CONFLICT", MESSAGES.users.sameType(found.accountType), { reason: "already-decided" });
  }
  return new DomainError(
    "CONFLICT",
    found.decider
      ? MESSAGES.users.alreadyDecided(found.decider, found.status)
      : MESSAGES.users.notInState(found.status),
    { reason: "already-decided" },
  );
}

/**
 * Removes what identifies a person, who can no longer sign in. Projects, tasks and the audit keep the id; the name becomes
 * "Unknown User" or "Unknown Client". Not the last active admin, and not twice: CONFLICT.
 */
export async function erasePerson(db: Db, { userId, by }: Decision): Promise<void> {
  await db.transaction(async (tx) => {
    await requireAnotherAdmin(tx, { userId, to: { accountStatus: "inactive" }, by });
    const emails = (await lockPerson(tx, userId)).map(({ email }) => email);
    await tx.delete(invitations).where(inArray(invitations.email, emails));
    await announcePerson(tx, { userId });
    // Before the e-mail and username change: from then on whoever has locked a conversation can't write in their name.
    await endCoversOf(tx, { userId, by });
    const [erased] = await tx
      .update(users)
      .set({
        name: unknownName,
        displayName: unknownName,
        username: sql`'erased' || ('x' || left(replace(${users.id}::text, '-', ''), 15))::bit(60)::bigint`,
        email: sql`${users.id} || '@erased.invalid'`,
        emailVerified: false,
        emailPresumed: false,
        mobile: null,
        age: null,
        address: sql`default`,
        profileImgLink: null,
        accessLevel: null,
        accountStatus: "inactive",
        decidedBy: by.id,
        decidedAt: sql`now()`,
        erasedAt: sql`now()`,
        updatedAt: sql`now()`,
      })
      .where(and(eq(users.id, userId), isNull(users.erasedAt)))
      .returning({ id: users.id });
    if (!erased) throw await explainRefusal(tx, { userId, to: { accountStatus: "inactive" } });
    await deletePhoto(tx, { userId });
    await tx.delete(files).where(and(eq(files.uploadedBy, userId), isNull(files.attachedAt)));
    await tx.delete(sessions).where(eq(sessions.userId, userId));
    await tx.delete(accounts).where(eq(accounts.userId, userId));
    await tx.delete(twoFactors).where(eq(twoFactors.userId, userId));
    await tx.delete(verifications).where(eq(verifications.value, userId));
    await tx.delete(calendarFeeds).where(eq(calendarFeeds.userId, userId));
    await eraseNotifications(tx, { userId });
    await insertAudit(tx, { kind: "account.erased", actorId: by.id, subjectId: userId });
    await notifyAccount(tx, { userId });
  });
}

/** Locks the person, as acceptances and handovers do first: none waits for another in a circle. */
function lockPerson(tx: Tx, userId: string) {
  const { email, displayName, profileImgLink } = users;
  return tx.select({ email, displayName, profileImgLink }).from(users).where(eq(users.id, userId)).for("no key update");
}

const unknownName = sql`case when ${holds(users.accountType, "client")} then ${MESSAGES.projects.unknownClient} else ${MESSAGES.projects.unknownUser} end`;

/** Everything held about a person. The export is audited. */
export async function exportPerson(db: Db, { userId, by }: Decision): Promise<PersonExport> {
  return db.transaction(async (tx) => {
    const exported = await findPersonExport(tx, { userId });
    if (!exported) throw new DomainError("NOT_FOUND", MESSAGES.users.notFound);
    await insertAudit(tx, { kind: "account.exported", actorId: by.id, subjectId: userId });
    return exported;
  });
}

/**
 * Changes the actor's own profile; a missing key stays unchanged. BAD_REQUEST for a picture that is not theirs, FORBIDDEN once they
 * are erased.
 */
export async function updateProfile(db: Db, { actor, patch }: { actor: Actor; patch: ProfilePatch }): Promise<void> {
  const { name, displayName, mobile, age, address, profileImgLink, unreadMail } = patch;
  await db.transaction(async (tx) => {
    // Before the picture, as `setPhoto` does: the later of the two wins.
    const [present] = await lockPerson(tx, actor.id);
    const isOther = (to: string | null | undefined, from: string | null | undefined) => to !== undefined && to !== from;
    if (isOther(displayName, present?.displayName) || isOther(profileImgLink, present?.profileImgLink))
      await announcePerson(tx, { userId: actor.id });
    if (profileImgLink) await requirePicture(tx, { userId: actor.id, path: profileImgLink });
    if (profileImgLink === null) await deletePhoto(tx, { userId: actor.id });
    const [updated] = await tx
      .update(users)
      .set({ name, displayName, mobile, age, address, profileImgLink, unreadMail, updatedAt: sql`now()` })
      .where(and(eq(users.id, actor.id), isNull(users.erasedAt)))
      .returning({ id: users.id });
    if (!updated) throw profileMissing();
    await notifyAccount(tx, { userId: actor.id });
  });
}

async function requirePicture(tx: Tx, { userId, path }: { userId: string; path: string }): Promise<void> {
  const [present] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.profileImgLink, path)));
  if (!present) throw new ValidationError<ProfilePatch>({ profileImgLink: [MESSAGES.users.pictureElsewhere] });
}
