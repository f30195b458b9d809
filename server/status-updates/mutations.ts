import { eq, sql } from "drizzle-orm";
import type * as z from "zod/mini";
import type { Db } from "../../db/client";
import { isoInstant } from "../../db/expressions";
import { projects, statusUpdates } from "../../db/schema";
import { columnsOf } from "../../db/writes";
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

/** Stores a status update and notifies everybody who follows the project live, and its clients. Who may is asked under the lock. */
export async function sendStatusUpdate(
  db: Db,
  { projectId, health, text, upTo, by }: z.output<typeof sendStatusUpdateSchema> & { by: Actor },
): Promise<StatusUpdate> {
  return db.transaction(async (tx) => {
    const project = await lockProject(tx, { id: projectId, actor: by });
    if (!project) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
    if (!mayManage(by, project)) throw new DomainError("FORBIDDEN", MESSAGES.projects.managersOnly);
    const [sent] = await tx
      .insert(statusUpdates)
      // Under the lock: not the time at which the transaction began to wait for it.
      .values(
        columnsOf(statusUpdates, { projectId, health, text, upTo, authorId: by.id, sentAt: sql`clock_timestamp()` }),
      )
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
  });
}
