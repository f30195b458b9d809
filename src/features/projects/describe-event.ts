import { type ChangedField, TASK_PRIORITIES, type TaskPriority } from "@db/enums";
import { PRIORITY_LABELS } from "@server/contract/labels";
import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { FieldChange, Person, ProjectEvent } from "@server/contract/views";
import { isolate } from "@/lib/bidi";
import { formatDay } from "@/lib/format";
import { lazily } from "@/lib/lazily";
import { storedStatusMeta } from "./project-status";

/** Fields by their labels in the forms. An unknown field keeps its name. */
const LABELS = new Map<ChangedField, string>([
  ["title", "Title"],
  ["status", "Status"],
  ["startDate", "Start date"],
  ["dueDate", "Due date"],
  ["clientId", "Client"],
  ["githubRepo", "GitHub link"],
  ["liveLink", "Live link"],
  ["projectType", "Type"],
  ["priority", "Priority"],
  ["labels", "Labels"],
  ["checklist", "Checklist"],
  ["clientCollaboration", "Client collaboration"],
]);
const DAYS = new Set<ChangedField>(["startDate", "dueDate"]);
const LINKS = new Set<ChangedField>(["githubRepo", "liveLink"]);
const TEXTS = new Set<ChangedField>(["title", "projectType"]);
const MAX_LINK_LENGTH = 40;
/** Of labels and items of a checklist, that one sentence names. */
const MAX_TEXTS = 3;

const enumeration = lazily(() => new Intl.ListFormat("en-GB", { type: "conjunction" }));

/** Who did it; "Unknown User" when the account is gone. */
export function actorName({ actor }: Pick<ProjectEvent, "actor">): string {
  return actor?.name ?? PROJECT_MESSAGES.unknownUser;
}

/**
 * The event as a predicate that follows the person's name: "completed HBP-4 “Berth calendar”", "changed Status from To Do to In
 * Progress and assigned Mitali Deshpande". For a new project only "created": the caller adds its name or "the project".
 */
export function describeEvent(event: ProjectEvent, people: readonly Person[]): string {
  const task = taskName(event);
  const changes = describeChanges(event, people);
  switch (event.kind) {
    case "project.created":
      return "created";
    case "project.updated":
      return changes || "changed the project";
    case "task.created":
      return `added ${task}`;
    case "task.updated":
      return changes ? `${changes} on ${task}` : `changed ${task}`;
    case "task.completed":
      return withOthers(`completed ${task}`, event, people);
    case "task.reopened":
      return withOthers(`reopened ${task}`, event, people);
    case "task.deleted":
      return `deleted ${task}`;
  }
}

/** The same beside the task itself, which it does not name: "completed the task", "set Priority to High". */
export function describeTaskEvent(event: ProjectEvent, people: readonly Person[]): string {
  switch (event.kind) {
    case "task.created":
      return "created the task";
    case "task.completed":
      return withOthers("completed the task", event, people);
    case "task.reopened":
      return withOthers("reopened the task", event, people);
    default:
      return describeChanges(event, people) || "changed the task";
  }
}

function describeChanges({ changes }: ProjectEvent, people: readonly Person[]): string {
  return enumeration().format(changes.map((change) => describeChange(change, people)));
}

/** An edit may complete a task and change other fields: the verb already says the status. */
function withOthers(action: string, { changes }: ProjectEvent, people: readonly Person[]): string {
  const others = changes.filter(({ field }) => field !== "status").map((change) => describeChange(change, people));
  return enumeration().format([action, ...others]);
}

function describeChange(change: FieldChange, people: readonly Person[]): string {
  if ("added" in change) return describeMembers(change, people);
  const { field, from, to } = change;
  if (field === "description" || (from === null && to === null)) return `changed the ${lowerCaseLabel(field)}`;
  const label = labelOf(field);
  if (from === null) return `set ${label} to ${formatValue(field, to, people)}`;
  if (to === null) return `removed ${label} ${formatValue(field, from, people)}`;
  return `changed ${label} from ${formatValue(field, from, people)} to ${formatValue(field, to, people)}`;
}

type Members = Extract<FieldChange, { added: string[] }>;

function describeMembers(change: Members, people: readonly Person[]): string {
  if (change.field === "labels") return describeLabels(change);
  return change.field === "checklist" ? describeChecklist(change) : describeMembership(change, people);
}

/** Labels stand by their names of that moment, items of a checklist by their texts. */
function describeLabels({ added, removed }: Members): string {
  const noun = (names: string[]) => (names.length === 1 ? "the label" : "the labels");
  return enumeration().format([
    ...(added.length > 0 ? [`added ${noun(added)} ${quoted(added)}`] : []),
    ...(removed.length > 0 ? [`removed ${noun(removed)} ${quoted(removed)}`] : []),
  ]);
}

function describeChecklist({ added, removed, checked = [], unchecked = [] }: Members): string {
  const done: [verb: string, items: string[], where: string][] = [
    ["added", added, " to the checklist"],
    ["removed", removed, " from the checklist"],
    ["ticked", checked, ""],
    ["unticked", unchecked, ""],
  ];
  return enumeration().format(
    done.flatMap(([verb, items, where]) => (items.length > 0 ? [`${verb} ${quoted(items)}${where}`] : [])),
  );
}

function quoted(texts: readonly string[]): string {
  const shown = texts.slice(0, MAX_TEXTS).map((text) => `“${isolate(text)}”`);
  const rest = texts.length - shown.length;
  return enumeration().format(rest > 0 ? [...shown, `${rest} more`] : shown);
}

function describeMembership({ field, added, removed }: Members, people: readonly Person[]): string {
  if (field === "clientPeople") return describeClientPeople({ added, removed }, people);
  const [come, go, as] = field === "managers" ? ["added", "removed", " as manager"] : ["assigned", "unassigned", ""];
  const names = (ids: string[]) => enumeration().format(ids.map((id) => nameOf(id, people)));
  const plural = (ids: string[]) => (as && ids.length > 1 ? `${as}s` : as);
  return enumeration().format([
    ...(added.length > 0 ? [`${come} ${names(added)}${plural(added)}`] : []),
    ...(removed.length > 0 ? [`${go} ${names(removed)}${plural(removed)}`] : []),
  ]);
}

/** To a client, those who are not of their side any more have no name. */
function describeClientPeople(
  { added, removed }: Pick<Members, "added" | "removed">,
  people: readonly Person[],
): string {
  const names = (ids: string[]) => enumeration().format(ids.map((id) => nameOf(id, people)));
  const phrases = [
    ...(added.length > 0 ? [`added ${names(added)} to the client's people`] : []),
    ...(removed.length > 0 ? [`removed ${names(removed)} from the client's people`] : []),
  ];
  return phrases.length > 0 ? enumeration().format(phrases) : "changed the client's people";
}

function formatValue(field: ChangedField, value: string | null, people: readonly Person[]): string {
  if (value === null) return "nothing";
  if (field === "status") return storedStatusMeta(value).label;
  if (field === "priority") return isPriority(value) ? PRIORITY_LABELS[value] : value;
  if (field === "clientCollaboration") return value === "true" || value === "on" ? "on" : "off";
  if (field === "clientId") return nameOf(value, people);
  if (DAYS.has(field)) return formatDay(value);
  if (LINKS.has(field)) return shortLink(value);
  return TEXTS.has(field) ? `“${isolate(value)}”` : value;
}

function isPriority(value: string): value is TaskPriority {
  return TASK_PRIORITIES.some((priority) => priority === value);
}

/** `HBP-4 “Berth calendar”`. */
function taskName({ task, project }: ProjectEvent): string {
  return task ? `${project.key}-${task.number} “${isolate(task.title)}”` : "a task";
}

function nameOf(id: string, people: readonly Person[]): string {
  return isolate(people.find((person) => person.id === id)?.name ?? PROJECT_MESSAGES.unknownUser);
}

function labelOf(field: ChangedField): string {
  return LABELS.get(field) ?? field;
}

function lowerCaseLabel(field: ChangedField): string {
  return labelOf(field)
    .replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())
    .replace(/^gitHub/, "GitHub");
}

/** The address without its scheme. */
function shortLink(url: string): string {
  const bare = url.replace(/^https?:\/\/(?:www\.)?/i, "").replace(/\/$/, "");
  return bare.length > MAX_LINK_LENGTH ? `${bare.slice(0, MAX_LINK_LENGTH - 1)}…` : bare;
}
