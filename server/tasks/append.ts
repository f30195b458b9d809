import type { TaskStatus } from "@db/enums";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../db/client";
import { eachId, isoInstant, nextIdentity } from "../../db/expressions";
import { appendedRankOf } from "../../db/ranks";
import { projectEvents, projects, taskAssignees, tasks } from "../../db/schema";
import type { NewTask } from "../contract/tasks";
import type { Task } from "../contract/views";
import type { Actor } from "../core/context";
import { visibleTo } from "../projects/policy";
import { projectKnock } from "../realtime/notify";

type Append = { projectId: string; fields: NewTask; assignees: string[]; by: Actor };

/**
 * Adds a task with all that belongs to it (number, rank, people, a line of history, the knock) in one statement, or null when
 * it cannot be sure that the actor may: because they may not, or because the project has changed while it waited for its
 * turn. A statement judges by what stood when it began; an edit of who is on the project counts up its version, and then
 * `appendTaskInTurn` decides. Statement by statement the rate was less than half.
 */
export function appendTask(db: Db, append: Append): Promise<Task | null> {
  const before = alias(projects, "before");
  const unchanged = sql`${projects.version} = (select ${before.version} from ${projects} as ${sql.identifier("before")} where ${eq(before.id, append.projectId)})`;
  return insertWithAll(db, append, unchanged);
}

/** The same within a transaction that first takes the project's row, so that who is on it is read after all changes before. */
export async function appendTaskInTurn(tx: Tx, append: Append): Promise<Task | null> {
  await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, append.projectId)).for("no key update");
  return insertWithAll(tx, append, undefined);
}

async function insertWithAll(
  db: Db | Tx,
  { projectId, fields: { title, description, status = "todo", dueDate = null }, assignees, by }: Append,
  condition: SQL | undefined,
): Promise<Task | null> {
  const id = crypto.randomUUID();
  const standing = statusColumns(status, "todo");
  const counted = db.$with("counted", { id: projects.id, number: projects.lastTaskNumber }).as(
    db
      .update(projects)
      .set({ changeSeq: sql`${projects.changeSeq} + 1`, lastTaskNumber: sql`${projects.lastTaskNumber} + 1` })
      .where(and(eq(projects.id, projectId), visibleTo(by), condition))
      .returning({ id: projects.id, number: projects.lastTaskNumber })
      .getSQL(),
  );
  const added = db.$with("added", { id: tasks.id }).as(
    db
      .insert(tasks)
      .select(
        db
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
  const assigned = db.$with("assigned", {}).as(
    db
      .insert(taskAssignees)
      .select(db.select({ taskId: added.id, userId: eachId(assignees).as("user_id") }).from(added))
      .getSQL(),
  );
  const told = db.$with("told", {}).as(
    db
      .insert(projectEvents)
      .select(
        db
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
  const [made] = await db
    .with(counted, added, assigned, told)
    .select({
      number: counted.number,
      rank: appendedRankOf(counted.number),
      createdAt: isoInstant(sql`now()`),
      knock: projectKnock(projectId),
    })
    .from(counted);
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
