import type { Tx } from "../../db/client";
import { insertAudit } from "../audit/mutations";
import type { Actor } from "../core/context";
import { notifyRepository } from "../realtime/notify";
import { withdrawUnanswerable } from "../sign-offs/mutations";
import { involvedIds } from "./policy";
import type { ProjectRow } from "./queries";
import { findRepositoryId } from "./repository";

interface Edit {
  present: ProjectRow;
  row: ProjectRow;
  by: Actor;
}

/** Records that a project's client may write in it from now on, or no longer. */
export async function auditCollaboration(tx: Tx, { present, row, by }: Edit): Promise<void> {
  if (present.clientCollaboration === row.clientCollaboration) return;
  const details = { title: row.title, key: row.key, clientCollaboration: row.clientCollaboration };
  await insertAudit(tx, { kind: "project.collaboration-changed", actorId: by.id, subjectId: row.id, details });
}

/** Records another choice of what the client sees of commits; whether it is one. The words themselves stay out: others read these. */
export async function auditCommitView(tx: Tx, { present, row, by }: Edit): Promise<boolean> {
  const { commitView } = row;
  if (!commitView || JSON.stringify(present.commitView) === JSON.stringify(commitView)) return false;
  const { mode, maskedWords } = commitView;
  const details = { title: row.title, key: row.key, mode, words: maskedWords.length };
  await insertAudit(tx, { kind: "project.commit-view-changed", actorId: by.id, subjectId: row.id, details });
  return true;
}

/** Takes back what people were asked to sign off who are not of the project's client any more, and returns the ids of that. */
export async function withdrawFromLeavers(tx: Tx, { present, row, by }: Edit): Promise<string[]> {
  const remaining = clientSideOf(row);
  const signerIds = clientSideOf(present).filter((id) => !remaining.includes(id));
  return signerIds.length > 0 ? withdrawUnanswerable(tx, { projectId: row.id, signerIds, by }) : [];
}

function clientSideOf({ clientId, clientPeople }: ProjectRow): string[] {
  return clientId === null ? clientPeople : [clientId, ...clientPeople];
}

/** Notifies whoever watches the project's commits, and clients who did not watch what was hidden. */
export async function announceCommitView(tx: Tx, row: ProjectRow): Promise<void> {
  const repositoryId = await findRepositoryId(tx, row.id);
  if (repositoryId) await notifyRepository(tx, { repositoryId, newcomers: involvedIds(row) });
}
