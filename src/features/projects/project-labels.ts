import type { Person, Project } from "@server/contract/views";
import { formatDay } from "@/lib/format";
import type { ProjectFormValues } from "./project-form-values";
import { clientName, peopleOf } from "./project-people";
import { statusMeta } from "./project-status";

/** The label of each control. */
export const PROJECT_LABELS: Record<keyof ProjectFormValues, string> = {
  title: "Title",
  description: "Description",
  startDate: "Start date",
  dueDate: "Due date",
  status: "Status",
  clientId: "Client",
  clientPeople: "Client people",
  projectType: "Type",
  githubRepo: "GitHub link",
  liveLink: "Live link",
  assignedTo: "Assigned users",
  managers: "Managers",
  clientCollaboration: "Client collaboration",
};

/** A field's value as text: people and clients by name, dates and statuses formatted. Never empty. */
export function describeField(
  field: keyof ProjectFormValues,
  values: ProjectFormValues,
  known: Pick<Project, "people"> & { clients: readonly Person[] },
): string {
  switch (field) {
    case "startDate":
    case "dueDate":
      return values[field] ? formatDay(values[field]) : "No date";
    case "status":
      return statusMeta(values.status).label;
    case "clientId": {
      const clientId = values.clientId || null;
      return clientName({ clientId, client: known.clients.find(({ id }) => id === clientId) ?? null });
    }
    case "clientPeople":
      return namesOf({ people: [...known.people, ...known.clients] }, values[field]);
    case "assignedTo":
    case "managers":
      return namesOf(known, values[field]);
    case "clientCollaboration":
      return values[field] === "on" ? "On" : "Off";
    default:
      return values[field] || "Empty";
  }
}

/** The names, separated by commas, or "Nobody". */
export function namesOf(known: Pick<Project, "people">, ids: readonly string[]): string {
  if (ids.length === 0) return "Nobody";
  return peopleOf(known, ids)
    .map(({ name }) => name)
    .join(", ");
}
