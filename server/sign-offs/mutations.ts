import type { SignOffStatus } from "@db/client-enums";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { projects, signOffs, tasks } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import { MESSAGES } from "../contract/messages";
import type { AskSignOff } from "../contract/sign-offs";
import type { SignOff } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import { insertNotifications } from "../notifications/mutations";
import { listResponsible } from "../notifications/queries";
import { settleSignOff, signOffCause } from "../notifications/settle";
import { type LockedProject, lockProject, type ProjectRow } from "../projects/queries";
import { notifyProject } from "../realtime/notify";
import { findActiveIds } from "../users/queries";
import { managedSignOff, ownSignOff, requireManages } from "./procedures";
import {
  currentRecord,
  findAskedIn,
  findSignOff,
  type Reader,
  type SignOffRow,
  showSignOff,
  storedRecord,
} from "./queries";

/**
 * Asks somebody of the project's client to sign off its work. CONFLICT while Client collaboration is off, without a client, and for a
 * signer who is not active; BAD_REQUEST for tasks of another project, and for a signer who is not of the client.
 */
export async function askSignOff(
  db: Db,
  { project, asked, by }: { project: ProjectRow; asked: AskSignOff; by: Reader },
): Promise<SignOff> {
  const { note, taskIds = null } = asked;
  const projectId = project.id;
  return db.transaction(async (tx) => {
    const locked = await lockProject(tx, { id: projectId, actor: by.actor });
    if (!locked) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
    requireManages(by.actor, locked);
    const signerId = await requireSigner(tx, { project: locked, asked });
    if (taskIds) await requireTasks(tx, { projectId, taskIds });
    const [made] = await tx
      .insert(signOffs)
      .values(columnsOf(signOffs, { projectId, taskIds, signerId, note, record: {}, askedBy: by.actor.id }))
      .returning({ id: signOffs.id });
    const row = await reload(tx, { id: made?.id ?? "", by });
    const record = currentRecord(row);
    await tx.update(signOffs).set(columnsOf(signOffs, { record })).where(eq(signOffs.id, row.id));
    const about = { title: project.title, key: project.key, signOffId: row.id, signerId };
    await insertAudit(tx, { kind: "sign-off.asked", actorId: by.actor.id, subjectId: projectId, details: about });
    await announce(tx, projectId);
    const notified = { actorId: by.actor.id, recipients: [signerId], projectId, signOffId: row.id };
    await insertNotifications(tx, { kind: "sign-off-asked", cause: signOffCause(row.id), ...notified });
    return showSignOff({ ...row, record }, by);
  });
}

/** Takes the question back. Decided already: CONFLICT. */
export async function withdrawSignOff(db: Db, { id, by }: { id: string; by: Reader }): Promise<SignOff> {
  return db.transaction(async (tx) => {
    await lockSignOff(tx, id);
    const row = await managedSignOff({ db: tx, actor: by.actor }, id);
    requireAsked(row);
    await withdraw(tx, { row, by: by.actor });
    await settleSignOff(tx, { signOffId: id });
    return announced(tx, { row, by });
  });
}

/**
 * Takes back what nobody can answer any more, in the transaction that deletes a project, or takes `signerIds` off its client, and under
 * its lock. Returns the ids: what notified of them is the caller's to settle, with all else that it settles.
 */
export async function withdrawUnanswerable(
  tx: Tx,
  { projectId, signerIds, by }: { projectId: string; signerIds?: string[]; by: Actor },
): Promise<string[]> {
  const rows = await findAskedIn(tx, { projectId, signerIds, actor: seeingAll(by) });
  for (const row of rows) await withdraw(tx, { row, by });
  return rows.map(({ id }) => id);
}

async function withdraw(tx: Tx, { row, by }: { row: SignOffRow; by: Actor }): Promise<void> {
  await decide(tx, { row, status: "withdrawn", by });
  const { projectId: subjectId } = row;
  await insertAudit(tx, { kind: "sign-off.withdrawn", actorId: by.id, subjectId, details: about(row) });
}

/**
 * Signs the present record, which nothing changes any more. Another `version` than the one that was seen is a CONFLICT that carries
 * the sign-off as it is now; so is one that is decided, and one whose project is gone.
 */
export async function approveSignOff(
  db: Db,
  { id, seenVersion, by }: { id: string; seenVersion: number | undefined; by: Reader },
): Promise<SignOff> {
  return db.transaction(async (tx) => {
    const row = await openSignOff(tx, { id, by });
    const current = showSignOff(row, by);
    if (seenVersion !== undefined && seenVersion !== current.version)
      throw new DomainError("CONFLICT", MESSAGES.signOffs.stale, { reason: "stale-version", current });
    return signAs(tx, { row, status: "approved", by });
  });
}

/** Decides that something is to be changed first. CONFLICT when decided already, and when the project is gone. */
export async function requestChanges(
  db: Db,
  { id, reason, by }: { id: string; reason: string; by: Reader },
): Promise<SignOff> {
  return db.transaction(async (tx) => {
    const row = await openSignOff(tx, { id, by });
    return signAs(tx, { row, status: "changes-requested", reason, by });
  });
}

/** Checks 5 to 7 under the row's lock: a sign-off that the caller decides now, of the work as it is now. */
async function openSignOff(tx: Tx, { id, by }: { id: string; by: Reader }): Promise<SignOffRow> {
  await lockSignOff(tx, id);
  const row = await ownSignOff({ db: tx, actor: by.actor }, id);
  requireAsked(row);
  if (!row.project) throw new DomainError("CONFLICT", MESSAGES.signOffs.projectGone, { reason: "project-gone" });
  return row;
}

function requireAsked({ status }: SignOffRow): void {
  if (status !== "asked") throw new DomainError("CONFLICT", MESSAGES.signOffs.decided, { reason: "already-decided" });
}

/** Whoever decides or withdraws does it one after the other. Its project first, as whoever deletes one locks both. */
async function lockSignOff(tx: Tx, id: string): Promise<void> {
  const ofIt = tx.select({ projectId: signOffs.projectId }).from(signOffs).where(eq(signOffs.id, id));
  await tx.select({ id: projects.id }).from(projects).where(inArray(projects.id, ofIt)).for("no key update");
  await tx.select({ id: signOffs.id }).from(signOffs).where(eq(signOffs.id, id)).for("update");
}

interface Decision<By> {
  row: SignOffRow;
  status: Exclude<SignOffStatus, "asked">;
  reason?: string;
  by: By;
}

/** A decision of the signer, which whoever asked and the managers are notified of; admins where none of them is left. */
async function signAs(tx: Tx, { by, ...decision }: Decision<Reader>): Promise<SignOff> {
  const { row, status } = decision;
  await decide(tx, { ...decision, by: by.actor });
  await settleSignOff(tx, { signOffId: row.id });
  const decided = await announced(tx, { row, by });
  const details = { ...about(row), status };
  await insertAudit(tx, { kind: "sign-off.decided", actorId: by.actor.id, subjectId: row.projectId, details });
  const recipients = await listResponsible(tx, { projectId: row.projectId, others: [row.askedBy] });
  const notified = { actorId: by.actor.id, recipients, projectId: row.projectId, signOffId: row.id, details: status };
  await insertNotifications(tx, { kind: "sign-off-decided", cause: `sign-off-decided:${row.id}`, ...notified });
  return decided;
}

async function decide(tx: Tx, { row, status, reason, by }: Decision<Actor>): Promise<void> {
  // The record that was read under the lock: the one whose version was compared.
  const columns = {
    record: currentRecord(row),
    status,
    reason: reason ?? null,
    decidedBy: by.id,
    decidedAt: sql`now()`,
  };
  await tx
    .update(signOffs)
    .set(columnsOf(signOffs, columns))
    .where(and(eq(signOffs.id, row.id), eq(signOffs.status, "asked" satisfies SignOffStatus)));
}

/** What was decided, as a step of its project. */
async function announced(tx: Tx, { row, by }: { row: SignOffRow; by: Reader }): Promise<SignOff> {
  await announce(tx, row.projectId);
  return showSignOff(await reload(tx, { id: row.id, by }), by);
}

/** Names stand in the audit by ids; the project's own, since it may be gone. */
function about(row: SignOffRow) {
  const { title, key } = storedRecord(row).project;
  return { title, key, signOffId: row.id, signerId: row.signerId };
}

/** A step of the project, so that both sides read its sign-offs again. Nothing when it is gone. */
async function announce(tx: Tx, projectId: string): Promise<void> {
  const [stepped] = await tx
    .update(projects)
    .set(columnsOf(projects, { changeSeq: sql`${projects.changeSeq} + 1` }))
    .where(eq(projects.id, projectId))
    .returning({ id: projects.id });
  if (stepped) await notifyProject(tx, { projectId, step: { kind: "project-changed" } });
}

async function reload(tx: Tx, { id, by }: { id: string; by: Reader }): Promise<SignOffRow> {
  // What is decided may be out of the actor's sight by then.
  const row = await findSignOff(tx, { id, actor: seeingAll(by.actor) });
  if (!row) throw new DomainError("NOT_FOUND", MESSAGES.signOffs.notFound);
  return row;
}

/** Reads what changes, whether or not the actor sees it by then. */
function seeingAll(actor: Actor): Actor {
  return { ...actor, accountType: "admin" };
}

async function requireSigner(
  tx: Tx,
  { project, asked }: { project: LockedProject; asked: AskSignOff },
): Promise<string> {
  if (!project.clientCollaboration)
    throw new DomainError("CONFLICT", MESSAGES.signOffs.collaborationOff, { reason: "collaboration-off" });
  const signerId = asked.signerId ?? project.clientId;
  if (!signerId) throw new DomainError("CONFLICT", MESSAGES.signOffs.noClient, { reason: "no-client" });
  if (signerId !== project.clientId && !project.clientPeople.includes(signerId))
    throw new ValidationError<AskSignOff>({ signerId: [MESSAGES.signOffs.notClientPerson] });
  const active = await findActiveIds(tx, [signerId], ["client"]);
  if (!active.has(signerId))
    throw new DomainError("CONFLICT", MESSAGES.signOffs.signerInactive, { reason: "account-inactive" });
  return signerId;
}

async function requireTasks(tx: Tx, { projectId, taskIds }: { projectId: string; taskIds: string[] }): Promise<void> {
  const chosen = and(eq(tasks.projectId, projectId), inArray(tasks.id, taskIds));
  if ((await tx.$count(tasks, chosen)) < taskIds.length)
    throw new ValidationError<AskSignOff>({ taskIds: [MESSAGES.signOffs.unknownTasks] });
}
