import { asc, desc, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { fieldName, isoInstant } from "../../db/expressions";
import { projects, projectTemplates, tasks, users } from "../../db/schema";
import { MAX_TEMPLATE_TASKS, type TemplateContent } from "../contract/templates";
import type { Person, ProjectTemplate } from "../contract/views";
import type { Actor } from "../core/context";
import type { ProjectRow } from "../projects/queries";
import { taskColumns } from "../projects/task-columns";
import { findActiveIds, findPeople, personJson } from "../users/queries";

/** What the stored content says of itself; its tasks stay where they are. */
const content = projectTemplates.content;
const field = fieldName<TemplateContent>;
const taskField = fieldName<TemplateContent["tasks"][number]>;
const named = sql<string[]>`to_json(array(select distinct named.id from (
  select jsonb_array_elements_text(${content} -> ${field("assignedTo")}) union all
  select jsonb_array_elements_text(${content} -> ${field("managers")}) union all
  select jsonb_array_elements_text(task -> ${taskField("assignedTo")}) from jsonb_array_elements(${content} -> ${field("tasks")}) as task
) as named(id)))`;

/** By title. */
export async function listTemplates(db: Db, { actor }: { actor: Actor }): Promise<ProjectTemplate[]> {
  const rows = await db
    .select({
      id: projectTemplates.id,
      title: projectTemplates.title,
      description: sql<string>`${content} ->> ${field("description")}`,
      dueAfterDays: sql<number | null>`(${content} ->> ${field("dueAfterDays")})::int`,
      taskCount: sql<number>`jsonb_array_length(${content} -> ${field("tasks")})`,
      named,
      createdBy: personJson(users),
      createdAt: isoInstant(projectTemplates.createdAt),
    })
    .from(projectTemplates)
    .innerJoin(users, eq(users.id, projectTemplates.createdBy))
    .orderBy(asc(sql`lower(${projectTemplates.title})`), desc(projectTemplates.createdAt), asc(projectTemplates.id));
  const { present, missing } = await splitPeople(
    db,
    rows.flatMap((row) => row.named),
  );
  return rows.map(({ named: ids, ...template }) => ({
    ...template,
    people: present.filter(({ id }) => ids.includes(id)),
    leftOut: missing.filter(({ id }) => ids.includes(id)),
    canDelete: mayDelete(template.createdBy.id, actor),
  }));
}

/** Templates belong to who saved them, and to admins. */
export function mayDelete(createdBy: string, actor: Actor): boolean {
  return actor.accountType === "admin" || createdBy === actor.id;
}

/** Who of these people can be on a project now, and who cannot: both by username. */
export async function splitPeople(
  db: Db | Tx,
  ids: readonly string[],
): Promise<{ present: Person[]; missing: Person[] }> {
  const asked = [...new Set(ids)];
  const active = await findActiveIds(db, asked, ["user", "admin"]);
  const people = await findPeople(db, asked);
  return {
    present: people.filter(({ id }) => active.has(id)),
    missing: people.filter(({ id }) => !active.has(id)),
  };
}

/**
 * What a template holds of a project, whose row the transaction has locked: neither comments, files, commits and chat, nor its
 * client and links. Nothing of it is begun: open tasks, unticked checklists. Null for a project of too many tasks.
 */
export async function readContent(tx: Tx, { project }: { project: ProjectRow }): Promise<TemplateContent | null> {
  const { commitMode, maskedWords, startDate, dueDate } = projects;
  const [own] = await tx
    .select({ commitMode, maskedWords, dueAfterDays: sql<number | null>`${dueDate} - ${startDate}` })
    .from(projects)
    .where(eq(projects.id, project.id));
  const { title, description, priority, checklist, labelIds, assignedTo } = taskColumns;
  const rows = await tx
    .select({
      ...{ title, description, priority, checklist, labelIds, assignedTo },
      dueAfterDays: sql<number | null>`${tasks.dueDate} - ${startDate}`,
    })
    .from(tasks)
    .innerJoin(projects, eq(projects.id, tasks.projectId))
    .where(eq(tasks.projectId, project.id))
    .orderBy(asc(tasks.rank))
    .limit(MAX_TEMPLATE_TASKS + 1);
  if (!own || rows.length > MAX_TEMPLATE_TASKS) return null;
  const { description: written, projectType, clientCollaboration, statusReminder, assignedTo: members } = project;
  return {
    ...{ description: written, projectType, clientCollaboration, statusReminder, assignedTo: members, ...own },
    managers: project.managers,
    tasks: rows.map((row) => ({ ...row, checklist: row.checklist.map(({ text }) => text) })),
  };
}
