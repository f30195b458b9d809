import { PROJECT_STATUSES, type ProjectStatus, TASK_PRIORITIES, TASK_STATUSES, type TaskStatus } from "@db/enums";
import * as z from "zod/mini";
import { commitViewSchema } from "../../contract/commit-view";
import { webLinkSchema } from "../../contract/links";
import { repoLinkSchema } from "../../contract/repo";
import { createLabelSchema } from "../../contract/task-labels";
import { checklistSchema, withIds } from "../../contract/tasks";
import type { CommitView } from "../../contract/views";
import type { ImportThing } from "./document";
import { dayOf, type Fields, keptId } from "./fields";

/** As the table checks it. */
const keySchema = z.string().check(z.regex(/^[A-Z]{2,5}[0-9]{0,9}$/));
const MAX_NUMBER = 1_000_000;
const numberSchema = z.int().check(z.gte(1), z.lte(MAX_NUMBER));
const lastNumberSchema = z.int().check(z.gte(0), z.lte(MAX_NUMBER));
/** A client without an id. */
const namedSchema = z.object({ id: z.optional(z.nullable(z.literal(""))), name: z.string() });

interface Here {
  /** Stands for a moment that nothing is known of. */
  today: string;
  /** Whose days the moments of the file are. */
  timeZone: string;
}

/** What is staged of a project. */
export function projectOf({ id }: ImportThing, fields: Fields, { today, timeZone }: Here) {
  const title = titleOf(fields, ["title", "name"], 150);
  const createdAt = fields.instant(["createdAt"], { fallback: () => today });
  return {
    fileId: id,
    id: keptId(id, "project"),
    key: fields.checked(["key"], keySchema),
    lastTaskNumber: fields.checked(["lastTaskNumber"], lastNumberSchema),
    title,
    description: descriptionOf(fields, title),
    status: projectStatusOf(fields),
    ...daysOf(fields, { createdAt, timeZone }),
    githubRepo: fields.checked(["githubRepo"], repoLinkSchema),
    liveLink: fields.checked(["liveLink"], webLinkSchema),
    projectType: fields.text(["projectType"], { max: 60, lines: "one" }),
    clientCollaboration: fields.flag("clientCollaboration") ?? false,
    statusReminder: fields.flag("statusReminder") ?? false,
    commitView: commitViewOf(fields),
    ...clientOf(fields),
    clientPeople: fields.references("clientPeople"),
    assignedTo: fields.references("assignedTo"),
    managers: fields.references("managers", "projectManagers"),
    createdBy: fields.reference("createdBy"),
    createdAt,
    updatedAt: fields.instant(["updatedAt"], { fallback: () => createdAt }),
  };
}

/** A choice that cannot be read shows nothing: no commit is shown to a client by mistake. */
function commitViewOf(fields: Fields): CommitView {
  const isGiven = fields.given("commitView") !== undefined;
  return fields.checked(["commitView"], commitViewSchema) ?? { mode: isGiven ? "hidden" : "titles", maskedWords: [] };
}

/** What is staged of a task; see `projectOf`. */
export function taskOf({ id, parentId }: ImportThing, fields: Fields, { today, timeZone }: Here) {
  const title = titleOf(fields, ["title", "name"], 200);
  const written = fields.word(["status"], { words: TASK_STATUSES, fallback: "todo", unknown: "todo" });
  const isCompleted = fields.flag("completed") ?? written === "completed";
  const before = fields.word(["statusBefore"], { words: TASK_STATUSES, fallback: "todo", unknown: "todo" });
  const open = written === "completed" ? (before === "completed" ? "todo" : before) : written;
  const status: TaskStatus = isCompleted ? "completed" : open;
  if (fields.given("status") !== undefined && status !== written) {
    fields.change("status", written, status, `completed is ${isCompleted}`);
  }
  const createdAt = fields.instant(["createdAt"], { fallback: () => today });
  return {
    projectFileId: parentId,
    fileId: id,
    id: keptId(id, "task", parentId),
    number: fields.checked(["number"], numberSchema),
    order: fields.checked(["order"], numberSchema),
    title,
    description: descriptionOf(fields, title),
    status,
    statusBefore: isCompleted ? open : null,
    dueDate: fields.day(["dueDate"], timeZone),
    priority: fields.word(["priority"], { words: TASK_PRIORITIES, fallback: "none", unknown: "none" }),
    checklist: withIds(fields.checked(["checklist"], checklistSchema) ?? []),
    labels: fields.checked(["labels"], importedLabelsSchema) ?? [],
    assignedTo: fields.references("assignedTo"),
    createdBy: fields.reference("createdBy"),
    createdAt,
    completedAt: isCompleted ? fields.instant(["completedAt", "updatedAt"], { fallback: () => createdAt }) : null,
    updatedAt: fields.instant(["updatedAt"], { fallback: () => null }),
  };
}

/** Labels are known by their names; those that are not there yet are made. */
export const importedLabelsSchema = z
  .array(
    z.union([
      createLabelSchema,
      z.pipe(
        z.pipe(
          z.string(),
          z.transform((name) => ({ name, colour: "grey" })),
        ),
        createLabelSchema,
      ),
    ]),
  )
  .check(z.maxLength(20));

export function titleOf(fields: Fields, names: string[], max: number): string {
  const title = fields.text(names, { max, lines: "one" });
  if (title === null) fields.change("title", null, "Untitled", "it had none");
  return title ?? "Untitled";
}

export function descriptionOf(fields: Fields, title: string): string {
  const description = fields.text(["description"], { max: 5000, lines: "many" });
  if (description === null) fields.change("description", null, title, "it had none");
  return description ?? title;
}

function projectStatusOf(fields: Fields): ProjectStatus {
  const given = fields.given("status");
  if (given === "active") {
    fields.change("status", "active", "inProgress", "that is what it is called here");
    return "inProgress";
  }
  const status = fields.word(["status"], { words: PROJECT_STATUSES, fallback: "todo", unknown: "todo" });
  if (given !== undefined && given !== status) fields.drop("status", given, "it is no status");
  return status;
}

function daysOf(
  fields: Fields,
  { createdAt, timeZone }: { createdAt: string; timeZone: string },
): { startDate: string; dueDate: string | null } {
  const dueDate = fields.day(["dueDate"], timeZone);
  const given = fields.day(["startDate"], timeZone);
  const startDate = given ?? dayOf(createdAt, timeZone);
  if (given === null) fields.change("startDate", null, startDate, "it had none, and was created then");
  if (dueDate === null || dueDate >= startDate) return { startDate, dueDate };
  fields.change("startDate", startDate, dueDate, "it may not begin after it is due");
  return { startDate: dueDate, dueDate };
}

/** By id, or else by name, which an object without an id may have as well. */
function clientOf(fields: Fields): { client: string | null; clientName: string | null } {
  const given = fields.given("clientId", "client");
  const named = namedSchema.safeParse(given);
  const clientName = fields.text(["clientName"], { max: 100, lines: "one" });
  if (named.success) return { client: null, clientName: clientName ?? fields.stored("client", named.data.name) };
  return { client: fields.reference("clientId", "client"), clientName };
}
