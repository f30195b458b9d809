import { type AccountType, PROJECT_EVENT_KINDS, TASK_STATUSES, type TaskPriority, type TaskStatus } from "@db/enums";
import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { type Db, perDatabase, type Tx } from "../../db/client";
import { isoInstant, nextIdentity, placeholders, quoted } from "../../db/expressions";
import { appendedRank, appendedRankOf } from "../../db/ranks";
import { projectEvents, projects, type StoredChecklistItem, taskAssignees, tasks } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import type { NewTask } from "../contract/tasks";
import type { ChecklistItem, Task } from "../contract/views";
import type { Actor } from "../core/context";
import { visibleTo } from "../projects/policy";
import { numberedNotification, projectPayload } from "../realtime/notify";

/** Its labels come after it. */
interface Append {
  projectId: string;
  fields: NewTask & { priority?: TaskPriority | undefined; checklist?: ChecklistItem[] | undefined };
  assignees: string[];
  by: Actor;
}

/**
 * Adds a task with all that belongs to it (number, rank, people, a line of history, the notification) in one statement, or null when
 * it cannot be sure that the actor may: because they may not, or because the project has changed while it waited for its
 * turn. A statement judges by what stood when it began; an edit of who is on the project counts up its version, and then
 * `appendTaskInTurn` decides. Statement by statement the rate was less than half.
 */
export async function appendTask(db: Db, append: Append): Promise<Task | null> {
  const values = valuesOf(append);
  const [made] = await appending(db, append.by.accountType).execute(values);
  return made ? taskOf(append, { ...values, ...made }) : null;
}
const appending = perDatabase((db, accountType: AccountType) => {
  const values = placeholders<Values>({
    ...{ id: true, projectId: true, actorId: true, title: true, description: true, status: true, dueDate: true },
    ...{ priority: true, checklist: true, assignees: true, notification: true },
  });
  const before = alias(projects, "before");
  const unchanged = sql`${projects.version} = (select ${before.version} from ${projects} as ${sql.identifier("before")} where ${eq(before.id, values.projectId)})`;
  return insertingWithAll(db, values, { accountType, condition: unchanged }).prepare("append_task");
});

/** The same within a transaction that first takes the project's row, so that who is on it is read after all changes before. */
export async function appendTaskInTurn(tx: Tx, append: Append): Promise<Task | null> {
  const values = valuesOf(append);
  const { accountType } = append.by;
  await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, append.projectId)).for("no key update");
  const [made] = await insertingWithAll(tx, values, { accountType, condition: undefined });
  return made ? taskOf(append, { ...values, ...made }) : null;
}

function valuesOf({
  projectId,
  fields: { title, description, status = "todo", dueDate = null, priority = "none", checklist = [] },
  assignees,
  by,
}: Append) {
  const id = crypto.randomUUID();
  return {
    id,
    projectId,
    actorId: by.id,
    title,
    description,
    status,
    dueDate,
    priority,
    checklist: JSON.stringify(checklist),
    assignees: `{${assignees.join(",")}}`,
    notification: projectPayload({ projectId, step: { kind: "task-created", taskId: id } }),
  };
}

function taskOf(
  { assignees, fields: { checklist = [] } }: Append,
  made: ReturnType<typeof valuesOf> & Pick<Task, "number" | "createdAt">,
): Task {
  const { id, projectId, number, title, description, status, dueDate, priority, createdAt, actorId } = made;
  return {
    id,
    projectId,
    number,
    rank: appendedRank(number),
    title,
    description,
    status,
    completed: status === "completed",
    dueDate,
    priority,
    checklist,
    labelIds: [],
    assignedTo: assignees.toSorted(),
    createdAt,
    createdBy: actorId,
    version: 1,
  };
}

type Values = { [Name in keyof ReturnType<typeof valuesOf>]: ReturnType<typeof valuesOf>[Name] | SQLWrapper };

function insertingWithAll(
  db: Db | Tx,
  { id, projectId, actorId, title, description, status, dueDate, priority, checklist, assignees, notification }: Values,
  { accountType, condition }: { accountType: AccountType; condition: SQL | undefined },
) {
  const isCompleted = sql`${status}::task_status = ${quoted(TASK_STATUSES, "completed")}`;
  const counted = db
    .$with("counted", {
      id: projects.id,
      number: projects.lastTaskNumber,
      changeSeq: projects.changeSeq,
    })
    .as(
      db
        .update(projects)
        .set({
          changeSeq: sql`${projects.changeSeq} + 1`,
          lastTaskNumber: sql`${projects.lastTaskNumber} + 1`,
          taskCount: sql`${projects.taskCount} + 1`,
          completedTaskCount: sql`${projects.completedTaskCount} + (${isCompleted})::int`,
          taskAssigneeIds: sql`case when ${projects.taskAssigneeIds} @> ${assignees}::uuid[] then ${projects.taskAssigneeIds}
            else ${projects.taskAssigneeIds} || ${assignees}::uuid[] end`,
        })
        .where(
          and(sql`${projects.id} = ${projectId}`, visibleTo({ id: sql`${actorId}::uuid`, accountType }), condition),
        )
        .returning({ id: projects.id, number: projects.lastTaskNumber, changeSeq: projects.changeSeq })
        .getSQL(),
    );
  const added = db.$with("added", { id: tasks.id }).as(
    db
      .insert(tasks)
      .select(
        db
          .select(
            columnsOf(tasks, {
              id: sql<string>`${id}::uuid`.as("id"),
              projectId: counted.id,
              number: counted.number,
              rank: appendedRankOf(counted.number).as("rank"),
              title: sql<string>`${title}::text`.as("title"),
              description: sql<string>`${description}::text`.as("description"),
              status: sql<TaskStatus>`${status}::task_status`.as("status"),
              statusBefore:
                sql<TaskStatus | null>`case when ${isCompleted} then ${quoted(TASK_STATUSES, "todo")}::task_status end`.as(
                  "status_before",
                ),
              dueDate: sql<string | null>`${dueDate}::date`.as("due_date"),
              priority: sql<TaskPriority>`${priority}::task_priority`.as("priority"),
              checklist: sql<StoredChecklistItem[]>`${checklist}::jsonb`.as("checklist"),
              completedAt: sql<Date | null>`case when ${isCompleted} then now() end`.as("completed_at"),
              createdBy: sql<string>`${actorId}::uuid`.as("created_by"),
              createdAt: sql<Date>`now()`.as("created_at"),
              updatedAt: sql<Date>`now()`.as("updated_at"),
              version: sql<number>`1`.as("version"),
            }),
          )
          .from(counted),
      )
      .returning({ id: tasks.id })
      .getSQL(),
  );
  const assigned = db.$with("assigned", {}).as(
    db
      .insert(taskAssignees)
      .select(
        db
          .select(
            columnsOf(taskAssignees, {
              taskId: added.id,
              userId: sql<string>`unnest(${assignees}::uuid[])`.as("user_id"),
            }),
          )
          .from(added),
      )
      .getSQL(),
  );
  const recorded = db.$with("recorded", {}).as(
    db
      .insert(projectEvents)
      .select(
        db
          .select(
            columnsOf(projectEvents, {
              id: nextIdentity(projectEvents.id).as("id"),
              projectId: counted.id,
              at: sql<Date>`now()`.as("at"),
              actorId: sql<string>`${actorId}::uuid`.as("actor_id"),
              kind: sql<"task.created">`${quoted(PROJECT_EVENT_KINDS, "task.created")}::project_event_kind`.as("kind"),
              taskId: sql<string>`${id}::uuid`.as("task_id"),
              taskNumber: counted.number,
              taskTitle: sql<string>`${title}::text`.as("task_title"),
              changes: sql<[]>`'[]'::jsonb`.as("changes"),
            }),
          )
          .from(counted),
      )
      .getSQL(),
  );
  return db
    .with(counted, added, assigned, recorded)
    .select({
      number: counted.number,
      createdAt: isoInstant(sql<Date>`now()`),
      notified: numberedNotification(db, { payload: sql`${notification}`, seq: counted.changeSeq }),
    })
    .from(counted);
}
