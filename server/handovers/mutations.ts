import type { Db } from "../../db/client";
import { insertAudit } from "../audit/mutations";
import { countOwnedConversations, handOverConversations } from "../chat/covers";
import { type HandOverAll, HOLDING_PARTS, type HoldingPart, type Holdings } from "../contract/handovers";
import { MESSAGES } from "../contract/messages";
import type { Actor } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import { updateProject } from "../projects/mutations";
import { findProject } from "../projects/queries";
import { updateTask } from "../tasks/mutations";
import { findVisibleTask } from "../tasks/queries";
import { findActiveIds, findPeople } from "../users/queries";
import { getHoldings, listHeldWork } from "./queries";

interface Handover {
  userId: string;
  toUserId: string;
  by: Actor;
}

/** How often an edit is tried again that somebody else was faster with. */
const MAX_TRIES = 3;

/**
 * Gives what somebody holds, all or some parts of it, to another active user or admin: open tasks, the projects that they manage with the
 * requests in them, and as their cover an admin's conversations, which go to an admin only. Each task and project changes by itself, with
 * its own history: what is stopped half-way is gone on with by another call. Returns what they hold then.
 */
export async function handOverAll(
  db: Db,
  { userId, toUserId, parts = [...HOLDING_PARTS], by }: HandOverAll & { by: Actor },
): Promise<Holdings> {
  const before = await getHoldings(db, { userId });
  const [to] = await findPeople(db, [toUserId]);
  const isActive = (await findActiveIds(db, [toUserId], ["user", "admin"])).has(toUserId);
  if (!to || !isActive || toUserId === userId) {
    throw new ValidationError<HandOverAll>({ toUserId: [MESSAGES.users.notForHandover] });
  }
  const asked = new Set<HoldingPart>(parts);
  const owned = asked.has("conversations") ? await countOwnedConversations(db, { userId }) : 0;
  if (owned > 0 && to.accountType !== "admin") {
    throw new ValidationError<HandOverAll>({ toUserId: [MESSAGES.users.conversationsToAdmin] });
  }
  const handover = { userId, toUserId, by };
  for (const { projectId, isManager, taskIds } of await listHeldWork(db, { userId })) {
    const handed = {
      ...{ projectId, isManager: isManager && asked.has("managerOf") },
      taskIds: asked.has("tasks") ? taskIds : [],
    };
    await handOverProject(db, { ...handover, ...handed, isAdmin: to.accountType === "admin" });
    for (const taskId of handed.taskIds) await handOverTask(db, { ...handover, taskId });
  }
  await db.transaction(async (tx) => {
    if (owned > 0) await handOverConversations(tx, handover);
    await insertAudit(tx, {
      kind: "work.handed-over",
      actorId: by.id,
      subjectId: userId,
      details: {
        ...(asked.has("tasks") && { tasks: before.tasks }),
        ...(asked.has("managerOf") && { managerOf: before.managerOf }),
        ...(asked.has("conversations") && { conversations: before.conversations }),
        toUserId,
      },
    });
  });
  return getHoldings(db, { userId });
}

/** The other one manages in their place, and is of the project where its tasks go to them. */
async function handOverProject(
  db: Db,
  held: Handover & { projectId: string; isManager: boolean; taskIds: string[]; isAdmin: boolean },
): Promise<void> {
  const { userId, toUserId, projectId, isManager, taskIds, isAdmin, by } = held;
  await repeated(async () => {
    const project = await findProject(db, { id: projectId, actor: by });
    if (!project) return;
    const { assignedTo, version } = project;
    const managers = isManager
      ? [...new Set(project.managers.map((id) => (id === userId ? toUserId : id)))]
      : project.managers;
    const joins = taskIds.length > 0 && !isAdmin && ![...assignedTo, ...managers].includes(toUserId);
    const patch = { ...(isManager && { managers }), ...(joins && { assignedTo: [...assignedTo, toUserId] }) };
    if (Object.keys(patch).length > 0) await updateProject(db, { project, version, patch, by });
  });
}

async function handOverTask(db: Db, { userId, toUserId, taskId, by }: Handover & { taskId: string }): Promise<void> {
  await repeated(async () => {
    const task = await findVisibleTask(db, { id: taskId, actor: by });
    if (!task?.assignedTo.includes(userId)) return;
    const assignedTo = [...new Set(task.assignedTo.map((id) => (id === userId ? toUserId : id)))];
    await updateTask(db, { task, version: task.version, patch: { assignedTo }, by });
  });
}

async function repeated(edit: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await edit();
      return;
    } catch (error) {
      const isStale = error instanceof DomainError && error.reason === "stale-version";
      if (!isStale || tries === MAX_TRIES) throw error;
    }
  }
}
