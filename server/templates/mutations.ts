import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { projectTemplates } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import { MESSAGES } from "../contract/messages";
import { withIds } from "../contract/tasks";
import {
  type CreateFromTemplate,
  type DuplicateProject,
  dayAfter,
  MAX_TEMPLATES,
  type TemplateContent,
  templateContentSchema,
} from "../contract/templates";
import { daySchema } from "../contract/text";
import type { CopiedProject } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import { holdLabels } from "../labels/queries";
import { createProjectIn } from "../projects/mutations";
import { mayManage } from "../projects/policy";
import { findProject, lockProject, type ProjectRow } from "../projects/queries";
import { findActiveIds } from "../users/queries";
import { mayDelete, readContent, splitPeople } from "./queries";

/** Stores what a project is made of under its title. Who may is asked under the lock, so that it is one moment of the project. */
export async function saveAsTemplate(
  db: Db,
  { projectId, by }: { projectId: string; by: Actor },
): Promise<{ templateId: string }> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('template-changes'))`);
    const { project, content } = await readSource(tx, { projectId, by });
    if (!mayManage(by, project)) throw new DomainError("FORBIDDEN", MESSAGES.projects.managersOnly);
    if ((await tx.$count(projectTemplates)) >= MAX_TEMPLATES)
      throw new DomainError("CONFLICT", MESSAGES.templates.tooMany, { reason: "too-many" });
    const { title } = project;
    const [made] = await tx
      .insert(projectTemplates)
      .values(columnsOf(projectTemplates, { title, content, createdBy: by.id }))
      .returning({ templateId: projectTemplates.id });
    if (!made) throw new DomainError("NOT_FOUND", MESSAGES.templates.notFound);
    await insertAudit(tx, { kind: "template.saved", actorId: by.id, subjectId: null, details: { template: title } });
    return made;
  });
}

/** Makes a project of a template that starts on another day, without those who cannot be on a project now. */
export async function createFromTemplate(
  db: Db,
  { templateId, title, startDate, by }: CreateFromTemplate & { by: Actor },
): Promise<CopiedProject> {
  return db.transaction(async (tx) => {
    const [template] = await tx
      .select({ content: projectTemplates.content })
      .from(projectTemplates)
      .where(eq(projectTemplates.id, templateId));
    if (!template) throw new DomainError("NOT_FOUND", MESSAGES.templates.notFound);
    const content = templateContentSchema.parse(template.content);
    return makeProject(tx, { content, title, startDate, client: NO_CLIENT, by });
  });
}

/**
 * The same of a project that the actor may see, for the same client. Whether that client writes there is for the managers: without
 * them client collaboration is off. Read in a transaction of its own: whoever deletes a label takes the label before the projects.
 */
export async function duplicateProject(
  db: Db,
  { projectId, title, startDate, by }: DuplicateProject & { by: Actor },
): Promise<CopiedProject> {
  const { project, content: read } = await db.transaction((tx) => readSource(tx, { projectId, by }));
  const { clientId, clientPeople } = project;
  const content = { ...read, clientCollaboration: read.clientCollaboration && mayManage(by, project) };
  return db.transaction((tx) => makeProject(tx, { content, title, startDate, client: { clientId, clientPeople }, by }));
}

/** For who saved it, and admins. Gone already: NOT_FOUND. */
export async function deleteTemplate(
  db: Db,
  { templateId, by }: { templateId: string; by: Actor },
): Promise<{ id: string }> {
  return db.transaction(async (tx) => {
    const ofTemplate = eq(projectTemplates.id, templateId);
    const { id, title: template, createdBy } = projectTemplates;
    const [present] = await tx
      .select({ id, template, createdBy })
      .from(projectTemplates)
      .where(ofTemplate)
      .for("update");
    if (!present) throw new DomainError("NOT_FOUND", MESSAGES.templates.notFound);
    if (!mayDelete(present.createdBy, by)) throw new DomainError("FORBIDDEN", MESSAGES.templates.ownOnly);
    await tx.delete(projectTemplates).where(ofTemplate);
    const details = { template: present.template };
    await insertAudit(tx, { kind: "template.deleted", actorId: by.id, subjectId: null, details });
    return { id: present.id };
  });
}

async function readSource(
  tx: Tx,
  { projectId, by }: { projectId: string; by: Actor },
): Promise<{ project: ProjectRow; content: TemplateContent }> {
  const locked = await lockProject(tx, { id: projectId, actor: by });
  const project = locked && (await findProject(tx, { id: projectId, actor: by }));
  if (!project) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
  const content = await readContent(tx, { project });
  if (!content) throw new DomainError("CONFLICT", MESSAGES.templates.tooManyTasks, { reason: "too-many" });
  return { project, content };
}

interface ClientSide {
  clientId: string | null;
  clientPeople: string[];
}
const NO_CLIENT: ClientSide = { clientId: null, clientPeople: [] };

async function makeProject(
  tx: Tx,
  {
    content,
    title,
    startDate,
    client,
    by,
  }: { content: TemplateContent; title: string; startDate: string; client: ClientSide; by: Actor },
): Promise<CopiedProject> {
  const held = await holdLabels(tx, [...new Set(content.tasks.flatMap(({ labelIds }) => labelIds))]);
  const known = new Set(held.map(({ id }) => id));
  const staff = await findActiveStaff(tx, { content, by });
  const clients = await findActiveClients(tx, client);
  const { description, projectType, clientCollaboration, statusReminder, commitMode, maskedWords } = content;
  const dayAfter = daysFrom(startDate);
  const project = await createProjectIn(tx, {
    fields: {
      ...{ title, description, projectType, startDate, status: "todo" },
      dueDate: dayAfter(content.dueAfterDays),
      ...clients.present,
      assignedTo: content.assignedTo.filter((id) => staff.onProject.has(id)),
      managers: content.managers.filter((id) => staff.onProject.has(id)),
    },
    settings: { clientCollaboration, statusReminder, commitMode, maskedWords },
    firstTasks: content.tasks.map((task) => ({
      ...{ title: task.title, description: task.description, priority: task.priority },
      dueDate: dayAfter(task.dueAfterDays),
      checklist: withIds(task.checklist.map((text) => ({ text }))),
      labelIds: task.labelIds.filter((id) => known.has(id)),
      assignedTo: task.assignedTo.filter((id) => staff.onTasks.has(id)),
    })),
    by,
  });
  return { ...project, leftOut: [...staff.leftOut, ...clients.leftOut] };
}

/** Who can be on the project, and on its tasks: as elsewhere people of the project, and admins. */
async function findActiveStaff(tx: Tx, { content, by }: { content: TemplateContent; by: Actor }) {
  const onProject = [...content.assignedTo, ...content.managers];
  const onTasks = content.tasks.flatMap(({ assignedTo }) => assignedTo);
  const { present, missing } = await splitPeople(tx, [...onProject, ...onTasks]);
  const members = new Set([by.id, ...onProject]);
  const isOfTasks = ({ id, accountType }: (typeof present)[number]) => accountType === "admin" || members.has(id);
  return {
    onProject: new Set(present.map(({ id }) => id)),
    onTasks: new Set(present.filter(isOfTasks).map(({ id }) => id)),
    leftOut: [...missing, ...present.filter((person) => !isOfTasks(person))],
  };
}

/** Where the client has gone, the first of its people takes their place, as nobody else sees for a client. */
async function findActiveClients(tx: Tx, { clientId, clientPeople }: ClientSide) {
  const asked = [...(clientId ? [clientId] : []), ...clientPeople];
  const active = await findActiveIds(tx, asked, ["client"]);
  const [first = null, ...further] = asked.filter((id) => active.has(id));
  const { missing } = await splitPeople(tx, asked);
  return {
    present: { clientId: first, clientPeople: further },
    leftOut: missing.filter(({ id }) => !active.has(id)),
  };
}

/** Calendar days counted from a start; one that no form would take is refused there. */
function daysFrom(startDate: string) {
  return (days: number | null): string | null => {
    if (days === null) return null;
    const day = daySchema.safeParse(dayAfter(startDate, days));
    if (day.success) return day.data;
    throw new ValidationError<CreateFromTemplate>({ startDate: [MESSAGES.templates.outOfRange] });
  };
}
