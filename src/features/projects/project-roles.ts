import type { AccountType } from "@db/enums";
import type { Project } from "@server/contract/views";

/** Whether somebody is a client of a project. */
export function isClientOf({ clientId, clientPeople }: Project, userId: string): boolean {
  return clientId === userId || clientPeople.includes(userId);
}

/** Whether a partner who is no admin sees a project and its tasks. */
export function involves(project: Project, userId: string): boolean {
  const { createdBy, assignedTo, managers } = project;
  return isClientOf(project, userId) || createdBy === userId || [...assignedTo, ...managers].includes(userId);
}

/** Whether somebody who sees a project may file a request there: clients where client collaboration is on. */
export function mayRequest({ clientCollaboration }: Project, accountType: AccountType): boolean {
  return accountType !== "client" || clientCollaboration;
}
