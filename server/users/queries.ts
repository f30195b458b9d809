import type { AccountStatus, AccountType } from "@db/enums";
import { and, asc, desc, eq, ilike, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../db/client";
import { containsPattern, countRows, isAfter, isoInstant, jsonFields, microsecondsOf } from "../../db/expressions";
import { accounts, invitations, twoFactors, users } from "../../db/schema";
import { PHOTO_PATH, type UserListName } from "../contract/profiles";
import type { Person, UserPage } from "../contract/views";
import { decodeCursor, encodeCursor } from "../core/cursor";

const PAGE_SIZE = 100;

/** The name that others see: display name, else username (spec 3). Never the e-mail: clients read this too. */
export function shownName(person: { displayName: AnyPgColumn; username: AnyPgColumn }): SQL<string> {
  return sql<string>`coalesce(nullif(${person.displayName}, ''), ${person.username})`;
}

/** The path of a person's picture. Links to other hosts, which pages do not load, are null. */
export function shownPicture({ profileImgLink }: { profileImgLink: AnyPgColumn }): SQL<string | null> {
  return sql<string | null>`case when ${isOwnPicture(profileImgLink)} then ${profileImgLink} end`;
}

/** Of `users`: they had a picture on another host, and have not been told yet that nobody sees it any more. */
export const hasLostPicture = sql<boolean>`coalesce(not ${isOwnPicture(users.profileImgLink)}, false)`;

function isOwnPicture(link: AnyPgColumn): SQL {
  return sql`${link} like ${sql.raw(`'${PHOTO_PATH}%'`)}`;
}

/** A person as everyone who shares work with them may see them: no email, no phone. */
export function personJson(person: PersonColumns): SQL<Person> {
  return jsonFields(personColumnsOf(person));
}

/** The columns of a `Person`, of an alias of `users`. */
export function personColumnsOf<People extends PersonColumns>(person: People) {
  const { id, accountType } = person;
  return { id, name: shownName(person), accountType, profileImgLink: shownPicture(person) };
}

/** The columns of a `Person`. */
export const personColumns = personColumnsOf(users);

/** The columns of `users`, or of an alias of it, that make a person. */
type PersonColumns = {
  [Key in "id" | "displayName" | "username" | "accountType" | "profileImgLink"]: AnyPgColumn<
    Pick<(typeof users)[Key]["_"], "data" | "notNull">
  >;
};

/** The Users tab, without erased people: newest first, 100 a page; `counts` are of everyone the search matches. */
export async function listUsers(
  db: Db,
  {
    status,
    q,
    cursor,
  }: { status?: UserListName | undefined; q?: string | undefined; cursor?: string | null | undefined },
): Promise<UserPage> {
  const after = decodeCursor(cursor);
  const matches = and(
    isNull(users.erasedAt),
    q ? or(ilike(users.name, containsPattern(q)), ilike(users.email, containsPattern(q))) : undefined,
  );
  const [rows, [counts]] = await Promise.all([
    db
      .select({ ...adminUserColumns, microseconds: microsecondsOf(users.createdAt) })
      .from(users)
      .where(
        and(
          matches,
          status && inArray(users.accountStatus, LISTED[status]),
          after ? isAfter(after, { instant: users.createdAt, id: users.id }) : undefined,
        ),
      )
      .orderBy(desc(users.createdAt), desc(users.id))
      .limit(PAGE_SIZE + 1),
    db
      .select({
        all: countRows(),
        pending: countRows(inArray(users.accountStatus, LISTED.pending)),
        active: countRows(inArray(users.accountStatus, LISTED.active)),
        rejected: countRows(inArray(users.accountStatus, LISTED.rejected)),
      })
      .from(users)
      .where(matches),
  ]);
  const page = rows.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return {
    items: page.map(({ microseconds: _, ...user }) => user),
    nextCursor: rows.length > PAGE_SIZE && last ? encodeCursor(last) : null,
    counts: counts ?? { all: 0, pending: 0, active: 0, rejected: 0 },
  };
}

const LISTED: Record<UserListName, AccountStatus[]> = {
  pending: ["pending"],
  active: ["active"],
  rejected: ["rejected", "inactive"],
};

/** Whether an address counts as confirmed: proven, or trusted before proof was asked for. */
export const isEmailConfirmed = sql<boolean>`(${users.emailVerified} or ${users.emailPresumed})`;

/** Of `users`: they sign in with a second factor. */
export const hasTwoFactor = sql<boolean>`exists (select from ${twoFactors} where ${twoFactors.userId} = ${users.id} and ${twoFactors.enabledAt} is not null)`;

/** The columns of an admin's view of a person. */
export const adminUserColumns = {
  id: users.id,
  name: users.name,
  username: users.username,
  email: users.email,
  emailVerified: isEmailConfirmed,
  hasTwoFactor,
  hasSignInMethod: sql<boolean>`exists (select from ${accounts} where ${eq(accounts.userId, users.id)})`,
  mobile: users.mobile,
  accountType: users.accountType,
  accountStatus: users.accountStatus,
  createdAt: isoInstant(users.createdAt),
};

/**
 * A text that changes when any account or open invitation is created, changed or removed. With sums, not with the latest time: what
 * was begun before the latest change may be committed after it.
 */
export async function fingerprintUsers(db: Db): Promise<string> {
  const versionsOf = (at: AnyPgColumn) => sql`concat_ws(' ', count(*), sum(extract(epoch from ${at})))`;
  const [row] = await db
    .select({
      value: sql<string>`concat_ws(' ', ${versionsOf(users.updatedAt)},
        (select ${versionsOf(twoFactors.enabledAt)} from ${twoFactors}),
        (select count(*) from ${accounts}),
        (select ${versionsOf(invitations.updatedAt)} from ${invitations}))`,
    })
    .from(users);
  return row?.value ?? "";
}

/** Active people of the given types, by name. */
export async function listActivePeople(db: Db, accountTypes: AccountType[]): Promise<Person[]> {
  return db
    .select(personColumns)
    .from(users)
    .where(and(inArray(users.accountType, accountTypes), eq(users.accountStatus, "active")))
    .orderBy(asc(sql`lower(${shownName(users)})`), asc(users.id));
}

/** The people of these ids, whatever their status, once each, by username. */
export async function findPeople(db: Db | Tx, ids: readonly string[]): Promise<Person[]> {
  if (ids.length === 0) return [];
  return db
    .select(personColumns)
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]))
    .orderBy(asc(users.username));
}

/** Which of the ids are active people of the given types. */
export async function findActiveIds(db: Db | Tx, ids: string[], accountTypes: AccountType[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, ids), inArray(users.accountType, accountTypes), eq(users.accountStatus, "active")));
  return new Set(found.map(({ id }) => id));
}
