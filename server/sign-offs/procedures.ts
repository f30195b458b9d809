import type { Db, Tx } from "../../db/client";
import { MESSAGES } from "../contract/messages";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { type ActiveCall, visibleProject } from "../projects/procedures";
import type { ProjectRow } from "../projects/queries";
import { findSignOff, findSignOffs, type SignOffFilter, type SignOffRow } from "./queries";

/** What the checks need of a call, also within a transaction. */
interface SignOffCall extends Omit<ActiveCall, "db"> {
  db: Db | Tx;
}

/** Check 5: a sign-off, if the caller may see it; else NOT_FOUND, as for an id that does not exist. */
export async function visibleSignOff({ db, actor }: SignOffCall, id: string): Promise<SignOffRow> {
  const signOff = await findSignOff(db, { id, actor });
  if (!signOff) throw new DomainError("NOT_FOUND", MESSAGES.signOffs.notFound);
  return signOff;
}

/** Of one project, also of one that is gone; NOT_FOUND where the caller sees neither it nor a sign-off of it. Without one all. */
export async function visibleSignOffs(call: ActiveCall, filter: SignOffFilter): Promise<SignOffRow[]> {
  const rows = await findSignOffs(call.db, { actor: call.actor, ...filter });
  const { projectId } = filter;
  // A sign-off of another status, too, shows that there is something to see.
  if (rows.length > 0 || projectId === undefined) return rows;
  const others = filter.status ? await findSignOffs(call.db, { actor: call.actor, projectId }) : [];
  if (others.length === 0) await visibleProject(call, projectId);
  return rows;
}

/** Checks 5 and 6: a project whose managers the caller is among; admins are everywhere. */
export async function managedProject(call: ActiveCall, id: string): Promise<ProjectRow> {
  const project = await visibleProject(call, id);
  requireManages(call.actor, project);
  return project;
}

/** Check 6 of a question; once more under the project's lock. */
export function requireManages({ id, accountType }: Actor, { managers }: { managers: string[] }): void {
  if (accountType !== "admin" && !managers.includes(id))
    throw new DomainError("FORBIDDEN", MESSAGES.signOffs.managersOnly);
}

/** Checks 5 and 6: a sign-off that the caller may withdraw while it is asked. */
export async function managedSignOff(call: SignOffCall, id: string): Promise<SignOffRow> {
  const signOff = await visibleSignOff(call, id);
  if (!signOff.isManaged && call.actor.accountType !== "admin")
    throw new DomainError("FORBIDDEN", MESSAGES.signOffs.managersOnly);
  return signOff;
}

/** Checks 5 and 6: a sign-off that the caller was asked and may decide, as far as the project lets its client write. */
export async function ownSignOff(call: SignOffCall, id: string): Promise<SignOffRow> {
  const signOff = await visibleSignOff(call, id);
  if (signOff.signerId !== call.actor.id) throw new DomainError("FORBIDDEN", MESSAGES.signOffs.signerOnly);
  if (signOff.project && !signOff.project.clientCollaboration)
    throw new DomainError("FORBIDDEN", MESSAGES.signOffs.mayNotDecide, { reason: "collaboration-off" });
  return signOff;
}
