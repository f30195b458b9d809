import type { Project } from "@server/contract/views";
import { useAssignable, useClients } from "@/features/users/use-users";
import type { ProjectFormValues } from "./project-form-values";
import { describeField } from "./project-labels";

/** How the fields of a project read, with everybody that this page knows by name. */
export function useFieldDescription(
  project: Project,
): (field: keyof ProjectFormValues, values: ProjectFormValues) => string {
  const people = [...project.people, ...(useAssignable().data ?? [])];
  const clients = [...(project.client ? [project.client] : []), ...(useClients().data ?? [])];
  return (field, values) => describeField(field, values, { people, clients });
}
