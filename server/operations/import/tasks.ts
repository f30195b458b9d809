import type { TaskPriority, TaskStatus } from "@db/enums";
import { and, asc, between, eq, gt, inArray, ne, notExists, type SQL, sql } from "drizzle-orm";
import { alias, integer, pgTable, uuid } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../../db/client";
import { appendedRankOf } from "../../../db/ranks";
import { labels, projects, taskAssignees, taskLabels, tasks } from "../../../db/schema";
import { taskTotals } from "../../../db/task-totals";
import { columnsOf } from "../../../db/writes";
import type { CreateLabel } from "../../contract/task-labels";
import { insertMissingLabels } from "../../labels/mutations";
import { notifyProject } from "../../realtime/notify";
import type { Take } from "./fields";
import { createLabelNotes, type LabelNotes } from "./label-notes";
import { changed } from "./notes";
import { knownPeople, pages, stagedProjects, stagedTasks } from "./staging";

const BATCH = 1_000;

/** The staged tasks that are not there yet, by project and time. */
const missingTasks = pgTable("import_missing_tasks", {
  position: integer("position").notNull(),
  id: uuid("id").notNull(),
  projectId: uuid("projectId").notNull(),
  /** The number that the file gives it, if no other of the project has the same. */
  wanted: integer("wanted"),
  /** The highest that the file gives to one of the project. */
  highest: integer("highest"),
});

/**
 * Adds the staged tasks that are not there yet to their projects, under their numbers where those are free, else numbered by time
 * behind all others, with labels as far as there is room for them: what could not be kept is noted. They come in the order of the
 * file where `orderedProjects` lets them, else by number. Returns how many were added.
 */
export async function importTasks(
  db: Db | Tx,
  {
    firstAdminId,
    take,
    onProgress,
  }: { firstAdminId: string; take: Take; onProgress: (count: number, total: number) => void },
): Promise<number> {
  const noteLabel = createLabelNotes(take);
  await db.execute(sql`
    create temporary table ${missingTasks} as
    select (row_number() over (order by ${stagedProjects.place}, ${stagedTasks.createdAt}, ${stagedTasks.place}))::int as "position",
      ${stagedTasks.id}, ${stagedProjects.id} as "projectId",
      case when row_number() over (partition by ${stagedProjects.id}, ${stagedTasks.number} order by ${stagedTasks.place}) = 1
        then ${stagedTasks.number} end as "wanted",
      max(${stagedTasks.number}) over (partition by ${stagedProjects.id}) as "highest"
    from ${stagedTasks}
    join ${stagedProjects} on ${eq(stagedProjects.fileId, stagedTasks.projectFileId)}
    join ${projects} on ${eq(projects.id, stagedProjects.id)}
    where not exists (select from ${tasks} where ${eq(tasks.id, stagedTasks.id)})`);
  await db.execute(sql`create index on ${missingTasks} ("position")`);
  const count = await db.$count(missingTasks);
  for (let first = 1; first <= count; first += BATCH) {
    const range = between(missingTasks.position, first, first + BATCH - 1);
    await db.transaction(async (tx) => {
      await holdTheirLabels(tx, { range, noteLabel });
      const projectIds = tx.select({ id: missingTasks.projectId }).from(missingTasks).where(range);
      const locked = await tx
        .select({ id: projects.id })
        .from(projects)
        .where(inArray(projects.id, projectIds))
        .orderBy(projects.id)
        .for("no key update");
      await insertTasks(tx, { range, firstAdminId });
      await insertTheirLabels(tx, range);
      await Promise.all(locked.map(({ id }) => notifyProject(tx, { projectId: id, step: { kind: "resync" } })));
    });
    onProgress(Math.min(first + BATCH - 1, count), count);
  }
  await noteOtherNumbers(db, take);
  return count;
}

async function insertTasks(tx: Tx, { range, firstAdminId }: { range: SQL; firstAdminId: string }): Promise<void> {
  const { wanted, projectId, position } = missingTasks;
  const isOrdered = inArray(projectId, orderedProjects(tx, range));
  // A task that was moved may have the rank of a number that nobody has.
  const isTaken = sql`exists (select from ${tasks} where ${eq(tasks.projectId, projectId)}
    and (${eq(tasks.number, wanted)} or (not ${isOrdered} and ${eq(tasks.rank, appendedRankOf(wanted))})))`;
  const placed = tx
    .select({
      ...{ id: missingTasks.id, projectId, position },
      isOrdered: sql<boolean>`${isOrdered}`.as("is_ordered"),
      kept: sql<number | null>`case when not ${isTaken} then ${wanted} end`.as("kept"),
      last: sql<number>`greatest(${projects.lastTaskNumber}, ${missingTasks.highest})`.as("last"),
    })
    .from(missingTasks)
    .innerJoin(projects, eq(projects.id, projectId))
    .where(range)
    .as("placed");
  const turn = sql`row_number() over (partition by ${placed.projectId}, ${placed.kept} is null order by ${placed.position})`;
  const numbered = tx
    .select({
      id: placed.id,
      projectId: placed.projectId,
      isOrdered: placed.isOrdered,
      assigned: sql<number>`coalesce(${placed.kept}, ${placed.last} + ${turn})::int`.as("assigned"),
    })
    .from(placed)
    .as("numbered");
  await tx.insert(tasks).select(
    tx
      .select(
        columnsOf(tasks, {
          id: numbered.id,
          projectId: numbered.projectId,
          number: numbered.assigned,
          rank: appendedRankOf(
            sql<number>`case when ${numbered.isOrdered} then ${stagedTasks.order} else ${numbered.assigned} end`,
          ).as("rank"),
          title: stagedTasks.title,
          description: stagedTasks.description,
          status: sql<TaskStatus>`${stagedTasks.status}::task_status`.as("status"),
          statusBefore: sql<TaskStatus | null>`${stagedTasks.statusBefore}::task_status`.as("status_before"),
          dueDate: sql<string | null>`${stagedTasks.dueDate}::date`.as("due_date"),
          priority: sql<TaskPriority>`${stagedTasks.priority}::task_priority`.as("priority"),
          checklist: stagedTasks.checklist,
          completedAt: sql<Date | null>`${stagedTasks.completedAt}`.as("completed_at"),
          createdBy: sql<string>`coalesce(${knownPeople.userId}, ${firstAdminId}::uuid)`.as("created_by"),
          createdAt: sql<Date>`${stagedTasks.createdAt}`.as("created_at"),
          updatedAt:
            sql<Date>`greatest(${stagedTasks.createdAt}, ${stagedTasks.completedAt}, ${stagedTasks.updatedAt})`.as(
              "updated_at",
            ),
          version: sql<number>`1`.as("version"),
        }),
      )
      .from(numbered)
      .innerJoin(stagedTasks, eq(stagedTasks.id, numbered.id))
      .leftJoin(knownPeople, eq(knownPeople.fileId, stagedTasks.createdBy)),
  );
  const assigned = sql`jsonb_array_elements_text(${stagedTasks.assignedTo}) as assigned(file_id)`;
  await tx.execute(sql`
    insert into ${taskAssignees} (${sql.identifier("task_id")}, ${sql.identifier("user_id")})
    select distinct ${stagedTasks.id}, ${knownPeople.userId}
    from ${stagedTasks}
    join ${missingTasks} on ${and(eq(missingTasks.id, stagedTasks.id), range)}
    cross join ${assigned}
    join ${knownPeople} on ${knownPeople.fileId} = assigned.file_id`);
  const newest = sql`(select max(${tasks.number}) from ${tasks} where ${eq(tasks.projectId, projects.id)})`;
  // Also of those that a later batch brings: what is created meanwhile takes neither their numbers nor their places.
  const highest = sql`(select max(${missingTasks.highest}) from ${missingTasks} where ${eq(projectId, projects.id)})`;
  await tx
    .update(projects)
    .set(
      columnsOf(projects, {
        ...taskTotals,
        lastTaskNumber: sql`greatest(${projects.lastTaskNumber}, ${newest}, ${highest})`,
        changeSeq: sql`${projects.changeSeq} + 1`,
      }),
    )
    .where(inArray(projects.id, tx.select({ id: missingTasks.projectId }).from(missingTasks).where(range)));
}

/**
 * Those of the batch whose tasks keep the order that the file gives them: all of them have one and a number, each another, and the
 * project has no task in another place. Each then has the rank of its turn, which is below that of the next number.
 */
function orderedProjects(tx: Tx, range: SQL) {
  const { number, order } = stagedTasks;
  const inBatch = tx.select({ id: missingTasks.projectId }).from(missingTasks).where(range);
  const same = alias(stagedTasks, "same");
  const inPlace = tx
    .select({ id: same.id })
    .from(same)
    .where(and(eq(same.id, tasks.id), eq(appendedRankOf(same.order), tasks.rank)));
  const elsewhere = tx
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(eq(tasks.projectId, stagedProjects.id), notExists(inPlace)));
  return tx
    .select({ id: stagedProjects.id })
    .from(stagedProjects)
    .innerJoin(stagedTasks, eq(stagedTasks.projectFileId, stagedProjects.fileId))
    .where(and(inArray(stagedProjects.id, inBatch), notExists(elsewhere)))
    .groupBy(stagedProjects.id)
    .having(sql`count(*) = all (array[count(distinct ${number}), count(distinct ${order}), max(${order})])`);
}

/** Of all tasks of the file, so that a run after one that was killed tells it of those that were there already. */
async function noteOtherNumbers(db: Db | Tx, take: Take): Promise<void> {
  const read = (after: number, limit: number) =>
    db
      .select({
        ...{ place: stagedTasks.place, project: stagedTasks.projectFileId, fileId: stagedTasks.fileId },
        from: stagedTasks.number,
        to: tasks.number,
      })
      .from(stagedTasks)
      .innerJoin(stagedProjects, eq(stagedProjects.fileId, stagedTasks.projectFileId))
      // Not of one that has been moved since: there it has another number, whatever it had here.
      .innerJoin(tasks, and(eq(tasks.id, stagedTasks.id), eq(tasks.projectId, stagedProjects.id)))
      .where(and(gt(stagedTasks.place, after), ne(tasks.number, stagedTasks.number)))
      .orderBy(asc(stagedTasks.place))
      .limit(limit);
  for await (const page of pages(read)) {
    for (const { project, fileId, from, to } of page) {
      const subject = { kind: "task", id: `${project}/${fileId}` } as const;
      take(changed(subject, "number", { from, to, why: "another task has it" }));
    }
  }
}

/** The labels that the file puts on these tasks, as `given`. */
function givenLabels(range: SQL): SQL {
  return sql`${stagedTasks} join ${missingTasks} on ${and(eq(missingTasks.id, stagedTasks.id), range)}
    cross join rows from (jsonb_to_recordset(${stagedTasks.labels}) as (name text, colour text))
    with ordinality as given(name, colour, place)`;
}

/**
 * Adds those that are missing, and lets nobody delete the others before the transaction ends; before the projects' rows, as
 * `holdLabels` does.
 */
async function holdTheirLabels(tx: Tx, { range, noteLabel }: { range: SQL; noteLabel: LabelNotes }): Promise<void> {
  const given = givenLabels(range);
  const wanted = await tx.execute<CreateLabel & { id: string }>(sql`
    select name, colour, id from (
      select distinct on (lower(given.name)) given.name, given.colour, given.place, ${missingTasks.position} as at,
        ${stagedTasks.projectFileId} || '/' || ${stagedTasks.fileId} as id
      from ${given} order by lower(given.name), ${missingTasks.position}, given.place
    ) as wanted order by at, place`);
  for (const { name } of await insertMissingLabels(tx, wanted)) {
    const first = wanted.find((label) => label.name === name);
    noteLabel({ kind: "task", id: first?.id ?? "" }, name);
  }
  await tx.execute(sql`
    select from ${labels} where lower(${labels.name}) in (select lower(given.name) from ${given})
    order by ${labels.id} for key share`);
}

async function insertTheirLabels(tx: Tx, range: SQL): Promise<void> {
  await tx.execute(sql`
    insert into ${taskLabels} (task_id, label_id)
    select distinct ${stagedTasks.id}, ${labels.id} from ${givenLabels(range)}
    join ${labels} on lower(${labels.name}) = lower(given.name)`);
}
