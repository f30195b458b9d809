import type { AccountStatus, AccountType } from "@db/enums";
import { and, desc, eq, gt, isNull, not, notInArray, type SQL, sql } from "drizzle-orm";
import { type Db, perDatabase, type Tx } from "../../db/client";
import { holds, isoInstant } from "../../db/expressions";
import { accounts, apiKeys, organisation, sessions, users } from "../../db/schema";
import type { Me, SessionView } from "../contract/views";
import type { Actor, Session } from "../core/context";
import { displayNameOf } from "../users/policy";
import { hasLostPicture, hasTwoFactor, isEmailConfirmed, shownPicture } from "../users/queries";
import { isKeyToken } from "./api-keys";

/** The session of a token, with the person's role and status as they are now; null when it has ended. */
export async function findSession(db: Db, { token }: { token: string }): Promise<Session | null> {
  const [row] = await sessionByToken(db).execute({ token });
  return row ? toSession(token, row) : null;
}

/** Asked by every call, so its text is made once. */
const sessionByToken = perDatabase((db) => selectSession(db, {}).prepare("session_by_token"));

/** The statement of `findSession`, to be prepared, with something of the session's person (`users`) beside it. */
export function selectSession<Beside extends Record<string, SQL>>(db: Db, beside: Beside) {
  return db
    .select({ sessionId: sessions.id, scope: sessions.scope, mustSetUpTwoFactor, ...actorColumns, ...beside })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.token, sql.placeholder("token")), gt(sessions.expiresAt, sql`now()`)));
}

/** The session of what `selectSession` has read. */
export function toSession(
  token: string,
  row: ActorRow & { sessionId: string } & Pick<Session, "scope" | "mustSetUpTwoFactor">,
): Session {
  const { sessionId: id, scope, mustSetUpTwoFactor: must } = row;
  return { id, scope, isKey: isKeyToken(token), mustSetUpTwoFactor: must, actor: toActor(row) };
}

/** The actors of those sessions that are valid, of an active account and may do more than set up two-factor sign-in, by session id. */
export async function findLiveActors(db: Db, sessionIds: readonly string[]): Promise<Map<string, Actor>> {
  const rows = await liveActors(db).execute({ sessionIds: `{${sessionIds.join()}}` });
  return new Map(rows.map((row) => [row.sessionId, toActor(row)]));
}
const liveActors = perDatabase((db) =>
  db
    .select({ sessionId: sessions.id, ...actorColumns })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        // Not `= any(...)`: PostgreSQL would read the text anew for each row, and 5,000 sessions took 21 s instead of 11 ms.
        sql`${sessions.id} in (select unnest(${sql.placeholder("sessionIds")}::text::uuid[]))`,
        gt(sessions.expiresAt, sql`now()`),
        eq(users.accountStatus, "active"),
        not(mustSetUpTwoFactor),
      ),
    )
    .prepare("live_actors"),
);

/** Those session tokens that are valid and of an active account. */
export async function findLiveTokens(db: Db, tokens: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ token: sessions.token })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        // One parameter, however many sockets a process holds.
        sql`${sessions.token} in (select json_array_elements_text(${JSON.stringify(tokens)}::json))`,
        gt(sessions.expiresAt, sql`now()`),
        eq(users.accountStatus, "active"),
      ),
    );
  return new Set(rows.map(({ token }) => token));
}

/** Whether a session is valid. */
export async function isSessionLive(db: Db, { id }: { id: string }): Promise<boolean> {
  const [row] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, id), gt(sessions.expiresAt, sql`now()`)));
  return row !== undefined;
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
      profileImgLink: shownPicture(users),
      hasLostPicture,
      accountType: users.accountType,
      accountStatus: users.accountStatus,
      accessLevel: users.accessLevel,
      unreadMail: users.unreadMail,
      mustSetUpTwoFactor,
      createdAt: isoInstant(users.createdAt),
    })
    .from(users)
    .where(eq(users.id, id));
  return row ? { ...row, displayName: displayNameOf(row) } : null;
}

/** The status of an account; null when there is no such person, or no more. */
export async function findStatus(db: Db, { id }: { id: string }): Promise<AccountStatus | null> {
  const [row] = await db
    .select({ status: users.accountStatus })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.erasedAt)));
  return row?.status ?? null;
}

/** Browsers in which a person is signed in, newest first. */
export async function listSessions(
  db: Db,
  { userId, currentId }: { userId: string; currentId: string },
): Promise<SessionView[]> {
  const rows = await db
    .select({
      id: sessions.id,
      userAgent: sessions.userAgent,
      ipAddress: sessions.ipAddress,
      createdAt: isoInstant(sessions.createdAt),
      expiresAt: isoInstant(sessions.expiresAt),
    })
    .from(sessions)
    .leftJoin(apiKeys, eq(apiKeys.sessionId, sessions.id))
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`), isNull(apiKeys.sessionId)))
    .orderBy(desc(sessions.createdAt));
  return rows.map((row) => ({ ...row, current: row.id === currentId }));
}

/** The hash of a person's password; null for who has none, such as someone who only ever came through Google. */
export async function findPasswordHash(db: Db | Tx, { userId }: { userId: string }): Promise<string | null> {
  const [row] = await db
    .select({ password: accounts.password })
    .from(accounts)
    .where(and(eq(accounts.userId, userId), eq(accounts.providerId, "credential")));
  return row?.password ?? null;
}

/** The person and password hash behind an e-mail; null when nobody can sign in with it by password. */
export async function findCredential(
  db: Db,
  { email }: { email: string },
): Promise<{ userId: string; passwordHash: string } | null> {
  const [row] = await db
    .select({ userId: users.id, hash: accounts.password })
    .from(users)
    .innerJoin(accounts, and(eq(accounts.userId, users.id), eq(accounts.providerId, "credential")))
    .where(eq(users.email, email));
  return row?.hash ? { userId: row.userId, passwordHash: row.hash } : null;
}

/** Whom a mail goes to, unless they were erased, and whether there is nothing to confirm about the address. */
export async function findAddressee(
  db: Db,
  by: { id: string } | { email: string },
): Promise<{ id: string; name: string; email: string; isConfirmed: boolean } | null> {
  const [row] = await db
    .select({ id: users.id, name: users.name, email: users.email, isConfirmed: isEmailConfirmed })
    .from(users)
    .where(and("id" in by ? eq(users.id, by.id) : eq(users.email, by.email), isNull(users.erasedAt)));
  return row ?? null;
}

/** Whether any active admin exists but those of some e-mails. */
export async function hasActiveAdmin(db: Db, { except }: { except: readonly string[] }): Promise<boolean> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.accountType, "admin"),
        eq(users.accountStatus, "active"),
        except.length > 0 ? notInArray(users.email, [...except]) : undefined,
      ),
    )
    .limit(1);
  return row !== undefined;
}

/** Of `users`: the organisation requires two-factor sign-in of admins, and this one has not set it up. For others nothing is read. */
const mustSetUpTwoFactor = sql<boolean>`(${holds(users.accountType, "admin")} and coalesce((select ${organisation.requireTwoFactorForAdmins} from ${organisation}), false) and not ${hasTwoFactor})`;

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
