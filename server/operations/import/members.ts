import { and, asc, eq, or, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/client";
import { users } from "../../../db/schema";
import type { Take } from "./fields";
import { unmatched } from "./notes";
import { knownPeople, stagedMembers } from "./staging";

/**
 * Finds the account of each member: by email where one is given, else by a name that only one active person bears. Anybody may sign up
 * under any name.
 */
export async function matchMembers(db: Db | Tx, take: Take): Promise<void> {
  const members = await db.select().from(stagedMembers).orderBy(asc(stagedMembers.place));
  for (const { fileId, name, email } of members) {
    const found = await db
      .select({ id: users.id })
      .from(users)
      .where(email === null ? bears(name) : eq(users.email, email));
    const [account, another] = found;
    if (account && !another) await db.insert(knownPeople).values({ fileId, userId: account.id }).onConflictDoNothing();
    else take(missOf({ fileId, name, email, count: found.length }));
  }
}

function bears(name: string) {
  const wanted = sql`lower(${name.trim()}::text)`;
  const isNamed = or(...[users.name, users.displayName].map((column) => sql`lower(trim(${column})) = ${wanted}`));
  return and(eq(users.accountStatus, "active"), isNamed);
}

function missOf({ fileId, name, email, count }: { fileId: string; name: string; email: string | null; count: number }) {
  const subject = { kind: "user", id: fileId } as const;
  if (email !== null) return unmatched(subject, "email", email, "nobody has that email here");
  const why = count === 0 ? "nobody has that name here" : `${count} people have that name here`;
  return unmatched(subject, "name", name, `${why}; --map-member "${name}=EMAIL" says who it is`);
}
