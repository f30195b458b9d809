import type { MemberRole } from "@db/enums";
import { and, asc, eq, inArray, notInArray, sql } from "drizzle-orm";
import { union } from "drizzle-orm/pg-core";
import type { Tx } from "../../db/client";
import { eachId, isAnyOf } from "../../db/expressions";
import { projectMembers, projects, taskAssignees, tasks, users } from "../../db/schema";
import { taskTotals } from "../../db/task-totals";
import { columnsOf, rowsOf } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import { MAX_CLIENT_PEOPLE } from "../contract/projects";
import type { FieldChange } from "../contract/views";
import type { Actor } from "../core/context";
import { notifyProject, numberedNotification, projectPayload } from "../realtime/notify";
import { recordEvent } from "./history";
import { involvedIds } from "./policy";
import type { ProjectRow } from "./queries";

/** The people of a project by role, as they are written. */
export interface People {
  assignedTo: string[];
  managers: string[];
  clientPeople: string[];
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
  const members = [
    ...rows(people.assignedTo, "assigned"),
    ...rows(people.managers, "manager"),
    ...rows(people.clientPeople, "client"),
  ];
  if (members.length > 0) await tx.insert(projectMembers).values(rowsOf(projectMembers, members));
}

/**
 * Adds a person to projects by an admin's word: users and admins are assigned; a client becomes the client where there is none,
 * else one of the client's people. Returns the ids of those joined; one that is gone or has no room is passed over.
 */
export async function joinProjects(
  tx: Tx,
  { projectIds, person, by }: { projectIds: readonly string[]; person: Pick<Actor, "id" | "accountType">; by: string },
): Promise<string[]> {
  const joined: string[] = [];
  // In one order everywhere, so that no two wait for each other.
  for (const projectId of [...projectIds].sort()) {
    const change = await join(tx, { projectId, person });
    if (!change) continue;
    await tx
      .update(projects)
      .set(
        columnsOf(projects, {
          ...(change.field === "clientId" && { clientId: person.id }),
          version: sql`${projects.version} + 1`,
          changeSeq: sql`${projects.changeSeq} + 1`,
          updatedAt: sql`now()`,
        }),
      )
      .where(eq(projects.id, projectId));
    await recordEvent(tx, { projectId, by: { id: by }, kind: "project.updated", changes: [change] });
    if (change.field === "clientPeople")
      await auditClientPeople(tx, { projectId, added: [person.id], removed: [], by });
    await notifyProject(tx, { projectId, step: { kind: "people-changed" }, newcomers: [person.id] });
    joined.push(projectId);
  }
  return joined;
}

/** Adds the person's row, if that is how they join, and says what changes; null for a project that they cannot join. */
async function join(
  tx: Tx,
  { projectId, person: { id: userId, accountType } }: { projectId: string; person: Pick<Actor, "id" | "accountType"> },
): Promise<FieldChange | null> {
  const ofProject = eq(projects.id, projectId);
  const [locked] = await tx
    .select({ clientId: projects.clientId })
    .from(projects)
    .where(ofProject)
    .for("no key update");
  if (!locked || locked.clientId === userId) return null;
  const isClient = accountType === "client";
  if (isClient && locked.clientId === null) return { field: "clientId", from: null, to: userId };
  const role: MemberRole = isClient ? "client" : "assigned";
  const present = await tx
    .select({ userId: projectMembers.userId, position: projectMembers.position })
    .from(projectMembers)
    .where(and(eq(projectMembers.projectId, projectId), eq(projectMembers.role, role)));
  if (present.some((one) => one.userId === userId) || (isClient && present.length >= MAX_CLIENT_PEOPLE)) return null;
  const position = Math.max(-1, ...present.map((one) => one.position)) + 1;
  await tx.insert(projectMembers).values(columnsOf(projectMembers, { projectId, userId, role, position }));
  return { field: isClient ? "clientPeople" : "assignedTo", added: [userId], removed: [] };
}

/** Who may see a project for its client, and may no longer: an event for each, by the person. */
export async function auditClientPeople(
  tx: Tx,
  { projectId, added, removed, by }: { projectId: string; added: string[]; removed: string[]; by: string },
): Promise<void> {
  if (added.length + removed.length === 0) return;
  const { title, key } = projects;
  const [details] = await tx.select({ title, key }).from(projects).where(eq(projects.id, projectId));
  if (!details) return;
  for (const subjectId of added) {
    await insertAudit(tx, { kind: "client-person.added", actorId: by, subjectId, details });
  }
  for (const subjectId of removed) {
    await insertAudit(tx, { kind: "client-person.removed", actorId: by, subjectId, details });
  }
}

/** People who left the project lose its tasks; admins may be assigned without being part of it. Returns who has lost any. */
export async function unassignLeavers(tx: Tx, row: ProjectRow): Promise<string[]> {
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
    .returning({ userId: taskAssignees.userId });
  if (left.length > 0) await tx.update(projects).set(columnsOf(projects, taskTotals)).where(eq(projects.id, row.id));
  return [...new Set(left.map(({ userId }) => userId))];
}

/**
 * Another name or picture is a change of every project that shows the person. Whoever changes those locks the person first, then calls
 * this, and only then locks what else is theirs: as joining projects does, so that no two wait for each other.
 */
export async function announcePerson(tx: Tx, { userId }: { userId: string }): Promise<void> {
  const { id } = projects;
  const ofAssigned = tx
    .select({ id: tasks.projectId })
    .from(tasks)
    .innerJoin(taskAssignees, eq(taskAssignees.taskId, tasks.id))
    .where(eq(taskAssignees.userId, userId));
  const naming = union(
    tx.select({ id }).from(projects).where(eq(projects.createdBy, userId)),
    tx.select({ id }).from(projects).where(eq(projects.clientId, userId)),
    tx.select({ id: projectMembers.projectId }).from(projectMembers).where(eq(projectMembers.userId, userId)),
    ofAssigned,
  );
  const held = await tx.select({ id }).from(projects).where(inArray(id, naming)).orderBy(asc(id)).for("no key update");
  if (held.length === 0) return;
  const stepped = tx.$with("stepped", { id, changeSeq: projects.changeSeq }).as(
    tx
      .update(projects)
      .set(columnsOf(projects, { changeSeq: sql`${projects.changeSeq} + 1` }))
      .where(isAnyOf(id, sql`select ${eachId(JSON.stringify(held.map((project) => project.id)))}`))
      .returning({ id, changeSeq: projects.changeSeq })
      .getSQL(),
  );
  // One statement for all of them: some people are on hundreds.
  const payload = projectPayload({ projectId: "%s", step: { kind: "people-changed" } });
  const ofProject = sql`format(${payload}::text, ${stepped.id})`;
  await tx
    .with(stepped)
    .select({ notified: numberedNotification(tx, { payload: ofProject, seq: stepped.changeSeq }) })
    .from(stepped);
}
