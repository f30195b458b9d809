import { COMMIT_MODES } from "@db/client-enums";
import { TASK_PRIORITIES } from "@db/enums";
import * as z from "zod/mini";
import { newTaskSchema } from "../../contract/tasks";
import { daysAfterStartSchema, type ImportedTemplate, MAX_TEMPLATE_TASKS } from "../../contract/templates";
import { lineSchema } from "../../contract/text";
import type { ImportThing } from "./document";
import { type Fields, keptId } from "./fields";
import { descriptionOf, importedLabelsSchema, titleOf } from "./work-fields";

const idsSchema = z._default(z.array(z.string()), []);
const taskSchema = z.object({
  title: newTaskSchema.shape.title,
  description: newTaskSchema.shape.description,
  priority: z._default(z.enum(TASK_PRIORITIES), "none"),
  dueAfterDays: z._default(daysAfterStartSchema, null),
  checklist: z._default(z.array(lineSchema({ max: 200, label: "Item" })).check(z.maxLength(100)), []),
  labels: z._default(importedLabelsSchema, []),
  assignedTo: idsSchema,
});
const tasksSchema = z.array(taskSchema).check(z.maxLength(MAX_TEMPLATE_TASKS));
const wordsSchema = z.array(lineSchema({ max: 60, label: "Word" })).check(z.maxLength(100));

/** What is staged of a template; see `projectOf`. */
export function templateOf({ id }: ImportThing, fields: Fields, today: string) {
  const title = titleOf(fields, ["title", "name"], 150);
  const given = fields.checked(["dueAfterDays"], daysAfterStartSchema);
  const dueAfterDays = given === null ? null : Math.max(0, given);
  if (given !== dueAfterDays) fields.change("dueAfterDays", given, dueAfterDays, "it may not be due before it begins");
  const content: ImportedTemplate = {
    description: descriptionOf(fields, title),
    projectType: fields.text(["projectType"], { max: 60, lines: "one" }),
    dueAfterDays,
    clientCollaboration: fields.flag("clientCollaboration") ?? false,
    statusReminder: fields.flag("statusReminder") ?? false,
    // What is not known to be for clients is not shown to them.
    commitMode: fields.word(["commitMode"], { words: COMMIT_MODES, fallback: "titles", unknown: "hidden" }),
    maskedWords: fields.checked(["maskedWords"], wordsSchema) ?? [],
    assignedTo: fields.references("assignedTo"),
    managers: fields.references("managers"),
    tasks: fields.checked(["tasks"], tasksSchema) ?? [],
  };
  return {
    ...{ fileId: id, id: keptId(id, "template"), title, content },
    createdBy: fields.reference("createdBy"),
    createdAt: fields.instant(["createdAt"], { fallback: () => today }),
  };
}
