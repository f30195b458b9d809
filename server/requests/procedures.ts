import { mayWrite } from "../comments/policy";
import { MESSAGES } from "../contract/messages";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { type ActiveCall, visibleProject } from "../projects/procedures";
import type { ProjectRow } from "../projects/queries";
import { findRequestPosition, type RequestPosition } from "./lists";
import { mayAnswer, mayDecide } from "./policy";
import { findRequest, isOwnMessage, type RequestRow } from "./queries";

/** Check 5: the request, if the caller may see it; else NOT_FOUND, as for an id that does not exist. */
export async function visibleRequest({ db, actor }: ActiveCall, id: string): Promise<RequestRow> {
  const request = await findRequest(db, { id, actor });
  if (!request) throw requestNotFound();
  return request;
}

/** Check 5: where a list goes on after a request that the caller may see. */
export async function visiblePosition({ db, actor }: ActiveCall, id: string): Promise<RequestPosition> {
  const position = await findRequestPosition(db, { id, actor });
  if (!position) throw requestNotFound();
  return position;
}

/** Checks 5 and 6: the same, if the caller manages its project or is an admin. */
export async function decidableRequest(call: ActiveCall, id: string): Promise<RequestRow> {
  const request = await visibleRequest(call, id);
  requireDecides(call.actor, request.involvement);
  return request;
}

/** Checks 5 and 6: the same, if the caller is its client's, and client collaboration is on. */
export async function answerableRequest(call: ActiveCall, id: string): Promise<RequestRow> {
  const request = await visibleRequest(call, id);
  requireAnswers(call.actor, request.involvement);
  return request;
}

/** Check 6 of a decision; once more under the project's lock. */
export function requireDecides(actor: Actor, project: { managers: string[] }): void {
  if (!mayDecide(actor, project)) throw new DomainError("FORBIDDEN", MESSAGES.requests.managersOnly);
}

/** Check 6 of an answer; once more under the project's lock. */
export function requireAnswers(actor: Actor, project: { clientCollaboration: boolean }): void {
  if (mayAnswer(actor, project)) return;
  const { clientsOnly, collaborationOff } = MESSAGES.requests;
  throw new DomainError("FORBIDDEN", actor.accountType === "client" ? collaborationOff : clientsOnly);
}

/** Check 6 of a new request; once more under the project's lock. */
export function requireFiles(actor: Actor, project: { clientCollaboration: boolean }): void {
  if (!mayWrite(actor, project)) throw new DomainError("FORBIDDEN", MESSAGES.requests.collaborationOff);
}

/**
 * Checks 5 and 6: the project that the caller may file a request in, of a message of their own conversations where one is named.
 */
export async function requestableProject(
  call: ActiveCall,
  { projectId, messageId }: { projectId: string; messageId?: string | undefined },
): Promise<ProjectRow> {
  const project = await visibleProject(call, projectId);
  if (messageId !== undefined && !(await isOwnMessage(call.db, { messageId, actor: call.actor })))
    throw new DomainError("NOT_FOUND", MESSAGES.requests.messageNotFound);
  requireFiles(call.actor, project);
  return project;
}

/** The error of a request that somebody may not see, or that does not exist. */
export function requestNotFound(): DomainError {
  return new DomainError("NOT_FOUND", MESSAGES.requests.notFound);
}
