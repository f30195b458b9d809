import { asc, gt } from "drizzle-orm";
import type { Tx } from "../../../db/client";
import { isoInstant } from "../../../db/expressions";
import { labels, projectTemplates } from "../../../db/schema";
import { templateContentSchema } from "../../contract/templates";
import { BEFORE_ALL, type Identified, PAGE } from "./paging";

/** By id. Labels by name, as those of tasks are; one that is gone is on none. */
export function listTemplates(tx: Tx) {
  const { id, title, content, createdBy, createdAt } = projectTemplates;
  return async (after: Identified | null) => {
    const rows = await tx
      .select({ id, title, content, createdBy, createdAt: isoInstant(createdAt) })
      .from(projectTemplates)
      .where(gt(id, after?.id ?? BEFORE_ALL))
      .orderBy(asc(id))
      .limit(PAGE);
    const { name, colour } = labels;
    const known = await tx.select({ id: labels.id, label: { name, colour } }).from(labels);
    const labelOf = new Map(known.map((row) => [row.id, row.label]));
    return rows.map(({ content: stored, ...row }) => {
      const { tasks, ...rest } = templateContentSchema.parse(stored);
      const named = tasks.map(({ labelIds, ...task }) => ({
        ...task,
        labels: labelIds.flatMap((labelId) => labelOf.get(labelId) ?? []),
      }));
      return { ...row, ...rest, tasks: named };
    });
  };
}
