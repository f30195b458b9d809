import { asc, eq, gt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/client";
import { labels, projectTemplates } from "../../../db/schema";
import { columnsOf, rowsOf } from "../../../db/writes";
import type { CreateLabel } from "../../contract/task-labels";
import type { ImportedTemplate, TemplateContent } from "../../contract/templates";
import { insertMissingLabels } from "../../labels/mutations";
import type { Take } from "./fields";
import { createLabelNotes } from "./label-notes";
import { changed, type Subject, unmatched } from "./notes";
import type { People } from "./people";
import { pages, stagedTemplates } from "./staging";

interface Importing {
  people: People;
  /** Who stands for a creator that nobody knows. */
  firstAdminId: string;
  take: Take;
}

/** Adds the staged templates that are not there yet, and the labels that they name. Whom nobody knows is noted. */
export async function importTemplates(db: Db | Tx, importing: Importing): Promise<number> {
  const { people, firstAdminId, take } = importing;
  const noteLabel = createLabelNotes(take);
  let count = 0;
  for await (const page of pages((after, limit) => missingTemplates(db, { after, limit }))) {
    const wanted = page.flatMap(({ fileId, content }) =>
      content.tasks.flatMap((task) => task.labels.map((label) => ({ ...label, fileId }))),
    );
    const { idOf, leftOut } = await findLabelIds(db, wanted);
    for (const { name } of leftOut) {
      const first = wanted.find((label) => label.name === name);
      noteLabel({ kind: "template", id: first?.fileId ?? "" }, name);
    }
    const rows = page.map(({ place: _, fileId, createdBy, content, createdAt, ...row }) => {
      const subject: Subject = { kind: "template", id: fileId };
      const creator = createdBy === null ? undefined : people.byFileId.get(createdBy);
      const why = "nobody has that id";
      if (!creator)
        take(
          changed(subject, "createdBy" satisfies keyof typeof stagedTemplates.$inferSelect, {
            from: createdBy,
            to: firstAdminId,
            why,
          }),
        );
      return columnsOf(projectTemplates, {
        ...row,
        content: resolve(content, { subject, idOf, importing }),
        createdBy: creator?.userId ?? firstAdminId,
        createdAt: new Date(createdAt),
      });
    });
    await db.insert(projectTemplates).values(rowsOf(projectTemplates, rows));
    count += rows.length;
  }
  return count;
}

function missingTemplates(db: Db | Tx, { after, limit }: { after: number; limit: number }) {
  return db
    .select()
    .from(stagedTemplates)
    .where(
      sql`${gt(stagedTemplates.place, after)} and not exists (select from ${projectTemplates} where ${eq(projectTemplates.id, stagedTemplates.id)})`,
    )
    .orderBy(asc(stagedTemplates.place))
    .limit(limit);
}

function resolve(
  { tasks, ...content }: ImportedTemplate,
  { subject, idOf, importing: { people, take } }: { subject: Subject; idOf: Map<string, string>; importing: Importing },
): TemplateContent {
  const find = (field: string, ids: readonly string[]) =>
    ids.flatMap((id) => {
      const known = people.byFileId.get(id);
      if (!known) take(unmatched<string>(subject, field, id, "nobody has that id"));
      return known ? [known.userId] : [];
    });
  return {
    ...content,
    assignedTo: find("assignedTo", content.assignedTo),
    managers: find("managers", content.managers),
    tasks: tasks.map(({ labels: named, assignedTo, ...task }) => ({
      ...task,
      labelIds: [...new Set(named.flatMap(({ name }) => idOf.get(name) ?? []))],
      assignedTo: find("tasks", assignedTo),
    })),
  };
}

/** Labels are known by their names; those that are not there yet are made, as far as there is room. By the name as the file has it. */
async function findLabelIds(
  db: Db | Tx,
  named: readonly CreateLabel[],
): Promise<{ idOf: Map<string, string>; leftOut: CreateLabel[] }> {
  if (named.length === 0) return { idOf: new Map(), leftOut: [] };
  const leftOut = await db.transaction((tx) => insertMissingLabels(tx, named));
  const names = JSON.stringify([...new Set(named.map(({ name }) => name))]);
  // PostgreSQL's small letters on both sides: those of JavaScript are others.
  const known = await db.execute<{ id: string; name: string }>(sql`
    select ${labels.id}, given.name from jsonb_array_elements_text(${names}::text::jsonb) as given(name)
    join ${labels} on lower(${labels.name}) = lower(given.name)`);
  return { idOf: new Map(known.map(({ id, name }) => [name, id])), leftOut };
}
