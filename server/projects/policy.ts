import { ACCOUNT_TYPES, MEMBER_ROLES } from "@db/enums";
import { and, eq, exists, ne, not, or, type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, alias } from "drizzle-orm/pg-core";
import { type IdValue, quoted } from "../../db/expressions";
import { projectMembers, projects } from "../../db/schema";
import type { Actor } from "../core/context";

/** Who sees: an actor, or an account type with a placeholder for the id. */
export interface Viewer extends Pick<Actor, "accountType"> {
  id: IdValue;
}

/** Projects the actor may see: all for admins, else where they are creator, client or one of its people, assignee or manager. Spec 6. */
export function visibleTo(actor: Viewer): SQL | undefined {
  return actor.accountType === "admin" ? undefined : involving(actor);
}

/**
 * Projects the actor takes part in, admins included. A client keeps nothing by having created a project while still a
 * user, nor does anybody else by having been one of the client's people (decisions.md). Their ids come from three indexes, so that the cost follows the actor's projects; as three conditions
 * with `or` it followed everybody's. With one id given, PostgreSQL looks for that one only.
 */
export function involving({ id, accountType }: Viewer): SQL | undefined {
  const own = alias(projects, "own");
  const idsWhere = (condition: SQL) =>
    sql`select ${own.id} from ${projects} as ${sql.identifier("own")} where ${condition}`;
  const ids = [
    sql`select ${projectMembers.projectId} from ${projectMembers} where ${and(eq(projectMembers.userId, id), accountType === "client" ? undefined : isOfFirm)}`,
    idsWhere(eq(own.clientId, id)),
    ...(accountType === "client" ? [] : [idsWhere(eq(own.createdBy, id))]),
  ];
  return sql`${projects.id} in (${sql.join(ids, sql` union all `)})`;
}

/** The same rule as `visibleTo` over a row that was read for many watchers at once. */
export function isVisibleTo(actor: Actor, project: Involvement): boolean {
  return (
    actor.accountType === "admin" ||
    project.clientId === actor.id ||
    project.assignedTo.includes(actor.id) ||
    project.managers.includes(actor.id) ||
    (actor.accountType === "client" ? project.clientPeople.includes(actor.id) : project.createdBy === actor.id)
  );
}

/** Whoever sees a project may edit it and its tasks, but for clients: they read only. Spec 6. */
export function mayEdit(actor: Pick<Actor, "accountType">): boolean {
  return actor.accountType !== "client";
}

/** Who answers for a project: its managers and admins. */
export function mayManage(
  { id, accountType }: Pick<Actor, "id" | "accountType">,
  { managers }: Pick<Involvement, "managers">,
) {
  return accountType === "admin" || (accountType === "user" && managers.includes(id));
}

/** Projects the actor answers for, as `mayManage`: for lists. */
export function managedBy({ id, accountType }: Pick<Actor, "id" | "accountType">): SQL | undefined {
  if (accountType === "admin") return undefined;
  if (accountType === "client") return sql`false`;
  const isManager = and(eq(projectMembers.userId, id), eq(projectMembers.role, quoted(MEMBER_ROLES, "manager")));
  return sql`${projects.id} in (select ${projectMembers.projectId} from ${projectMembers} where ${isManager})`;
}

/** The people a project is about; what visibility depends on. */
export interface Involvement {
  clientId: string | null;
  /** Further people of the client. */
  clientPeople: string[];
  createdBy: string;
  assignedTo: string[];
  managers: string[];
}

/** Everyone who sees the project by being part of it, once each. */
export function involvedIds({ clientId, clientPeople, createdBy, assignedTo, managers }: Involvement): string[] {
  return [...new Set([createdBy, ...(clientId ? [clientId] : []), ...clientPeople, ...assignedTo, ...managers])];
}

const isOfFirm = ne(projectMembers.role, quoted(MEMBER_ROLES, "client"));

/** Projects that a person of the surrounding query takes part in: `involving`, for a row of `users`. */
export function involvingPerson(person: { id: AnyPgColumn; accountType: AnyPgColumn }): SQL | undefined {
  const isClient = eq(person.accountType, quoted(ACCOUNT_TYPES, "client"));
  return or(
    eq(projects.clientId, person.id),
    exists(
      sql`(select 1 from ${projectMembers} where ${and(
        eq(projectMembers.projectId, projects.id),
        eq(projectMembers.userId, person.id),
        or(isOfFirm, isClient),
      )})`,
    ),
    and(eq(projects.createdBy, person.id), not(isClient)),
  );
}
