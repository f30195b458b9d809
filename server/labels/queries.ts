import { asc, eq, inArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { countRows } from "../../db/expressions";
import { labels, projects, taskLabels, tasks } from "../../db/schema";
import type { Label, LabelUsage } from "../contract/views";
import type { Actor } from "../core/context";
import { visibleTo } from "../projects/policy";

export const labelColumns = { id: labels.id, name: labels.name, colour: labels.colour };

/** By name: all of them for the team; a client's are those on tasks that the client may see. */
export async function listLabels(db: Db, { actor }: { actor: Actor }): Promise<Label[]> {
  const onTaskOfTheirs = db
    .select({ labelId: taskLabels.labelId })
    .from(taskLabels)
    .innerJoin(tasks, eq(tasks.id, taskLabels.taskId))
    .innerJoin(projects, eq(projects.id, tasks.projectId))
    .where(visibleTo(actor));
  return db
    .select(labelColumns)
    .from(labels)
    .where(actor.accountType === "client" ? inArray(labels.id, onTaskOfTheirs) : undefined)
    .orderBy(asc(sql`lower(${labels.name})`), asc(labels.id));
}

/** On how many tasks the label is; on none when there is no such label. */
export async function findLabelUsage(db: Db, { labelId }: { labelId: string }): Promise<LabelUsage> {
  const [counted] = await db.select({ tasks: countRows() }).from(taskLabels).where(eq(taskLabels.labelId, labelId));
  return { tasks: counted?.tasks ?? 0 };
}

/** Labels by id, in no order; those that are gone are left out. */
export async function findLabels(tx: Tx, ids: readonly string[]): Promise<Label[]> {
  if (ids.length === 0) return [];
  return tx
    .select(labelColumns)
    .from(labels)
    .where(inArray(labels.id, [...ids]));
}

/**
 * The same, and until the transaction ends nobody deletes them. Whoever puts a label on a task takes it before the project's row,
 * as whoever deletes one does: no two then wait for each other.
 */
export async function holdLabels(tx: Tx, ids: readonly string[]): Promise<Label[]> {
  if (ids.length === 0) return [];
  return tx
    .select(labelColumns)
    .from(labels)
    .where(inArray(labels.id, [...ids]))
    .orderBy(asc(labels.id))
    .for("key share");
}
