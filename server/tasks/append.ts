import type { TaskStatus } from "@db/enums";
import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "../../db/client";
import { eachId, isoInstant, nextIdentity } from "../../db/expressions";
import { appendedRankOf } from "../../db/ranks";
import { projectEvents, projects, taskAssignees, tasks } from "../../db/schema";
import type { NewTask } from "../contract/tasks";
import type { Task } from "../contract/views";
import type { Actor } from "../core/context";
import { visibleTo } from "../projects/policy";
import { projectKnock } from "../realtime/notify";

/**
 * Adds a task with all that belongs to it (number, rank, people, a line of history, the knock), or null when the actor may not
 * see the project. Two statements that travel together: the first takes the project's row, so that the second sees who is on
 * the project once all changes before it are done. Statement by statement it took three times as long.
 */
export async function appendTask(
  tx: Tx,
  {
    projectId,
    fields: { title, description, status = "todo", dueDate = null },
    assignees,
    by,
  }: { projectId: string; fields: NewTask; assignees: string[]; by: Actor },
): Promise<Task | null> {
  const id = crypto.randomUUID();
  const standing = statusColumns(status, "todo");
  const counted = tx.$with("counted", { id: projects.id, number: projects.lastTaskNumber }).as(
    tx
      .update(projects)
      .set({ changeSeq: sql`${projects.changeSeq} + 1`, lastTaskNumber: sql`${projects.lastTaskNumber} + 1` })
      .where(and(eq(projects.id, projectId), visibleTo(by)))
      .returning({ id: projects.id, number: projects.lastTaskNumber })
      .getSQL(),
  );
  const added = tx.$with("added", { id: tasks.id }).as(
    tx
      .insert(tasks)
      .select(
        tx
          .select({
            id: sql<string>`${id}::uuid`.as("id"),
            projectId: counted.id,
            number: counted.number,
            rank: appendedRankOf(counted.number).as("rank"),
            title: sql<string>`${title}::text`.as("title"),
            description: sql<string>`${description}::text`.as("description"),
            status: sql<TaskStatus>`${standing.status}::task_status`.as("status"),
            statusBefore: sql<TaskStatus | null>`${standing.statusBefore}::task_status`.as("status_before"),
            dueDate: sql<string | null>`${dueDate}::date`.as("due_date"),
            completedAt: sql<Date | null>`${standing.completedAt}::timestamptz`.as("completed_at"),
            createdBy: sql<string>`${by.id}::uuid`.as("created_by"),
            createdAt: sql<Date>`now()`.as("created_at"),
            updatedAt: sql<Date>`now()`.as("updated_at"),
            version: sql<number>`1`.as("version"),
          })
          .from(counted),
      )
      .returning({ id: tasks.id })
      .getSQL(),
  );
  const assigned = tx.$with("assigned", {}).as(
    tx
      .insert(taskAssignees)
      .select(tx.select({ taskId: added.id, userId: eachId(assignees).as("user_id") }).from(added))
      .getSQL(),
  );
  const told = tx.$with("told", {}).as(
    tx
      .insert(projectEvents)
      .select(
        tx
          .select({
            id: nextIdentity(projectEvents.id).as("id"),
            projectId: counted.id,
            at: sql<Date>`now()`.as("at"),
            actorId: sql<string>`${by.id}::uuid`.as("actor_id"),
            kind: sql<"task.created">`'task.created'::project_event_kind`.as("kind"),
            taskId: sql<string>`${id}::uuid`.as("task_id"),
            taskNumber: counted.number,
            taskTitle: sql<string>`${title}::text`.as("task_title"),
            changes: sql<[]>`'[]'::jsonb`.as("changes"),
          })
          .from(counted),
      )
      .getSQL(),
  );
  const [, [made]] = await Promise.all([
    tx.select({ id: projects.id }).from(projects).where(eq(projects.id, projectId)).for("no key update"),
    tx
      .with(counted, added, assigned, told)
      .select({
        number: counted.number,
        rank: appendedRankOf(counted.number),
        createdAt: isoInstant(sql`now()`),
        knock: projectKnock(projectId),
      })
      .from(counted),
  ]);
  if (!made) return null;
  const { number, rank, createdAt } = made;
  const completed = status === "completed";
  const words = { title, description, status, completed, dueDate };
  return {
    id,
    projectId,
    number,
    rank,
    ...words,
    assignedTo: assignees.toSorted(),
    createdAt,
    createdBy: by.id,
    version: 1,
  };
}

/** Status, since when it is completed, and what unticking returns to: the last two stand exactly while it is. */
export function statusColumns(status: TaskStatus, before: TaskStatus) {
  if (status !== "completed") return { status, statusBefore: null, completedAt: null };
  return { status, statusBefore: before === "completed" ? ("todo" as const) : before, completedAt: sql`now()` };
}
