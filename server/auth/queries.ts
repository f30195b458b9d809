import type { AccountStatus, AccountType } from "@db/enums";
import { and, eq, gt, inArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { accounts, sessions, users } from "../../db/schema";
import { TERMS_VERSION } from "../contract/accounts";
import type { Me } from "../contract/views";
import type { Actor, Session } from "../core/context";
import { displayNameOf } from "../users/policy";
import { freeUsername, usernameBase } from "./username";

/** The session that a token stands for, with the person's role and status as they are now; null when it has ended. */
export async function findSession(db: Db, { token }: { token: string }): Promise<Session | null> {
  const [row] = await db
    .select({ sessionId: sessions.id, ...actorColumns })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.token, token), gt(sessions.expiresAt, sql`now()`)));
  return row ? { id: row.sessionId, actor: toActor(row) } : null;
}

/** Of these sessions, those that still stand with an active account: the actor by session id. */
export async function findLiveActors(db: Db, sessionIds: readonly string[]): Promise<Map<string, Actor>> {
  const rows = await db
    .select({ sessionId: sessions.id, ...actorColumns })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(inArray(sessions.id, [...sessionIds]), gt(sessions.expiresAt, sql`now()`), eq(users.accountStatus, "active")),
    );
  return new Map(rows.map((row) => [row.sessionId, toActor(row)]));
}

export async function deleteSession(db: Db, { id }: { id: string }): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id));
}

/** The person's own profile. */
export async function findMe(db: Db, { id }: { id: string }): Promise<Me | null> {
  const [row] = await db
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      displayName: users.displayName,
      username: users.username,
      mobile: users.mobile,
      age: users.age,
      address: users.address,
      profileImgLink: users.profileImgLink,
      accountType: users.accountType,
      accountStatus: users.accountStatus,
      accessLevel: users.accessLevel,
      createdAt: users.createdAt,
    })
    .from(users)
    .where(eq(users.id, id));
  return row ? { ...row, displayName: displayNameOf(row) } : null;
}

/** The status of an account, for the auth library's own connection; null when there is no such person. */
export async function findStatus(db: Db, { id }: { id: string }): Promise<AccountStatus | null> {
  const [row] = await db.select({ status: users.accountStatus }).from(users).where(eq(users.id, id));
  return row?.status ?? null;
}

export interface NewAccount {
  name: string;
  email: string;
  mobile: string | null;
  passwordHash: string;
  accountType: AccountType;
  accountStatus: AccountStatus;
}

/**
 * Makes a person with a password account and a free username. Null, and nothing changed, when the e-mail is taken.
 * Sign-ups with the same first name wait for each other, so that none takes another's username.
 */
export async function insertAccount(db: Db | Tx, account: NewAccount): Promise<{ id: string } | null> {
  const { passwordHash, ...person } = account;
  const base = usernameBase(person.name);
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`username:${base}`}))`);
    const taken = await tx
      .select({ username: users.username })
      .from(users)
      .where(sql`${users.username} ~ ${`^${base}[0-9]*$`}`);
    const [inserted] = await tx
      .insert(users)
      .values({
        ...person,
        displayName: person.name,
        username: freeUsername(base, new Set(taken.map(({ username }) => username))),
        agreeToTerms: true,
        termsVersion: TERMS_VERSION,
        termsAcceptedAt: new Date(),
      })
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id });
    if (!inserted) return null;
    await tx.insert(accounts).values({
      userId: inserted.id,
      accountId: inserted.id,
      providerId: "credential",
      password: passwordHash,
    });
    return inserted;
  });
}

/** Whether any active admin exists. */
export async function hasActiveAdmin(db: Db): Promise<boolean> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.accountType, "admin"), eq(users.accountStatus, "active")))
    .limit(1);
  return row !== undefined;
}

const actorColumns = {
  userId: users.id,
  displayName: users.displayName,
  username: users.username,
  email: users.email,
  accountType: users.accountType,
  accountStatus: users.accountStatus,
};

interface ActorRow {
  userId: string;
  displayName: string | null;
  username: string;
  email: string;
  accountType: AccountType;
  accountStatus: AccountStatus;
}

function toActor(row: ActorRow): Actor {
  return {
    id: row.userId,
    displayName: displayNameOf(row),
    accountType: row.accountType,
    accountStatus: row.accountStatus,
  };
}
