import { eq, ne, or, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { projects } from "../../db/schema";
import { taskTotals } from "../../db/task-totals";
import { columnsOf } from "../../db/writes";
import type { TASK_CHANGE_KINDS } from "../contract/projects";
import { notifyProject, numberedNotification, projectPayload } from "../realtime/notify";

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

interface Change {
  projectId: string;
  kind: (typeof TASK_CHANGE_KINDS)[number] | "resync";
  taskId: string;
  /** What the change makes of the project's totals. */
  totals?: Partial<Record<keyof typeof taskTotals, SQL>>;
}

/** Counts a change for watchers and notifies them at commit. */
export async function countChange(tx: Tx, { projectId, totals, ...step }: Change): Promise<void> {
  const counted = tx.$with("counted", { changeSeq: projects.changeSeq }).as(
    tx
      .update(projects)
      .set(columnsOf(projects, { ...totals, changeSeq: sql`${projects.changeSeq} + 1` }))
      .where(eq(projects.id, projectId))
      .returning({ changeSeq: projects.changeSeq })
      .getSQL(),
  );
  const payload = sql`${projectPayload({ projectId, step })}`;
  await tx
    .with(counted)
    .select({ notified: numberedNotification(tx, { payload, seq: counted.changeSeq }) })
    .from(counted);
}

/** So many more completed tasks than before, or fewer, for a project's row. */
export function moreCompleted(count: number): { completedTaskCount: SQL } {
  return { completedTaskCount: sql`${projects.completedTaskCount} + ${count}` };
}
