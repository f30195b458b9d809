import type { MemberRole } from "@db/enums";
import { and, eq, inArray, isNull, notExists, notInArray, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../db/client";
import { projectMembers, projects, taskAssignees, tasks, users } from "../../db/schema";
import { taskTotals } from "../../db/task-totals";
import { columnsOf, rowsOf } from "../../db/writes";
import type { FieldChange } from "../contract/views";
import type { Actor } from "../core/context";
import { notifyProject } from "../realtime/notify";
import { recordEvent } from "./history";
import { involvedIds } from "./policy";
import type { ProjectRow } from "./queries";

/** The people of a project by role, as they are written. */
export interface People {
  assignedTo: string[];
  managers: string[];
}

/** Replaces all members of a project. */
export async function replaceMembers(tx: Tx, projectId: string, people: People): Promise<void> {
  await tx.delete(projectMembers).where(eq(projectMembers.projectId, projectId));
  await insertMembers(tx, projectId, people);
}

/** Adds members to a project, in their order. */
export async function insertMembers(tx: Tx, projectId: string, people: People): Promise<void> {
  const rows = (ids: string[], role: MemberRole) =>
    ids.map((userId, position) => ({ projectId, userId, role, position }));
  const members = [...rows(people.assignedTo, "assigned"), ...rows(people.managers, "manager")];
  if (members.length > 0) await tx.insert(projectMembers).values(rowsOf(projectMembers, members));
}

/**
 * Adds a person to projects by an admin's word: users and admins are assigned, a client becomes the client where there is none.
 * Returns the ids of those joined; one that is gone, or has a client by now, is passed over.
 */
export async function joinProjects(
  tx: Tx,
  { projectIds, person, by }: { projectIds: readonly string[]; person: Pick<Actor, "id" | "accountType">; by: string },
): Promise<string[]> {
  const isClient = person.accountType === "client";
  const joined: string[] = [];
  // In one order everywhere, so that no two wait for each other.
  for (const projectId of [...projectIds].sort()) {
    const [taken] = await tx
      .update(projects)
      .set(
        columnsOf(projects, {
          ...(isClient && { clientId: person.id }),
          version: sql`${projects.version} + 1`,
          changeSeq: sql`${projects.changeSeq} + 1`,
          updatedAt: sql`now()`,
        }),
      )
      .where(and(eq(projects.id, projectId), isClient ? isNull(projects.clientId) : notAssigned(tx, person.id)))
      .returning({ id: projects.id });
    if (!taken) continue;
    if (!isClient) await assign(tx, { projectId, userId: person.id });
    const change: FieldChange = isClient
      ? { field: "clientId", from: null, to: person.id }
      : { field: "assignedTo", added: [person.id], removed: [] };
    await recordEvent(tx, { projectId, by: { id: by }, kind: "project.updated", changes: [change] });
    await notifyProject(tx, { projectId, step: { kind: "people-changed" }, newcomers: [person.id] });
    joined.push(projectId);
  }
  return joined;
}

/** Of a project in a statement about projects: that person is not assigned to it. */
function notAssigned(tx: Tx, userId: string): SQL {
  const { projectId, role } = projectMembers;
  const assigned = and(eq(projectId, projects.id), eq(projectMembers.userId, userId), eq(role, "assigned"));
  return notExists(tx.select({ projectId }).from(projectMembers).where(assigned));
}

/** After those who are assigned already. */
async function assign(tx: Tx, { projectId, userId }: { projectId: string; userId: string }): Promise<void> {
  const role: MemberRole = "assigned";
  const position = sql<number>`(select coalesce(max(${projectMembers.position}) + 1, 0) from ${projectMembers}
    where ${and(eq(projectMembers.projectId, projectId), eq(projectMembers.role, role))})`;
  await tx
    .insert(projectMembers)
    .values(columnsOf(projectMembers, { projectId, userId, role, position }))
    .onConflictDoNothing();
}

/** People who left the project lose its tasks; admins may be assigned without being part of it. */
export async function unassignLeavers(tx: Tx, row: ProjectRow): Promise<void> {
  const admins = tx.select({ id: users.id }).from(users).where(eq(users.accountType, "admin"));
  const ofProject = tx.select({ id: tasks.id }).from(tasks).where(eq(tasks.projectId, row.id));
  const left = await tx
    .delete(taskAssignees)
    .where(
      and(
        inArray(taskAssignees.taskId, ofProject),
        notInArray(taskAssignees.userId, involvedIds(row)),
        notInArray(taskAssignees.userId, admins),
      ),
    )
    .returning({ taskId: taskAssignees.taskId });
  if (left.length > 0) await tx.update(projects).set(columnsOf(projects, taskTotals)).where(eq(projects.id, row.id));
}
