import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, like, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { users, verifications } from "../../db/schema";
import { DomainError } from "../core/errors";
import { lockPerson } from "./mutations";

/** What a token is for: a link in a mail, the second step of a sign-in, a remembered browser. It works for one kind only. */
export interface LinkKind {
  name: "reset" | "confirm" | "invitation" | "sign-in" | "sign-in-remembered" | "browser";
  minutes: number;
  /** The sentence for a link that has expired or was used. */
  dead: string;
}

/** A one-time token of that owner, a person or an invitation; only its hash is kept. */
export async function createLinkToken(db: Db | Tx, kind: LinkKind, { ownerId }: { ownerId: string }): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db.insert(verifications).values({
    identifier: identifierOf(kind, token),
    value: ownerId,
    expiresAt: sql`now() + make_interval(mins => ${kind.minutes})`,
  });
  return token;
}

/** Of `users`: whether a token that still works is theirs. */
export function ownsLink(kind: LinkKind, { token }: { token: string }): SQL<boolean> {
  return sql<boolean>`exists (select from ${verifications} where ${verifications.identifier} = ${identifierOf(kind, token)} and ${verifications.value} = ${users.id}::text and ${verifications.expiresAt} > now())`;
}

/** Whose link it is, as long as it works; null for one that does not. */
export async function findLinkOwner(db: Db | Tx, kind: LinkKind, { token }: { token: string }): Promise<string | null> {
  const [row] = await db
    .select({ ownerId: verifications.value })
    .from(verifications)
    .where(and(eq(verifications.identifier, identifierOf(kind, token)), gt(verifications.expiresAt, sql`now()`)));
  return row?.ownerId ?? null;
}

/**
 * Locks the person whom a link belongs to and uses it up, with every other link of the same kind that they have: their id. Of
 * ten uses at once, of one link or of several, one succeeds; the others get `refusedLink`.
 */
export async function takeLink(tx: Tx, kind: LinkKind, { token }: { token: string }): Promise<string> {
  const owner = await findLinkOwner(tx, kind, { token });
  const userId = owner && (await lockPerson(tx, { userId: owner }));
  // Looked up again: whoever held the lock before may have used the link up.
  if (!userId || !(await findLinkOwner(tx, kind, { token }))) throw refusedLink(kind);
  await deleteLinks(tx, kind, { ownerId: userId });
  return userId;
}

/** Every link of that kind and owner is dead from the commit on. */
export async function deleteLinks(tx: Tx, { name }: LinkKind, { ownerId }: { ownerId: string }): Promise<void> {
  await tx
    .delete(verifications)
    .where(and(like(verifications.identifier, `${name}:%`), eq(verifications.value, ownerId)));
}

/** BAD_REQUEST, `link-expired`: the link has expired, was used, or never was. */
export function refusedLink({ dead }: LinkKind): DomainError {
  return new DomainError("BAD_REQUEST", dead, { reason: "link-expired" });
}

/** Whether an error is `refusedLink`'s. */
export function isRefusedLink(error: unknown): boolean {
  return error instanceof DomainError && error.code === "BAD_REQUEST";
}

function identifierOf({ name }: LinkKind, token: string): string {
  return `${name}:${createHash("sha256").update(token).digest("hex")}`;
}
