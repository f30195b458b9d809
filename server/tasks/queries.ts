import type { AccountType } from "@db/enums";
import { and, asc, eq, gt, ne, or, type SQL, sql } from "drizzle-orm";
import { type Db, perDatabase, type Tx } from "../../db/client";
import {
  aliased,
  columnValue,
  countRows,
  type IdValue,
  isAnyOf,
  jsonArray,
  jsonRowsText,
  orEmpty,
  parseJsonText,
  writeJsonText,
} from "../../db/expressions";
import { projects, taskLabels, tasks } from "../../db/schema";
import { maskTask } from "../contract/masked-commits";
import type { MyTasks, Task } from "../contract/views";
import type { Actor } from "../core/context";
import type { Reading } from "../core/reply";
import { commitsByTask } from "../github/queries";
import { visibleTo } from "../projects/policy";
import { isAssignedTo, isCompleted, taskColumns } from "../projects/task-columns";
import { tasksVersion } from "./list-version";

const MAX_OWN_TASKS = 500;

/**
 * Tasks of a project that the actor may see, or null: open first, each group by rank. One statement, so that who may see them,
 * what is seen and its version are of one moment.
 */
export async function readTasks(
  db: Db,
  { projectId, actor }: { projectId: string; actor: Actor },
): Promise<Reading<Task[]> | null> {
  const [row] = await tasksOfProject(db, actor.accountType).execute({ projectId, actorId: actor.id });
  if (!row) return null;
  const { version, json, masked } = row;
  // Only words to mask make the text be read here: case folding in PostgreSQL depends on its locale.
  if (masked.length === 0) return { version, json };
  return { version, json: writeJsonText(parseJsonText(json).map((task) => maskTask(task, masked))) };
}
const tasksOfProject = perDatabase((db, accountType: AccountType) => {
  const projectId = sql.placeholder("projectId");
  const byTask = commitsByTask(db, { projectId, accountType });
  const labelled = labelsByTask(db, { projectId });
  const listed = db
    .select(aliased({ ...taskColumns, labelIds: orEmpty(labelled.labelIds), commits: orEmpty(byTask.commits) }))
    .from(tasks)
    .leftJoin(labelled, eq(labelled.taskId, tasks.id))
    .leftJoin(byTask, eq(byTask.taskNumber, tasks.number))
    // The id itself, not the outer row's: the planner then knows how many rows to expect.
    .where(eq(tasks.projectId, projectId))
    .orderBy(asc(isCompleted), asc(tasks.rank));
  return db
    .select({ version: tasksVersion(accountType), json: jsonRowsText<Task>(listed), masked: maskedFor(accountType) })
    .from(projects)
    .where(and(eq(projects.id, projectId), visibleTo({ id: sql.placeholder("actorId"), accountType })))
    .prepare("tasks_of_project");
});

/**
 * The labels of all tasks of a project that have any. Task by task PostgreSQL would read all of a small table each time, and take a
 * third of the list's time where nothing has a label.
 */
function labelsByTask(db: Db, { projectId }: { projectId: IdValue }) {
  const { taskId, labelId } = taskLabels;
  const ofProject = db.select({ id: tasks.id }).from(tasks).where(eq(tasks.projectId, projectId));
  return db
    .select({ taskId, labelIds: jsonArray(columnValue(labelId), { orderBy: labelId }).as("label_ids") })
    .from(taskLabels)
    .where(isAnyOf(taskId, ofProject))
    .groupBy(taskId)
    .as("labelled");
}

/** The words that are masked in the commits of the project of the query. */
function maskedFor(accountType: AccountType): SQL<string[]> {
  return accountType === "client" ? sql<string[]>`array_to_json(${projects.maskedWords})` : sql<string[]>`'[]'::json`;
}

/**
 * The tasks assigned to the actor in the projects they may see, or for a client all tasks of those projects; what was completed
 * within a day comes last.
 */
export async function listMyTasks(db: Db, { actor }: { actor: Actor }): Promise<MyTasks> {
  const isMine = and(visibleTo(actor), actor.accountType === "client" ? undefined : isAssignedTo(actor.id));
  const [items, [counted]] = await Promise.all([
    db
      .select({ ...taskColumns, project: { id: projects.id, key: projects.key, title: projects.title } })
      .from(tasks)
      .innerJoin(projects, eq(projects.id, tasks.projectId))
      .where(and(isMine, or(ne(tasks.status, "completed"), gt(tasks.completedAt, sql`now() - interval '1 day'`))))
      .orderBy(asc(isCompleted), asc(tasks.dueDate), asc(tasks.createdAt), asc(tasks.id))
      .limit(MAX_OWN_TASKS),
    db
      .select({ open: countRows(ne(tasks.status, "completed")) })
      .from(tasks)
      .innerJoin(projects, eq(projects.id, tasks.projectId))
      .where(isMine),
  ]);
  return { items, open: counted?.open ?? 0 };
}

/** The task, found through its own project's visibility, or null: not theirs and not there are the same. */
export async function findVisibleTask(db: Db, { id, actor }: { id: string; actor: Actor }): Promise<Task | null> {
  const [task] = await db
    .select(taskColumns)
    .from(tasks)
    .innerJoin(projects, eq(projects.id, tasks.projectId))
    .where(and(eq(tasks.id, id), visibleTo(actor)));
  return task ?? null;
}

/** The task of that key, `HBP-12`, with its commits, or null: not theirs and not there are the same. */
export async function findTaskByKey(db: Db, { key, actor }: { key: string; actor: Actor }): Promise<Task | null> {
  const [projectKey = "", number = ""] = key.split("-");
  const ofKey = eq(projects.key, projectKey);
  const byTask = commitsByTask(db, {
    projectId: sql`(select ${projects.id} from ${projects} where ${ofKey})`,
    accountType: actor.accountType,
  });
  const [found] = await db
    .select({ ...taskColumns, commits: orEmpty(byTask.commits), masked: maskedFor(actor.accountType) })
    .from(tasks)
    .innerJoin(projects, eq(projects.id, tasks.projectId))
    .leftJoin(byTask, eq(byTask.taskNumber, tasks.number))
    .where(and(ofKey, eq(tasks.number, Number(number)), visibleTo(actor)));
  if (!found) return null;
  const { masked, ...task } = found;
  return masked.length === 0 ? task : maskTask(task, masked);
}

/** A task by id, for whoever has just written it. */
export async function findTask(db: Db | Tx, { id }: { id: string }): Promise<Task | null> {
  const [task] = await db.select(taskColumns).from(tasks).where(eq(tasks.id, id));
  return task ?? null;
}

/**
 * The ranks between which a task lies right after another one of its project, or with null before all others.
 * Null when that other task is not one of the project's.
 */
export async function findNeighbours(
  tx: Tx,
  { projectId, taskId, afterTaskId }: { projectId: string; taskId: string; afterTaskId: string | null },
): Promise<{ before: string | null; after: string | null } | null> {
  const others = and(eq(tasks.projectId, projectId), ne(tasks.id, taskId));
  let before: string | null = null;
  if (afterTaskId !== null) {
    const [anchor] = await tx
      .select({ rank: tasks.rank })
      .from(tasks)
      .where(and(others, eq(tasks.id, afterTaskId)));
    if (!anchor) return null;
    before = anchor.rank;
  }
  const [next] = await tx
    .select({ rank: tasks.rank })
    .from(tasks)
    .where(and(others, before === null ? undefined : gt(tasks.rank, before)))
    .orderBy(asc(tasks.rank))
    .limit(1);
  return { before, after: next?.rank ?? null };
}
