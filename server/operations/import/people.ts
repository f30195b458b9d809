import { and, asc, eq, inArray, ne, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../../db/client";
import { holds } from "../../../db/expressions";
import { users } from "../../../db/schema";
import { columnsOf, rowsOf } from "../../../db/writes";
import { takeUsernames } from "../../auth/mutations";
import { notifyAccount } from "../../realtime/notify";
import type { Take } from "./fields";
import { changed, type Subject, unmatched } from "./notes";
import { knownPeople, stagedPeople } from "./staging";

const BATCH = 200;
const USERNAME = /^[a-z]+[0-9]*$/;

type Staged = typeof stagedPeople.$inferSelect;

/**
 * Adds the staged people who are not there yet, by id or email, and writes down whom each id of the file stands for. Two of one
 * email are one person: the older account. Returns how many were added.
 */
export async function importPeople(db: Db | Tx, take: Take): Promise<number> {
  const staged = await db.select().from(stagedPeople).orderBy(asc(stagedPeople.createdAt), asc(stagedPeople.place));
  const ofEmail = new Map<string, Staged>();
  for (const person of staged) {
    const older = ofEmail.get(person.email);
    if (older) take(unmatched(subjectOf(person), "email", person.email, `${older.fileId} is older and has it too`));
    else ofEmail.set(person.email, person);
  }
  const people = [...ofEmail.values()];
  let imported = 0;
  for (let at = 0; at < people.length; at += BATCH) {
    const batch = people.slice(at, at + BATCH);
    imported += await db.transaction((tx) => addMissing(tx, batch));
  }
  const known = staged.flatMap(({ fileId, email }) => {
    const person = ofEmail.get(email);
    return person ? [{ fileId, email, id: person.id }] : [];
  });
  await db.execute(sql`
    insert into ${knownPeople}
    select distinct on (file.${sql.identifier("fileId")}) file.${sql.identifier("fileId")}, ${users.id}
    from json_to_recordset(${JSON.stringify(known)}::json) as file("fileId" text, email text, id uuid)
    join ${users} on ${users.id} = file.id or ${users.email} = file.email
    order by 1, ${users.id} = file.id desc`);
  await noteOtherUsernames(db, take);
  return imported;
}

/** Of everyone who came with the file, so that a run after one that was killed tells it of those who were there already. */
async function noteOtherUsernames(db: Db | Tx, take: Take): Promise<void> {
  const renamed = await db
    .select({ fileId: stagedPeople.fileId, from: stagedPeople.username, to: users.username })
    .from(stagedPeople)
    .innerJoin(users, eq(users.id, stagedPeople.id))
    .where(ne(users.username, stagedPeople.username))
    .orderBy(asc(stagedPeople.createdAt), asc(stagedPeople.place));
  const why = "usernames are lower-case letters with a number and are used once";
  for (const { fileId, from, to } of renamed)
    take(changed({ kind: "user", id: fileId }, "username", { from, to, why }));
}

async function addMissing(tx: Tx, people: Staged[]): Promise<number> {
  const ids = people.map(({ id }) => id);
  const emails = people.map(({ email }) => email);
  const present = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(or(inArray(users.id, ids), inArray(users.email, emails)));
  const isPresent = new Set(present.flatMap(({ id, email }) => [id, email]));
  const missing = people.filter(({ id, email }) => !isPresent.has(id) && !isPresent.has(email));
  if (missing.length === 0) return 0;
  const wanted = missing.map(({ name, username }) => ({
    name,
    wanted: username !== null && USERNAME.test(username) ? username : null,
  }));
  const usernames = await takeUsernames(tx, wanted);
  const added = await tx
    .insert(users)
    .values(
      rowsOf(
        users,
        missing.map((person, index) => rowOf(person, usernames[index] ?? "")),
      ),
    )
    // Who signs up with the same email in this moment is found by it from now on.
    .onConflictDoNothing()
    .returning({ id: users.id });
  await Promise.all(added.map(({ id }) => notifyAccount(tx, { userId: id })));
  return added.length;
}

function rowOf({ place: _, fileId: __, createdAt, erasedAt, displayName, ...person }: Staged, username: string) {
  return columnsOf(users, {
    ...person,
    displayName: displayName ?? person.name,
    username,
    createdAt: new Date(createdAt),
    updatedAt: new Date(createdAt),
    erasedAt: erasedAt === null ? null : new Date(erasedAt),
  });
}

function subjectOf({ fileId }: Staged): Subject {
  return { kind: "user", id: fileId };
}

/** Everyone of the file, by the ids it uses, and every client by name. */
export async function findPeople(db: Db | Tx) {
  const rows = await db
    .select({ fileId: knownPeople.fileId, userId: users.id, accountType: users.accountType })
    .from(knownPeople)
    .innerJoin(users, eq(users.id, knownPeople.userId));
  const clients = await db
    .select({ id: users.id, name: users.name, displayName: users.displayName })
    .from(users)
    .where(eq(users.accountType, "client"));
  const byName = new Map<string, Set<string>>();
  for (const { id, name, displayName } of clients) {
    for (const one of [name, displayName ?? name]) {
      const key = one.trim().toLowerCase();
      byName.set(key, (byName.get(key) ?? new Set()).add(id));
    }
  }
  const byFileId = new Map(rows.map(({ fileId, userId, accountType }) => [fileId, { userId, accountType }]));
  return {
    byFileId,
    /** The clients of that name. */
    clientsNamed: (name: string): string[] => [...(byName.get(name.trim().toLowerCase()) ?? [])],
  };
}

export type People = Awaited<ReturnType<typeof findPeople>>;

/** Whether there is an admin, or will be once the staged people are there. */
export async function hasAdminSoon(db: Db | Tx): Promise<boolean> {
  if ((await findFirstAdmin(db)) !== null) return true;
  const older = alias(stagedPeople, "older");
  // Who is known here by id or email stays what they are, and so does the older one of two.
  const isNew = sql`not exists (select from ${users} where ${or(eq(users.id, stagedPeople.id), eq(users.email, stagedPeople.email))})`;
  const isOldest = sql`not exists (select from ${stagedPeople} "older" where ${eq(older.email, stagedPeople.email)}
    and (${older.createdAt}, ${older.place}) < (${stagedPeople.createdAt}, ${stagedPeople.place}))`;
  return (await db.$count(stagedPeople, and(eq(stagedPeople.accountType, "admin"), isNew, isOldest))) > 0;
}

/** Who stands for creators that nobody knows: the first admin, an active one where there is one. Null without any admin. */
export async function findFirstAdmin(db: Db | Tx): Promise<string | null> {
  const [admin] = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.accountType, "admin"))
    .orderBy(sql`${holds(users.accountStatus, "active")} desc`, asc(users.createdAt), asc(users.id))
    .limit(1);
  return admin?.id ?? null;
}
