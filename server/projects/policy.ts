import { ACCOUNT_TYPES } from "@db/enums";
import { and, eq, exists, ne, or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type IdValue, quoted } from "../../db/expressions";
import { projectMembers, projects } from "../../db/schema";
import type { Actor } from "../core/context";

/** Who sees: an actor, or an account type with a placeholder for the id. */
export interface Viewer extends Pick<Actor, "accountType"> {
  id: IdValue;
}

/** Projects the actor may see: all for admins, else where they are creator, client, assignee or manager. Spec 6. */
export function visibleTo(actor: Viewer): SQL | undefined {
  return actor.accountType === "admin" ? undefined : takingPart(actor, isMember(actor.id));
}

/** The same for a list: found by the actor's own memberships, whatever other projects there are. */
export function listedFor(actor: Viewer): SQL | undefined {
  return actor.accountType === "admin" ? undefined : involving(actor);
}

/** Projects the actor takes part in, admins included, for a list. */
export function involving(actor: Viewer): SQL | undefined {
  const memberships = sql`select ${projectMembers.projectId} from ${projectMembers} where ${eq(projectMembers.userId, actor.id)}`;
  // As an array, which PostgreSQL looks up in an index like the other two conditions; `in` would go through all projects.
  return takingPart(actor, sql`${projects.id} = any(array(${memberships}))`);
}

/** A client keeps nothing by having created a project while still a user (decisions.md). */
function takingPart(actor: Viewer, asMember: SQL): SQL | undefined {
  const asParticipant = or(eq(projects.clientId, actor.id), asMember);
  return actor.accountType === "client" ? asParticipant : or(eq(projects.createdBy, actor.id), asParticipant);
}

/** The same rule as `visibleTo` over a row that was read for many watchers at once. */
export function isVisibleTo(actor: Actor, project: Involvement): boolean {
  return (
    actor.accountType === "admin" ||
    project.clientId === actor.id ||
    project.assignedTo.includes(actor.id) ||
    project.managers.includes(actor.id) ||
    (project.createdBy === actor.id && actor.accountType !== "client")
  );
}

/** Whoever sees a project may edit it and its tasks, but for clients: they read only. Spec 6. */
export function mayEdit(actor: Actor): boolean {
  return actor.accountType !== "client";
}

/** The people a project is about; what visibility depends on. */
export interface Involvement {
  clientId: string | null;
  createdBy: string;
  assignedTo: string[];
  managers: string[];
}

/** Everyone who sees the project by being part of it, once each. */
export function involvedIds({ clientId, createdBy, assignedTo, managers }: Involvement): string[] {
  return [...new Set([createdBy, ...(clientId ? [clientId] : []), ...assignedTo, ...managers])];
}

/** Whether that person is assigned to the surrounding project row, or manages it. */
function isMember(userId: IdValue): SQL {
  return exists(
    sql`(select 1 from ${projectMembers} where ${and(eq(projectMembers.projectId, projects.id), eq(projectMembers.userId, userId))})`,
  );
}

/** Projects that a person of the surrounding query takes part in: `involving`, for a row of `users`. */
export function involvingPerson(person: { id: AnyPgColumn; accountType: AnyPgColumn }): SQL | undefined {
  return or(
    eq(projects.clientId, person.id),
    isMember(person.id),
    and(eq(projects.createdBy, person.id), ne(person.accountType, quoted(ACCOUNT_TYPES, "client"))),
  );
}
