import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Me, Person, Project } from "@server/contract/views";

/** The people with these ids, in that order; unknown ones appear as "Unknown User". */
export function peopleOf(project: Pick<Project, "people">, ids: readonly string[]): Person[] {
  return ids.map((id) => project.people.find((person) => person.id === id) ?? unknownUser(id));
}

/** The client's name, "No Client", or "Unknown Client" for one that is gone. */
export function clientName({ clientId, client }: Pick<Project, "clientId" | "client">): string {
  if (client) return client.name;
  return clientId === null ? PROJECT_MESSAGES.noClient : PROJECT_MESSAGES.unknownClient;
}

/** Whether they answer for the project: its managers and admins. */
export function mayManage({ id, accountType }: Pick<Me, "id" | "accountType">, project: Project): boolean {
  return accountType === "admin" || (project.canEdit && project.managers.includes(id));
}

function unknownUser(id: string): Person {
  return { id, name: PROJECT_MESSAGES.unknownUser, accountType: "user", profileImgLink: null };
}
