import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { countRows } from "../../db/expressions";
import { labels, projects, taskLabels, tasks } from "../../db/schema";
import { columnsOf, rowsOf } from "../../db/writes";
import { MESSAGES } from "../contract/messages";
import { type CreateLabel, MAX_LABELS, type UpdateLabel } from "../contract/task-labels";
import type { Label } from "../contract/views";
import { DomainError } from "../core/errors";
import { notifyLabels, notifyProject } from "../realtime/notify";
import { labelColumns } from "./queries";

/** Adds a label. One of that name, in capitals or not, is a CONFLICT that carries it; so is one beyond the 200th. */
export async function createLabel(db: Db, { name, colour }: CreateLabel): Promise<Label> {
  return db.transaction(async (tx) => {
    await takeTurn(tx);
    await requireFreeName(tx, { name });
    const [counted] = await tx.select({ count: countRows() }).from(labels);
    if ((counted?.count ?? 0) >= MAX_LABELS)
      throw new DomainError("CONFLICT", MESSAGES.labels.tooMany, { reason: "too-many" });
    const [made] = await tx.insert(labels).values(columnsOf(labels, { name, colour })).returning(labelColumns);
    await notifyLabels(tx);
    return found(made);
  });
}

/**
 * Adds the labels whose names are not there yet, in capitals or not, the first ones first, as far as there is room for them. Resolves
 * to those for which there is none.
 */
export async function insertMissingLabels(tx: Tx, wanted: readonly CreateLabel[]): Promise<CreateLabel[]> {
  if (wanted.length === 0) return [];
  await takeTurn(tx);
  const given = sql`rows from (jsonb_to_recordset(${JSON.stringify(wanted)}::text::jsonb) as (name text, colour text))
    with ordinality as given(name, colour, place)`;
  const missing = await tx.execute<CreateLabel>(sql`
    select name, colour from (
      select distinct on (lower(given.name)) given.name, given.colour, given.place from ${given}
      where not exists (select from ${labels} where lower(${labels.name}) = lower(given.name))
      order by lower(given.name), given.place
    ) as missing order by place`);
  if (missing.length === 0) return [];
  const room = Math.max(0, MAX_LABELS - (await tx.$count(labels)));
  const added = missing.slice(0, room);
  if (added.length > 0) {
    await tx.insert(labels).values(rowsOf(labels, added));
    await notifyLabels(tx);
  }
  return missing.slice(room);
}

/** Renames or recolours a label. The last change counts; a name that another label has is a CONFLICT that carries that one. Gone: NOT_FOUND. */
export async function updateLabel(db: Db, { labelId, name, colour }: UpdateLabel): Promise<Label> {
  return db.transaction(async (tx) => {
    await takeTurn(tx);
    const [present] = await tx.select(labelColumns).from(labels).where(eq(labels.id, labelId));
    const columns = { name: name ?? found(present).name, colour: colour ?? found(present).colour };
    await requireFreeName(tx, { name: columns.name, labelId });
    // It may have been deleted meanwhile.
    const [updated] = await tx
      .update(labels)
      .set(columnsOf(labels, columns))
      .where(eq(labels.id, labelId))
      .returning(labelColumns);
    await notifyLabels(tx);
    return found(updated);
  });
}

/** Deletes a label, and takes it off every task: whoever shows one of their projects is notified. Gone already: NOT_FOUND. */
export async function deleteLabel(db: Db, { labelId }: { labelId: string }): Promise<{ id: string }> {
  return db.transaction(async (tx) => {
    const ofLabel = eq(labels.id, labelId);
    const [held] = await tx.select({ id: labels.id }).from(labels).where(ofLabel).for("update");
    if (!held) throw new DomainError("NOT_FOUND", MESSAGES.labels.notFound);
    const labelled = tx
      .select({ projectId: tasks.projectId })
      .from(taskLabels)
      .innerJoin(tasks, eq(tasks.id, taskLabels.taskId))
      .where(eq(taskLabels.labelId, labelId));
    // In one order everywhere, so that no two wait for each other.
    const concerned = await tx
      .select({ id: projects.id })
      .from(projects)
      .where(inArray(projects.id, labelled))
      .orderBy(asc(projects.id))
      .for("no key update");
    await tx.delete(labels).where(ofLabel);
    for (const { id } of concerned) {
      const changeSeq = sql`${projects.changeSeq} + 1`;
      await tx.update(projects).set(columnsOf(projects, { changeSeq })).where(eq(projects.id, id));
      await notifyProject(tx, { projectId: id, step: { kind: "resync" } });
    }
    await notifyLabels(tx);
    return held;
  });
}

/** One after the other, so that names stay unique and the limit is one: before anything is read. */
async function takeTurn(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('label-changes'))`);
}

async function requireFreeName(tx: Tx, { name, labelId }: { name: string; labelId?: string }): Promise<void> {
  const isOther = labelId === undefined ? undefined : ne(labels.id, labelId);
  const [current] = await tx
    .select(labelColumns)
    .from(labels)
    .where(and(sql`lower(${labels.name}) = lower(${name})`, isOther));
  if (current) throw new DomainError("CONFLICT", MESSAGES.labels.exists, { reason: "label-exists", current });
}

function found(label: Label | undefined): Label {
  if (!label) throw new DomainError("NOT_FOUND", MESSAGES.labels.notFound);
  return label;
}
