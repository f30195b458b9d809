import { and, asc, desc, eq, gt, inArray, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { labels, projects, taskLabels, tasks } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import type { ExportedProject, ExportedTask } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { involving, isVisibleTo, visibleTo } from "./policy";
import { findProjectRows, showProject } from "./queries";
import { taskColumns } from "./task-columns";

/** Rows that are in memory at a time: an export of any size passes through the process in pieces of these. */
const TASKS_AT_ONCE = 500;
const PROJECTS_AT_ONCE = 100;

/** A project with all its tasks, or with some of very many: `isFirst` and `isLast` of the project's pieces. */
export interface ExportPiece {
  project: Omit<ExportedProject, "tasks">;
  tasks: ExportedTask[];
  isFirst: boolean;
  isLast: boolean;
}

interface Planned {
  id: string;
  taskCount: number;
}

/** The projects that the actor may see, or with "mine" takes part in, newest first, with how much each will hold. */
export async function planExport(
  db: Db,
  { actor, scope }: { actor: Actor; scope: "mine" | "all" },
): Promise<Planned[]> {
  return db
    .select({ id: projects.id, taskCount: db.$count(tasks, eq(tasks.projectId, projects.id)) })
    .from(projects)
    .where(scope === "all" ? visibleTo(actor) : involving(actor))
    .orderBy(desc(projects.createdAt), desc(projects.id));
}

/**
 * What was planned, in its order, tasks by number. Each piece is read when it is asked for, and is as the project was then;
 * what the actor has lost sight of since is left out. `requireLive` is asked after each reading, so that nothing read after the
 * session has ended is sent. NOT_FOUND for a project that is lost sight of, or deleted, between two of its pieces.
 */
export async function* readExport(
  db: Db,
  { planned, requireLive }: { planned: readonly Planned[]; requireLive: () => Promise<Actor> },
): AsyncGenerator<ExportPiece> {
  for (const batch of batchesOf(planned)) {
    const [id] = batch;
    if (id !== undefined && batch.length === 1) {
      yield* readInPieces(db, { id, requireLive });
      continue;
    }
    const listed = await listTasks(db, { projectIds: batch });
    const rows = await findVisible(db, { ids: batch, requireLive });
    for (const project of rows) {
      const ofProject = listed.filter(({ projectId }) => projectId === project.id);
      yield { project, tasks: ofProject, isFirst: true, isLast: true };
    }
  }
}

/** The projects, in the order of the ids, that the actor still sees. Read after their tasks: who may see these is in the rows. */
async function findVisible(
  db: Db,
  { ids, requireLive }: { ids: readonly string[]; requireLive: () => Promise<Actor> },
): Promise<ExportPiece["project"][]> {
  const found = new Map((await findProjectRows(db, ids)).map((row) => [row.id, row]));
  const actor = await requireLive();
  return ids.flatMap((id) => {
    const row = found.get(id);
    return row && isVisibleTo(actor, row) ? [exported(showProject(row, actor))] : [];
  });
}

/** As many projects as are read at once; one with very many tasks is read alone. */
function batchesOf(planned: readonly Planned[]): string[][] {
  const batches: string[][] = [];
  let room = 0;
  for (const { id, taskCount } of planned) {
    const last = batches.at(-1);
    if (last && last.length < PROJECTS_AT_ONCE && taskCount <= room) last.push(id);
    else {
      batches.push([id]);
      room = TASKS_AT_ONCE;
    }
    room -= taskCount;
  }
  return batches;
}

async function* readInPieces(
  db: Db,
  { id, requireLive }: { id: string; requireLive: () => Promise<Actor> },
): AsyncGenerator<ExportPiece> {
  let after = 0;
  for (let isFirst = true; ; isFirst = false) {
    const some = await listTasks(db, { projectIds: [id], after, limit: TASKS_AT_ONCE });
    const [project] = await findVisible(db, { ids: [id], requireLive });
    if (!project && isFirst) return;
    // Its beginning is out: to end here would make a whole project of a part.
    if (!project) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
    const isLast = some.length < TASKS_AT_ONCE;
    yield { project, tasks: some, isFirst, isLast };
    if (isLast) return;
    after = some.at(-1)?.number ?? after;
  }
}

const { rank: _, labelIds: __, ...columns } = taskColumns;
/** Labels by name: whoever reads the file does not know their ids. */
const exportedColumns = {
  ...columns,
  labels: sql<
    string[]
  >`to_json(array(select ${labels.name} from ${labels} join ${taskLabels} on ${eq(taskLabels.labelId, labels.id)}
    where ${eq(taskLabels.taskId, tasks.id)} order by lower(${labels.name})))`,
};

function listTasks(
  db: Db,
  { projectIds, after = 0, limit }: { projectIds: readonly string[]; after?: number; limit?: number },
): Promise<ExportedTask[]> {
  const listed = db
    .select(exportedColumns)
    .from(tasks)
    .where(and(inArray(tasks.projectId, [...projectIds]), gt(tasks.number, after)))
    .orderBy(asc(tasks.projectId), asc(tasks.number))
    .$dynamic();
  return limit === undefined ? listed : listed.limit(limit);
}

/** Without what depends on who looks. */
function exported({ canEdit: _, ...project }: ReturnType<typeof showProject>): ExportPiece["project"] {
  return project;
}
