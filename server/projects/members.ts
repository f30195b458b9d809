import type { MemberRole } from "@db/enums";
import { and, eq, inArray, notInArray } from "drizzle-orm";
import type { Tx } from "../../db/client";
import { projectMembers, projects, taskAssignees, tasks, users } from "../../db/schema";
import { taskTotals } from "../../db/task-totals";
import { columnsOf, rowsOf } from "../../db/writes";
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
