import { and, desc, eq, gt, inArray, isNull, notExists, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../db/client";
import { isoInstant, jsonRows, whenPresent } from "../../db/expressions";
import { accounts, invitations, projectMembers, projects, users } from "../../db/schema";
import type { Invitation } from "../contract/views";
import { personJson } from "../users/queries";

const inviters = alias(users, "inviters");

/** Of an invitation in a statement with its `inviters`: whoever runs the server sent it, or somebody who is still an active admin. */
const isBacked = sql<boolean>`(${isNull(invitations.invitedBy)} or ${and(eq(inviters.accountType, "admin"), eq(inviters.accountStatus, "active"))})`;

/** Open invitations, newest first. */
export async function listInvitations(db: Db): Promise<Invitation[]> {
  const chosen = db
    .select({ id: projects.id, title: sql<string>`${projects.title}`.as("title") })
    .from(projects)
    .where(sql`${projects.id} = any(${invitations.projectIds})`)
    .orderBy(projects.title);
  return db
    .select({
      id: invitations.id,
      email: invitations.email,
      name: sql<string>`coalesce(${users.name}, ${invitations.name})`,
      accountType: sql<Invitation["accountType"]>`coalesce(${users.accountType}, ${invitations.accountType})`,
      projects: jsonRows(chosen),
      userId: invitations.userId,
      invitedBy: whenPresent(inviters.id, personJson(inviters)),
      isValid: sql<boolean>`(${isBacked} and ${gt(invitations.expiresAt, sql`now()`)})`,
      expiresAt: isoInstant(invitations.expiresAt),
      createdAt: isoInstant(invitations.createdAt),
    })
    .from(invitations)
    .leftJoin(users, eq(users.id, invitations.userId))
    .leftJoin(inviters, eq(inviters.id, invitations.invitedBy))
    .orderBy(desc(invitations.createdAt), desc(invitations.id));
}

/** What the mail says; null when the invitation is gone or no longer backed by an admin. */
export async function findInvitationToMail(db: Db, { invitationId }: { invitationId: string }) {
  const [found] = await db
    .select({
      email: invitations.email,
      name: sql<string>`coalesce(${users.name}, ${invitations.name})`,
      inviterName: inviters.name,
    })
    .from(invitations)
    .leftJoin(users, eq(users.id, invitations.userId))
    .leftJoin(inviters, eq(inviters.id, invitations.invitedBy))
    .where(and(eq(invitations.id, invitationId), isBacked));
  return found ?? null;
}

/** An invitation that can be accepted, and its inviter; null for one that is gone or no longer backed by an admin. */
export async function findBackedInvitation(tx: Tx, { invitationId }: { invitationId: string }) {
  const [found] = await tx
    .select({ email: invitations.email })
    .from(invitations)
    .leftJoin(inviters, eq(inviters.id, invitations.invitedBy))
    .where(and(eq(invitations.id, invitationId), isBacked));
  return found ?? null;
}

/** Of a person in a statement about users: nothing to sign in with, as imported people have. */
export function lacksSignInMethod(db: Db | Tx): SQL {
  return notExists(db.select({ id: accounts.id }).from(accounts).where(eq(accounts.userId, users.id)));
}

/** The status of the account with an email, and whether it can sign in; null where there is none. */
export async function findAccount(db: Db | Tx, by: { email: string } | { id: string }) {
  const [found] = await db
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      accountType: users.accountType,
      accountStatus: users.accountStatus,
      hasSignInMethod: sql<boolean>`not ${lacksSignInMethod(db)}`,
    })
    .from(users)
    .where(and("id" in by ? eq(users.id, by.id) : eq(users.email, by.email), isNull(users.erasedAt)));
  return found ?? null;
}

/** The chosen projects, each with how many further people its client has. */
export async function findChosenProjects(tx: Tx, { projectIds }: { projectIds: readonly string[] }) {
  if (projectIds.length === 0) return [];
  const { projectId, role } = projectMembers;
  return tx
    .select({
      id: projects.id,
      title: projects.title,
      clientPeople: tx.$count(projectMembers, and(eq(projectId, projects.id), eq(role, "client"))),
    })
    .from(projects)
    .where(inArray(projects.id, [...projectIds]))
    .orderBy(projects.title);
}
