import { eq, ne, or, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { projects } from "../../db/schema";
import { taskTotals } from "../../db/task-totals";
import { columnsOf } from "../../db/writes";
import { notifyProject } from "../realtime/notify";

/**
 * Counts the tasks of projects again whose row disagrees with them, and notifies their watchers. Servers of a version that does not
 * know these columns write tasks without them while they are being replaced.
 */
export async function repairTaskTotals(db: Db): Promise<void> {
  const { taskCount, completedTaskCount, taskAssigneeIds } = taskTotals;
  const wrong = await db
    .select({ id: projects.id })
    .from(projects)
    .where(
      or(
        ne(projects.taskCount, taskCount),
        ne(projects.completedTaskCount, completedTaskCount),
        sql`array(select distinct unnest(${projects.taskAssigneeIds}) order by 1) <> ${taskAssigneeIds}`,
      ),
    );
  for (const { id } of wrong) {
    await db.transaction(async (tx) => {
      // Counted only once nobody else can write a task of it.
      await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, id)).for("no key update");
      await tx
        .update(projects)
        .set(columnsOf(projects, { ...taskTotals, changeSeq: sql`${projects.changeSeq} + 1` }))
        .where(eq(projects.id, id));
      await notifyProject(tx, { projectId: id, step: { kind: "project-changed" } });
    });
  }
}
