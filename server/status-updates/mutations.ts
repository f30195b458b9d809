import { eq, sql } from "drizzle-orm";
import type * as z from "zod/mini";
import type { Db, Tx } from "../../db/client";
import { isoInstant } from "../../db/expressions";
import { projects, statusUpdates } from "../../db/schema";
import { columnsOf, makeOnce } from "../../db/writes";
import { MESSAGES } from "../contract/messages";
import type { sendStatusUpdateSchema } from "../contract/status-updates";
import type { StatusUpdate } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { notifyOfStatusUpdate } from "../notifications/mutations";
import { mayManage } from "../projects/policy";
import { lockProject } from "../projects/queries";
import { notifyProject } from "../realtime/notify";
import { findPeople } from "../users/queries";
import { findUpdateByKey } from "./queries";

type SendStatusUpdate = z.output<typeof sendStatusUpdateSchema>;

/** A key of an author is used once. */
const CLIENT_KEY = "status_updates_client_key_unique";

/**
 * Stores a status update and notifies everybody who follows the project live, and its clients. Who may is asked under the lock.
 * Idempotent by key: the same key and content return the first one, the key with another content is a CONFLICT.
 */
export async function sendStatusUpdate(
  db: Db,
  { by, ...update }: SendStatusUpdate & { by: Actor },
): Promise<StatusUpdate> {
  const { clientUpdateId } = update;
  const { row, isNew } = await makeOnce(CLIENT_KEY, {
    find: async () => (clientUpdateId === undefined ? null : findUpdateByKey(db, { clientUpdateId, authorId: by.id })),
    make: () => db.transaction((tx) => insertUpdate(tx, { ...update, by })),
  });
  if (row && (isNew || hasContent(row, update))) return row;
  throw new DomainError("CONFLICT", MESSAGES.statusUpdates.keyTaken, { reason: "key-taken" });
}

function hasContent(earlier: StatusUpdate, { projectId, health, text }: SendStatusUpdate): boolean {
  return earlier.projectId === projectId && earlier.health === health && earlier.text === text;
}

async function insertUpdate(
  tx: Tx,
  { projectId, health, text, upTo, clientUpdateId, by }: SendStatusUpdate & { by: Actor },
): Promise<StatusUpdate> {
  const project = await lockProject(tx, { id: projectId, actor: by });
  if (!project) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
  if (!mayManage(by, project)) throw new DomainError("FORBIDDEN", MESSAGES.projects.managersOnly);
  // Under the lock: not the time at which the transaction began to wait for it.
  const sentAt = sql`clock_timestamp()`;
  const [sent] = await tx
    .insert(statusUpdates)
    .values(columnsOf(statusUpdates, { projectId, health, text, upTo, clientUpdateId, authorId: by.id, sentAt }))
    .returning({ id: statusUpdates.id, sentAt: isoInstant(statusUpdates.sentAt) });
  const [author] = await findPeople(tx, [by.id]);
  if (!sent || !author) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
  await tx
    .update(projects)
    .set({ changeSeq: sql`${projects.changeSeq} + 1` })
    .where(eq(projects.id, projectId));
  await notifyProject(tx, { projectId, step: { kind: "project-changed" } });
  await notifyOfStatusUpdate(tx, { projectId, statusUpdateId: sent.id, health, actorId: by.id });
  return { ...sent, projectId, health, text, authorId: by.id, author };
}
