import type { ChangedField } from "@db/enums";
import { and, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import type { ProjectColumns } from "../../db/rows";
import { projects, signOffs } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import { touchLinks } from "../chat/links";
import { RUNNING_STATUSES } from "../contract/findings";
import { MESSAGES } from "../contract/messages";
import type { ProjectFields, ProjectPatch, UpdateProject } from "../contract/projects";
import type { Project } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError, type FieldErrorsOf, ValidationError } from "../core/errors";
import { followLiveLink } from "../live-links/mutations";
import { insertNotifications, notifyOfStatus } from "../notifications/mutations";
import { releaseNotificationsOf, settleProject } from "../notifications/settle";
import { notifyInbox, notifyLabels, notifyProject } from "../realtime/notify";
import { withdrawUnanswerable } from "../sign-offs/mutations";
import { findActiveIds } from "../users/queries";
import { type FirstTask, insertFirstTasks } from "./append";
import { announceCommitView, auditCollaboration, auditCommitView, withdrawFromLeavers } from "./client-settings";
import { projectChanges, recordEvent } from "./history";
import { auditClientPeople, insertMembers, type People, replaceMembers, unassignLeavers } from "./members";
import { involvedIds, mayManage } from "./policy";
import { findFreeKeys, findProject, lockProject, type ProjectRow, showProject } from "./queries";
import { announceLinks, findRepositoryId, leaveRepository, linkRepository, lockRepositories } from "./repository";

/** Makes a project with its people and first tasks; the actor is always assigned. Announces it to everyone on it. */
export function createProject(db: Db, creation: ProjectCreation): Promise<Project> {
  return db.transaction((tx) => createProjectIn(tx, creation));
}

interface ProjectCreation {
  fields: ProjectFields;
  firstTasks: FirstTask[];
  /** What the form does not ask for; without them as for any new project. */
  settings?: ProjectSettings | undefined;
  by: Actor;
}

/** What decides how a project's client takes part, and what is written to whom. */
type ProjectSettings = Pick<ProjectColumns, "clientCollaboration" | "statusReminder" | "commitMode" | "maskedWords">;

/** The same in the transaction of what it is made of. */
export async function createProjectIn(tx: Tx, { fields, firstTasks, settings, by }: ProjectCreation): Promise<Project> {
  const nobody: Chosen = { clientId: null, clientPeople: [], assignedTo: [], managers: [] };
  const people = peopleAfter(nobody, { ...fields, assignedTo: [...new Set([by.id, ...fields.assignedTo])] });
  await requireEligible(tx, { chosen: people, asked: fields.clientPeople, present: null });
  const repositoryId = await linkRepository(tx, fields.githubRepo);
  const id = await insertProject(tx, { fields, settings, repositoryId, lastTaskNumber: firstTasks.length, by });
  await insertMembers(tx, id, people);
  await auditClientPeople(tx, { projectId: id, added: people.clientPeople, removed: [], by: by.id });
  await recordEvent(tx, { projectId: id, by, kind: "project.created" });
  await insertFirstTasks(tx, { projectId: id, firstTasks, by });
  if (fields.liveLink) await followLiveLink(tx, id);
  const row = await reload(tx, id, by);
  const unset = { ...row, clientCollaboration: false, commitView: { mode: "titles" as const, maskedWords: [] } };
  await auditCollaboration(tx, { present: unset, row, by });
  await auditCommitView(tx, { present: unset, row, by });
  await notifyProject(tx, { projectId: id, step: { kind: "project-changed" }, newcomers: involvedIds(row) });
  if (firstTasks.some(({ labelIds }) => labelIds?.length)) await notifyLabels(tx);
  await announceLinks(tx, { before: null, after: repositoryId, people: row });
  await notifyNewcomers(tx, { row, newcomers: involvedIds(row), by });
  return showProject(row, by);
}

/**
 * Applies a patch to a project that the actor may edit: columns, people, version and announcement in one transaction.
 * An older `version` is a CONFLICT that carries the row as it is now.
 */
export async function updateProject(
  db: Db,
  { project, version, patch, by }: { project: ProjectRow; version: number; patch: ProjectPatch; by: Actor },
): Promise<Project> {
  return db.transaction(async (tx) => {
    const present = await takeVersion(tx, { project, version, by });
    requireDueAfterStart(present, patch);
    const { clientCollaboration, statusReminder, commitView } = patch;
    if ((clientCollaboration ?? statusReminder ?? commitView) !== undefined) requireManager(present, by);
    const people = peopleAfter(present, patch);
    await requireEligible(tx, { chosen: people, asked: patch.clientPeople, present });
    const { githubRepo: link = present.githubRepo } = patch;
    const relinked = link !== present.githubRepo;
    const linkedBefore = relinked ? await findRepositoryId(tx, project.id) : null;
    if (linkedBefore) await lockRepositories(tx, { ids: [linkedBefore], links: [link] });
    const repositoryId = relinked ? await linkRepository(tx, link) : undefined;
    const columns = { ...editedColumns(patch), repositoryId };
    if (Object.values(columns).some((value) => value !== undefined)) {
      await tx.update(projects).set(columnsOf(projects, columns)).where(eq(projects.id, project.id));
    }
    if (patch.liveLink !== undefined || patch.status !== undefined) await followLiveLink(tx, project.id);
    if (hasOtherMembers(present, people)) await replaceMembers(tx, project.id, people);
    const row = await reload(tx, project.id, by);
    const unassigned = await unassignLeavers(tx, row);
    const changes = projectChanges(present, row);
    if (changes.length > 0) await recordEvent(tx, { projectId: row.id, by, kind: "project.updated", changes });
    await auditCollaboration(tx, { present, row, by });
    const withdrawn = await withdrawFromLeavers(tx, { present, row, by });
    await settleProject(tx, { ...stepOf(present, row), withdrawn, unassigned });
    const showsOther = await auditCommitView(tx, { present, row, by });
    await auditClientPeople(tx, {
      projectId: row.id,
      added: without(row.clientPeople, present.clientPeople),
      removed: without(present.clientPeople, row.clientPeople),
      by: by.id,
    });
    const before = new Set(involvedIds(present));
    const kind = changes.some(({ field }) => PEOPLE_FIELDS.has(field)) ? "people-changed" : "project-changed";
    const newcomers = involvedIds(row).filter((id) => !before.has(id));
    // Some see the tasks of messages only since now, others no longer.
    if (kind === "people-changed") await touchLinks(tx, { projectId: row.id });
    // The commits on tasks are others for the client.
    await notifyProject(tx, { projectId: row.id, step: { kind: showsOther ? "resync" : kind }, newcomers });
    if (showsOther) await announceCommitView(tx, row);
    await announceLinks(tx, { before: linkedBefore, after: repositoryId ?? null, people: row });
    await notifyNewcomers(tx, { row, newcomers, by });
    // Their inboxes show less from now on.
    const leavers = [...without(involvedIds(present), involvedIds(row)), ...without(present.managers, row.managers)];
    await notifyInbox(tx, { userIds: leavers });
    if (row.status !== present.status) {
      await notifyOfStatus(tx, { projectId: row.id, version: row.version, status: row.status, actorId: by.id });
    }
    return showProject(row, by);
  });
}

function without(ids: string[], others: string[]): string[] {
  return ids.filter((id) => !others.includes(id));
}

/** What an edit may have made untrue of what was said of the project. */
function stepOf(present: ProjectRow, row: ProjectRow) {
  return {
    projectId: row.id,
    isStopped: row.status !== present.status && !RUNNING_STATUSES.some((status) => status === row.status),
    dueDate: row.dueDate === present.dueDate ? undefined : row.dueDate,
    left: without(involvedIds(present), involvedIds(row)),
  };
}

async function notifyNewcomers(
  tx: Tx,
  { row: { id, version }, newcomers, by }: { row: ProjectRow; newcomers: string[]; by: Actor },
): Promise<void> {
  const cause = `assigned:${id}:${version}`;
  await insertNotifications(tx, { kind: "assigned", cause, actorId: by.id, recipients: newcomers, projectId: id });
}

const PEOPLE_FIELDS: ReadonlySet<ChangedField> = new Set<ChangedField>([
  "clientId",
  "clientPeople",
  "assignedTo",
  "managers",
]);

/** Deletes a project with all its tasks. Gone already: NOT_FOUND. */
export async function deleteProject(
  db: Db,
  { project: { id }, by }: { project: ProjectRow; by: Actor },
): Promise<{ id: string }> {
  return db.transaction(async (tx) => {
    await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, id)).for("update");
    await touchLinks(tx, { projectId: id });
    await keepCommitMode(tx, id);
    await releaseNotificationsOf(tx, { projectId: id });
    await withdrawUnanswerable(tx, { projectId: id, by });
    const [gone] = await tx
      .delete(projects)
      .where(eq(projects.id, id))
      .returning({ title: projects.title, key: projects.key, repositoryId: projects.repositoryId });
    if (!gone) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
    const details = { title: gone.title, key: gone.key };
    await insertAudit(tx, { kind: "project.deleted", actorId: by.id, subjectId: id, details });
    await notifyProject(tx, { projectId: id, step: { kind: "removed" } });
    if (gone.repositoryId) await leaveRepository(tx, gone.repositoryId);
    return { id };
  });
}

/** Its sign-offs outlive it, and go on to show its clients no more of commits than it did. */
async function keepCommitMode(tx: Tx, projectId: string): Promise<void> {
  const { commitMode } = projects;
  const atDeletion = tx.select({ commitMode }).from(projects).where(eq(projects.id, projectId));
  await tx
    .update(signOffs)
    .set(columnsOf(signOffs, { commitModeAtDeletion: sql`(${atDeletion})` }))
    .where(eq(signOffs.projectId, projectId));
}

/** Of two edits of one version only one goes on. Sight is checked under the lock: who was removed meanwhile gets no row. */
async function takeVersion(
  tx: Tx,
  { project, version, by }: { project: ProjectRow; version: number; by: Actor },
): Promise<ProjectRow> {
  const locked = await lockProject(tx, { id: project.id, actor: by });
  if (!locked) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
  const [taken] = await tx
    .update(projects)
    .set({ version: sql`${projects.version} + 1`, changeSeq: sql`${projects.changeSeq} + 1`, updatedAt: sql`now()` })
    .where(and(eq(projects.id, project.id), eq(projects.version, version)))
    .returning({ id: projects.id });
  const present = await reload(tx, project.id, by);
  const refusal = { reason: "stale-version" as const, current: showProject(present, by) };
  if (!taken) throw new DomainError("CONFLICT", MESSAGES.projects.stale, refusal);
  return present;
}

async function reload(tx: Tx, id: string, actor: Actor): Promise<ProjectRow> {
  // An editor may leave the project with this very edit, so the row is read with an admin's eyes.
  const row = await findProject(tx, { id, actor: { ...actor, accountType: "admin" } });
  if (!row) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
  return row;
}

/** Retries with the next free number when another project takes the key first. */
async function insertProject(
  tx: Tx,
  {
    fields,
    settings,
    repositoryId,
    lastTaskNumber,
    by,
  }: Omit<ProjectCreation, "firstTasks"> & { repositoryId: string | null; lastTaskNumber: number },
): Promise<string> {
  const { title, description, startDate } = fields;
  for (;;) {
    const [key = ""] = await findFreeKeys(tx, [{ title, wanted: null }]);
    const [inserted] = await tx
      .insert(projects)
      .values(
        columnsOf(projects, {
          ...editedColumns(fields),
          ...settings,
          title,
          description,
          startDate,
          key,
          repositoryId,
          lastTaskNumber,
          createdBy: by.id,
        }),
      )
      .onConflictDoNothing({ target: projects.key })
      .returning({ id: projects.id });
    if (inserted) return inserted.id;
  }
}

type NewRow = typeof projects.$inferInsert;
type WrittenColumns = { [Column in keyof NewRow]?: NewRow[Column] | undefined };

/** The columns that people write. Each by name, so that a renamed column cannot be dropped in silence. */
function editedColumns(patch: ProjectPatch): WrittenColumns {
  const { title, description, status, startDate, dueDate, clientId, githubRepo, liveLink, projectType } = patch;
  const { clientCollaboration, statusReminder, commitView } = patch;
  return {
    ...{ title, description, status, startDate, dueDate, clientId, githubRepo, liveLink, projectType },
    clientCollaboration,
    statusReminder,
    commitMode: commitView?.mode,
    maskedWords: commitView?.maskedWords,
  };
}

/** Who is on a project once it is edited. Where there is no client, there are no people of the client; none of them is there twice. */
function peopleAfter(present: Chosen, patch: ProjectPatch): Chosen {
  const { clientId = present.clientId, clientPeople = present.clientPeople } = patch;
  const { assignedTo = present.assignedTo, managers = present.managers } = patch;
  const further = clientId === null ? [] : clientPeople.filter((id) => id !== clientId);
  return { clientId, clientPeople: further, assignedTo, managers };
}

interface Chosen extends People {
  clientId: string | null;
}

function hasOtherMembers(present: People, { assignedTo, managers, clientPeople }: People): boolean {
  const differs = (ids: string[], others: string[]) => ids.join() !== others.join();
  return (
    differs(present.assignedTo, assignedTo) ||
    differs(present.managers, managers) ||
    differs(present.clientPeople, clientPeople)
  );
}

/**
 * Members are active users or admins, the client and its people active clients; who is there already may stay as they are.
 * `asked` are the people of the client that were sent, who need a client.
 */
async function requireEligible(
  tx: Tx,
  { chosen, asked = [], present }: { chosen: Chosen; asked: string[] | undefined; present: ProjectRow | null },
): Promise<void> {
  const added = (ids: string[], already: string[] = []) => ids.filter((id) => !already.includes(id));
  const assigned = added(chosen.assignedTo, present?.assignedTo);
  const managing = added(chosen.managers, present?.managers);
  const further = added(chosen.clientPeople, present?.clientPeople);
  const clientId = chosen.clientId === present?.clientId ? null : chosen.clientId;
  const employees = await findActiveIds(tx, [...assigned, ...managing], ["user", "admin"]);
  const clients = await findActiveIds(tx, [...(clientId ? [clientId] : []), ...further], ["client"]);
  const at = <Field extends keyof Chosen>(field: Field) => (present ? (`patch.${field}` as const) : field);
  const errors: FieldErrorsOf<ProjectFields | UpdateProject> = {};
  if (assigned.some((id) => !employees.has(id))) errors[at("assignedTo")] = [MESSAGES.projects.notAssignable];
  if (managing.some((id) => !employees.has(id))) errors[at("managers")] = [MESSAGES.projects.notAssignable];
  if (clientId && !clients.has(clientId)) errors[at("clientId")] = [MESSAGES.projects.notClient];
  if (further.some((id) => !clients.has(id))) errors[at("clientPeople")] = [MESSAGES.projects.notClients];
  if (chosen.clientId === null && asked.length > 0) errors[at("clientPeople")] = [MESSAGES.projects.clientFirst];
  if (Object.keys(errors).length > 0) throw new ValidationError<ProjectFields | UpdateProject>(errors);
}

/** What the firm's client may write and sees of commits, and is written, is decided by who answers for the project. */
function requireManager(project: ProjectRow, by: Actor): void {
  if (mayManage(by, project)) return;
  throw new DomainError("FORBIDDEN", MESSAGES.projects.managersOnly);
}

function requireDueAfterStart(present: ProjectRow, patch: ProjectPatch): void {
  const startDate = patch.startDate ?? present.startDate;
  const dueDate = patch.dueDate === undefined ? present.dueDate : patch.dueDate;
  if (dueDate && dueDate < startDate)
    throw new ValidationError<UpdateProject>({ "patch.dueDate": [MESSAGES.projects.dueBeforeStart] });
}
