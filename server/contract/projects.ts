import { PROJECT_STATUSES } from "@db/enums";
import * as z from "zod/mini";
import { commitViewSchema } from "./commit-view";
import { DAY_MS } from "./days";
import { webLinkSchema } from "./links";
import { PROJECT_MESSAGES } from "./messages/projects";
import { repoLinkSchema } from "./repo";
import { newTaskSchema } from "./tasks";
import {
  asClientKey,
  daySchema,
  distinctIdsSchema,
  idListSchema,
  idSchema,
  lineSchema,
  orAbsent,
  resumeKey,
  textSchema,
  versionSchema,
} from "./text";

export const projectTitleSchema = lineSchema({ max: 150, required: "Please enter a title.", label: "Title" });
const description = textSchema({ max: 5000, required: "Please enter a description.", label: "Description" });
const status = z.enum(PROJECT_STATUSES, { error: "Choose a status." });
/** Further people of a project's client. */
export const MAX_CLIENT_PEOPLE = 20;
const MAX_CALENDAR_MS = 400 * DAY_MS;
const projectType = lineSchema({ max: 60, required: "Please enter a type.", label: "Type" });

/** The fields of a project that people write, as forms hold them: "" and null mean absent. */
const projectFieldsSchema = z.strictObject({
  title: projectTitleSchema,
  description,
  status,
  startDate: daySchema,
  dueDate: z.optional(orAbsent(daySchema)),
  clientId: z.optional(orAbsent(idSchema)),
  clientPeople: z.optional(
    distinctIdsSchema({ max: MAX_CLIENT_PEOPLE, tooMany: PROJECT_MESSAGES.tooManyClientPeople }),
  ),
  githubRepo: z.optional(orAbsent(repoLinkSchema)),
  liveLink: z.optional(orAbsent(webLinkSchema)),
  projectType: z.optional(orAbsent(projectType)),
  assignedTo: idListSchema,
  managers: idListSchema,
});

/** A checkbox, as the edit form holds it and the history tells of it. */
export const ON_OFF = ["on", "off"] as const;

/** Kinds of live changes about one task. */
export const TASK_CHANGE_KINDS = [
  "task-created",
  "task-changed",
  "task-completed",
  "task-moved",
  "task-removed",
] as const;

/** All kinds of a project's live changes. */
export const PROJECT_CHANGE_KINDS = [
  "project-changed",
  "people-changed",
  ...TASK_CHANGE_KINDS,
  "removed",
  "resync",
] as const;

type Fields = z.output<typeof projectFieldsSchema>;
type Dates = { [Field in "startDate" | "dueDate"]?: Fields[Field] | undefined };

const dueAfterStart = z.refine<Dates>(({ startDate, dueDate }) => !startDate || !dueDate || dueDate >= startDate, {
  path: ["dueDate" satisfies keyof Dates],
  error: PROJECT_MESSAGES.dueBeforeStart,
});

/** What the create and edit forms validate with; the calls below are made of the same fields. Only an edit shows the last one. */
export const projectFormSchema = z
  .extend(projectFieldsSchema, { clientCollaboration: z.enum(ON_OFF) })
  .check(dueAfterStart);

export const createProjectSchema = z
  .extend(projectFieldsSchema, {
    tasks: z.optional(z.array(newTaskSchema).check(z.maxLength(200, { error: "At most 200 tasks at once." }))),
  })
  .check(dueAfterStart);

/** Whether its client may write in it, what of its commits the client sees, and the reminder of status updates are for managers and admins. */
const projectPatchSchema = z.partial(
  z.extend(projectFieldsSchema, {
    clientCollaboration: z.boolean(),
    commitView: commitViewSchema,
    statusReminder: z.boolean(),
  }),
);

/** A missing key of the patch stays as it is, null clears; `version` is the one the edit started from. */
export const updateProjectSchema = z.strictObject({
  projectId: idSchema,
  version: versionSchema,
  patch: projectPatchSchema.check(dueAfterStart),
});

export const projectIdSchema = z.strictObject({ projectId: idSchema });

/** For what is read of one project, and its tasks. */
export const readProjectSchema = z.extend(projectIdSchema, asClientKey);

const PROJECT_FILTERS = ["all", "client", "internal", "assigned", "managed"] as const;
export type ProjectFilter = (typeof PROJECT_FILTERS)[number];

export const listProjectsSchema = z.strictObject({
  scope: z.enum(["mine", "all"]),
  filter: z.optional(z.enum(PROJECT_FILTERS)),
  q: z.optional(textSchema({ min: 0, max: 200, label: "Search" })),
  cursor: z.nullish(z.string().check(z.maxLength(200))),
  ...asClientKey,
});

interface Range {
  from: string;
  to: string;
}

/** Both days inclusive, a year and a bit at most. */
export const calendarSchema = z.strictObject({ from: daySchema, to: daySchema }).check(
  z.refine<Range>(({ from, to }) => to >= from, {
    path: ["to" satisfies keyof Range],
    error: PROJECT_MESSAGES.endBeforeStart,
  }),
  z.refine<Range>(({ from, to }) => Date.parse(to) - Date.parse(from) <= MAX_CALENDAR_MS, {
    path: ["to" satisfies keyof Range],
    error: PROJECT_MESSAGES.rangeTooLong,
  }),
);

/** Of one task, of one project, or of all that the caller takes part in. */
export const historySchema = z.strictObject({
  projectId: z.optional(idSchema),
  taskId: z.optional(idSchema),
  ...asClientKey,
  cursor: z.nullish(z.string().check(z.maxLength(200))),
  /** Sent along by the browser's query library; only forward is there. */
  direction: z.optional(z.literal("forward")),
});

export const watchProjectsSchema = z.optional(z.strictObject({ projectId: z.optional(idSchema), ...resumeKey }));

export type ProjectFields = z.output<typeof projectFieldsSchema>;
export type ProjectForm = z.input<typeof projectFormSchema>;
export type EditedProject = z.output<typeof projectFormSchema>;
export type UpdateProject = z.output<typeof updateProjectSchema>;
export type ProjectPatch = z.output<typeof projectPatchSchema>;
export type ListProjects = z.input<typeof listProjectsSchema>;
