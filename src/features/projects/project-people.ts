import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Person, Project } from "@server/contract/views";

/** The people with these ids, in that order; unknown ones appear as "Unknown User". */
export function peopleOf(project: Pick<Project, "people">, ids: readonly string[]): Person[] {
  return ids.map((id) => project.people.find((person) => person.id === id) ?? unknownUser(id));
}

/** The client's name, "No Client", or "Unknown Client" for one that is gone. */
export function clientName({ clientId, client }: Pick<Project, "clientId" | "client">): string {
  if (client) return client.name;
  return clientId === null ? PROJECT_MESSAGES.noClient : PROJECT_MESSAGES.unknownClient;
}

function unknownUser(id: string): Person {
  return { id, name: PROJECT_MESSAGES.unknownUser, accountType: "user", profileImgLink: null };
}
