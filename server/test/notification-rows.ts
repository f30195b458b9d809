import { randomUUID } from "node:crypto";
import type { NotificationKind } from "@db/event-kinds";
import { makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { insertNotifications } from "../notifications/mutations";
import type { TestDatabase } from "./db";

/** A project of two people with a task of the second one, and the way to notify of both. */
export interface NotificationRows {
  rohan: UserRow;
  mitali: UserRow;
  projectId: string;
  taskId: string;
  /** Notifies Mitali, or whoever is given, of what Rohan has done to the task, or to its project. */
  send(
    kind: NotificationKind,
    given?: { recipient?: UserRow; ofProject?: boolean; details?: string },
  ): Promise<unknown>;
}

/** Removes all earlier projects and notifications. */
export async function makeNotificationRows({ db, sql }: TestDatabase): Promise<NotificationRows> {
  await sql`truncate notifications, mail_jobs, projects, repositories cascade`;
  const rohan = await makeUser(db, { name: "Rohan Desai" });
  const mitali = await makeUser(db, { name: "Mitali <Rao>" });
  const { id: projectId } = await makeProject(db, {
    createdBy: rohan.id,
    assignedTo: [rohan.id, mitali.id],
    key: "HBP",
    title: "Harbour",
  });
  const { id: taskId } = await makeTask(db, {
    projectId,
    createdBy: rohan.id,
    title: "Tides & <ships>",
    assignedTo: [mitali.id],
  });
  const send: NotificationRows["send"] = (kind, given = {}) =>
    db.transaction((tx) =>
      insertNotifications(tx, {
        kind,
        cause: randomUUID(),
        actorId: rohan.id,
        recipients: [(given.recipient ?? mitali).id],
        projectId,
        taskId: given.ofProject ? null : taskId,
        details: given.details ?? null,
      }),
    );
  return { rohan, mitali, projectId, taskId, send };
}
