import type { RequestStatus } from "@db/client-enums";
import { and, eq, exists, inArray, not, or, type SQL, sql } from "drizzle-orm";
import { holds } from "../../db/expressions";
import { projectMembers, projects, requests } from "../../db/schema";
import { mayWrite } from "../comments/policy";
import type { Turn } from "../contract/views";
import type { Actor } from "../core/context";
import { visibleTo } from "../projects/policy";

/** Of a query over `requests`: they can be decided about, once. */
export const isOpen: SQL = inArray(requests.status, ["new", "asked"]);

/**
 * Who owes the next move: the client after a question, the firm before it, and while the client may not answer. For lists: `isFirms`.
 */
export function owing({
  status,
  clientCollaboration,
}: {
  status: RequestStatus;
  clientCollaboration: boolean;
}): Turn["owes"] {
  if (status === "asked") return clientCollaboration ? "client" : "firm";
  return status === "new" ? "firm" : "nobody";
}

/** Of a query over open `requests` with `projects` joined: the firm owes the next move. */
export const isFirms = sql<boolean>`(${or(holds(requests.status, "new"), not(projects.clientCollaboration))})`;

/** Whether somebody decides about the requests of a project: its managers, and admins. */
export function mayDecide({ id, accountType }: Pick<Actor, "id" | "accountType">, project: { managers: string[] }) {
  return accountType === "admin" || (accountType === "user" && project.managers.includes(id));
}

/** Whether somebody who sees a project answers for its client: with client collaboration. */
export function mayAnswer(actor: Pick<Actor, "accountType">, project: { clientCollaboration: boolean }): boolean {
  return actor.accountType === "client" && mayWrite(actor, project);
}

/** Of a query over `requests` with `projects` joined: those that wait for the actor's side, or would. */
export function concerning(actor: Actor): SQL | undefined {
  return actor.accountType === "user" ? managedBy(actor.id) : visibleTo(actor);
}

function managedBy(actorId: string): SQL {
  const { projectId, userId, role } = projectMembers;
  const isManager = and(eq(projectId, projects.id), eq(userId, actorId), holds(role, "manager"));
  return exists(sql`(select 1 from ${projectMembers} where ${isManager})`);
}
