import type { EditedProject, ProjectForm, ProjectPatch } from "@server/contract/projects";
import type { Project } from "@server/contract/views";
import { today } from "@/lib/format";

/** The form's values: no undefined, "" for absent ones. */
export type ProjectFormValues = Required<{ [Key in keyof ProjectForm]: NonNullable<ProjectForm[Key]> }>;

/** A new project, which starts today in the reader's time zone. Spec 3. */
export function blankForm(): ProjectFormValues {
  return {
    title: "",
    description: "",
    status: "todo",
    startDate: today(),
    dueDate: "",
    clientId: "",
    clientPeople: [],
    githubRepo: "",
    liveLink: "",
    projectType: "",
    assignedTo: [],
    managers: [],
    clientCollaboration: "off",
  };
}

export function formOf(project: Project): ProjectFormValues {
  return {
    title: project.title,
    description: project.description,
    status: project.status,
    startDate: project.startDate,
    dueDate: project.dueDate ?? "",
    clientId: project.clientId ?? "",
    clientPeople: project.clientPeople,
    githubRepo: project.githubRepo ?? "",
    liveLink: project.liveLink ?? "",
    projectType: project.projectType ?? "",
    assignedTo: project.assignedTo,
    managers: project.managers,
    clientCollaboration: project.clientCollaboration ? "on" : "off",
  };
}

/** The current values: unlike the schema's input, controls hold no undefined and no null. */
export function typedValues(form: ProjectForm): ProjectFormValues {
  return {
    ...form,
    dueDate: form.dueDate ?? "",
    clientId: form.clientId ?? "",
    clientPeople: form.clientPeople ?? [],
    githubRepo: form.githubRepo ?? "",
    liveLink: form.liveLink ?? "",
    projectType: form.projectType ?? "",
  };
}

/** Only the fields that differ from the base of the edit, so that changes by others are kept. */
export function patchOf(before: ProjectFormValues, after: EditedProject): ProjectPatch {
  const patch: ProjectPatch = {};
  if (before.clientCollaboration !== after.clientCollaboration) {
    patch.clientCollaboration = after.clientCollaboration === "on";
  }
  const { title, description, status, startDate, assignedTo, managers } = after;
  const fields: Required<Omit<ProjectPatch, "clientCollaboration" | "statusReminder" | "commitView">> = {
    ...{ title, description, status, startDate, assignedTo, managers },
    dueDate: after.dueDate ?? null,
    clientId: after.clientId ?? null,
    clientPeople: after.clientPeople ?? [],
    githubRepo: after.githubRepo ?? null,
    liveLink: after.liveLink ?? null,
    projectType: after.projectType ?? null,
  };
  const take = <Key extends keyof typeof fields>(key: Key) => {
    if (!isSame(before[key], fields[key] ?? "")) patch[key] = fields[key];
  };
  for (const key of PROJECT_FORM_FIELDS) if (key !== "clientCollaboration") take(key);
  return patch;
}

/** The fields of the form, in the order of its controls. */
export const PROJECT_FORM_FIELDS = [
  "title",
  "description",
  "startDate",
  "dueDate",
  "status",
  "clientId",
  "clientPeople",
  "projectType",
  "githubRepo",
  "liveLink",
  "assignedTo",
  "managers",
  "clientCollaboration",
] as const satisfies readonly (keyof ProjectFormValues)[];

/** Whether an error's field is one of the form's. */
export function isField(name: string): name is keyof ProjectFormValues {
  return PROJECT_FORM_FIELDS.some((field) => field === name);
}

/**
 * The people of the client once another client is chosen: they belong to the one before, unless that one is a colleague. Back at
 * the project's own client, they are the project's.
 */
export function clientPeopleOf(
  clientId: string,
  chosen: readonly string[],
  project: Pick<Project, "clientId" | "clientPeople"> | undefined,
): string[] {
  if (clientId !== "" && clientId === project?.clientId) return project.clientPeople;
  return chosen.includes(clientId) ? chosen.filter((id) => id !== clientId) : [];
}

function isSame(one: string | readonly string[], other: string | readonly string[]): boolean {
  if (typeof one === "string" || typeof other === "string") return one === other;
  return one.length === other.length && one.every((value, at) => value === other[at]);
}
