import type { AccountStatus, AccountType } from "@db/enums";
import { and, eq, inArray, ne, notExists, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { accounts, apiKeys, invitations, sessions, users } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import { TERMS_VERSION } from "../contract/accounts";
import { MESSAGES } from "../contract/messages";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { queueMail } from "../mail/mutations";
import { notifyOfSignUp } from "../notifications/mutations";
import { notifyAccount } from "../realtime/notify";
import { freeUsername, usernameBase } from "./username";

export interface NewAccount {
  name: string;
  email: string;
  mobile: string | null;
  passwordHash: string;
  accountType: AccountType;
  accountStatus: AccountStatus;
  /** True where whoever runs the server vouches for the address. */
  emailPresumed?: boolean;
  /** Of an accepted invitation: its id, the proof of the address, and who invited when. */
  id?: string;
  emailVerified?: boolean;
  decidedBy?: string | null;
  decidedAt?: Date;
  invitedAt?: Date;
}

/**
 * Makes a person with a password account and a free username. When the e-mail is taken nothing changes and the answer is null; of
 * a sign-up its owner gets a mail that says so. Whoever signs up with a free one gets a link that confirms it.
 * Sign-ups with the same first name wait for each other, so that none takes another's username.
 */
export async function insertAccount(db: Db | Tx, account: NewAccount): Promise<{ id: string } | null> {
  const { passwordHash, ...person } = account;
  return db.transaction(async (tx) => {
    const username = await takeUsername(tx, person.name);
    const [inserted] = await tx
      .insert(users)
      .values(
        columnsOf(users, {
          ...person,
          displayName: person.name,
          username,
          agreeToTerms: true,
          termsVersion: TERMS_VERSION,
          termsAcceptedAt: new Date(),
        }),
      )
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id });
    if (!inserted) {
      if (person.accountStatus === "pending")
        await queueMail(tx, { template: "account-exists", recipient: person.email });
      return null;
    }
    await tx.insert(accounts).values({
      userId: inserted.id,
      accountId: inserted.id,
      providerId: "credential",
      password: passwordHash,
    });
    if (person.accountStatus === "pending")
      await queueMail(tx, { template: "email-confirmation", recipient: inserted.id });
    await notifyAccount(tx, { userId: inserted.id });
    if (person.accountStatus === "pending") await notifyOfSignUp(tx, { userId: inserted.id });
    return inserted;
  });
}

/**
 * Sets the password of a person whose row is locked, in place of any other one, and ends their sessions. Whoever was imported has
 * no use for an invitation any more.
 */
export async function setPassword(
  tx: Tx,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<void> {
  await tx
    .insert(accounts)
    .values({ userId, accountId: userId, providerId: "credential", password: passwordHash })
    .onConflictDoUpdate({
      target: [accounts.providerId, accounts.accountId],
      set: { password: passwordHash, updatedAt: sql`now()` },
    });
  await tx.delete(sessions).where(eq(sessions.userId, userId));
  await tx.delete(invitations).where(eq(invitations.userId, userId));
}

/**
 * Gives a person whom the auth library made the username of the specification in place of the provisional one, and notifies admins of
 * who waits for approval; once, however often it is called.
 */
export async function claimUsername(
  db: Db,
  { userId, provisional }: { userId: string; provisional: string },
): Promise<void> {
  const unclaimed = and(eq(users.id, userId), eq(users.username, provisional));
  await db.transaction(async (tx) => {
    const [person] = await tx.select({ name: users.name }).from(users).where(unclaimed);
    if (!person) return;
    const username = await takeUsername(tx, person.name);
    const [claimed] = await tx
      .update(users)
      .set({ username, updatedAt: sql`now()` })
      .where(unclaimed)
      .returning({ status: users.accountStatus });
    if (!claimed) return;
    await notifyAccount(tx, { userId });
    if (claimed.status === "pending") await notifyOfSignUp(tx, { userId });
  });
}

/** A free username, locked until this transaction ends. */
async function takeUsername(tx: Tx, name: string): Promise<string> {
  const [username = ""] = await takeUsernames(tx, [{ name, wanted: null }]);
  return username;
}

/** A free username for each person, the wanted one where that is free. They stay locked until this transaction ends. */
export async function takeUsernames(tx: Tx, people: { name: string; wanted: string | null }[]): Promise<string[]> {
  const baseOf = (wanted: string) => wanted.replace(/\d+$/, "");
  const bases = people.flatMap(({ name, wanted }) => [
    usernameBase(name),
    ...(wanted === null ? [] : [baseOf(wanted)]),
  ]);
  // In one order everywhere, so that no two wait for each other.
  const sorted = [...new Set(bases)].sort();
  for (const base of sorted) await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`username:${base}`}))`);
  const rows = await tx
    .select({ username: users.username })
    .from(users)
    .where(inArray(sql`regexp_replace(${users.username}, '[0-9]+$', '')`, sorted));
  const taken = new Set(rows.map(({ username }) => username));
  return people.map(({ name, wanted }) => {
    const username = wanted !== null && !taken.has(wanted) ? wanted : freeUsername(usernameBase(name), taken);
    taken.add(username);
    return username;
  });
}

export async function deleteSession(db: Db, { id }: { id: string }): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id));
}

/**
 * Ends a session that was issued for a password which is no longer the one that was checked: a reset between the check and
 * the session's row would otherwise leave it alive. True when the session may stay.
 */
export async function confirmSession(
  db: Db,
  checked: { userId: string; passwordHash: string | null },
  { token }: { token: string },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockPerson(tx, checked);
    const isSame = await isSamePassword(tx, checked);
    if (!isSame) await tx.delete(sessions).where(eq(sessions.token, token));
    return isSame;
  });
}

/** Whether a person's password is still the one with that hash; null: they still have none. */
export async function isSamePassword(
  tx: Tx,
  { userId, passwordHash }: { userId: string; passwordHash: string | null },
): Promise<boolean> {
  const [now] = await tx
    .select({ hash: accounts.password })
    .from(accounts)
    .where(and(eq(accounts.userId, userId), eq(accounts.providerId, "credential")));
  return (now?.hash ?? null) === passwordHash;
}

/** Ends one session of one's own. Another's, or one that has ended: NOT_FOUND. */
export async function endOwnSession(db: Db, { actor, sessionId }: { actor: Actor; sessionId: string }): Promise<void> {
  await db.transaction(async (tx) => {
    await lockPerson(tx, { userId: actor.id });
    const [ended] = await tx
      .delete(sessions)
      .where(and(eq(sessions.id, sessionId), eq(sessions.userId, actor.id), isBrowser(tx)))
      .returning({ id: sessions.id });
    if (!ended) throw new DomainError("NOT_FOUND", MESSAGES.auth.sessionNotFound);
    await insertAudit(tx, { kind: "session.ended", actorId: actor.id, subjectId: actor.id, details: {} });
    await notifyAccount(tx, { userId: actor.id });
  });
}

/** Ends every session of the accounts with these e-mails. */
export async function endSessionsOf(db: Db, { emails }: { emails: readonly string[] }): Promise<void> {
  const theirs = db
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.email, [...emails]));
  await db.delete(sessions).where(inArray(sessions.userId, theirs));
}

/** Ends all of one's own sessions but the current one, and answers how many. API keys stay. */
export async function endOtherSessions(
  db: Db,
  { actor, sessionId }: { actor: Actor; sessionId: string },
): Promise<number> {
  return db.transaction(async (tx) => {
    await lockPerson(tx, { userId: actor.id });
    const ended = await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, actor.id), ne(sessions.id, sessionId), isBrowser(tx)))
      .returning({ id: sessions.id });
    if (ended.length > 0) {
      await insertAudit(tx, {
        kind: "session.ended",
        actorId: actor.id,
        subjectId: actor.id,
        details: { sessions: ended.length },
      });
      await notifyAccount(tx, { userId: actor.id });
    }
    return ended.length;
  });
}

/** Of a session in a statement about sessions: no API key. */
function isBrowser(tx: Tx): SQL {
  return notExists(tx.select({ id: apiKeys.sessionId }).from(apiKeys).where(eq(apiKeys.sessionId, sessions.id)));
}

/**
 * Takes the person's row first, before anything else of theirs: changes of one person's ways in come one after another, and
 * in one order, so that no two of them wait for each other.
 */
export async function lockPerson(tx: Tx, { userId }: { userId: string }): Promise<string | null> {
  const [row] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
  return row?.id ?? null;
}
