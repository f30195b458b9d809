import { and, asc, desc, eq, gt, inArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import {
  discussions,
  files,
  labels,
  projects,
  requestReplies,
  requests,
  signOffs,
  statusUpdates,
  taskLabels,
  tasks,
} from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import type { ExportedProject, ExportedTask } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { shownTo as filesShownTo } from "../files/policy";
import { hangsOn } from "../files/queries";
import { involving, isVisibleTo, visibleTo } from "../projects/policy";
import { findProjectRows, showProject } from "../projects/queries";
import { taskColumns } from "../projects/task-columns";
import {
  type CommentOfExport,
  listExportedComments,
  listExportedRequests,
  listExportedSignOffs,
  listExportedStatusUpdates,
} from "./queries";

/** Rows that are in memory at a time: an export of any size passes through the process in pieces of these. */
const TASKS_AT_ONCE = 500;
const COMMENTS_AT_ONCE = 250;
const PROJECTS_AT_ONCE = 100;

/** A project with all its tasks and comments, or with some of very many, tasks first: `isFirst` and `isLast` of its pieces. */
export interface ExportPiece extends Pick<ExportedProject, "tasks" | "comments"> {
  project: Omit<ExportedProject, "tasks" | "comments">;
  isFirst: boolean;
  isLast: boolean;
}

interface Planned {
  id: string;
  taskCount: number;
  /** At most. */
  commentCount: number;
  /** Of what comes with the project itself: requests, replies, status updates and sign-offs. */
  textCount: number;
}

/** The projects that the actor may see, or with "mine" takes part in, newest first, with how much each will hold. */
export async function planExport(
  db: Db,
  { actor, scope }: { actor: Actor; scope: "mine" | "all" },
): Promise<Planned[]> {
  return db
    .select({
      id: projects.id,
      taskCount: db.$count(tasks, eq(tasks.projectId, projects.id)),
      commentCount: sql<number>`(select coalesce(sum(${discussions.lastSeq}), 0)::int from ${discussions}
        where ${eq(discussions.projectId, projects.id)})`,
      textCount: sql<number>`${db.$count(requests, eq(requests.projectId, projects.id))}
        + (select count(*) from ${requestReplies} inner join ${requests} on ${eq(requests.id, requestReplies.requestId)}
          where ${eq(requests.projectId, projects.id)})
        + ${db.$count(statusUpdates, eq(statusUpdates.projectId, projects.id))}
        + ${db.$count(signOffs, eq(signOffs.projectId, projects.id))}`.mapWith(Number),
    })
    .from(projects)
    .where(scope === "all" ? visibleTo(actor) : involving(actor))
    .orderBy(desc(projects.createdAt), desc(projects.id));
}

/**
 * What was planned, in its order, tasks by number, and of comments and files what the actor may see. Each piece is read when it is asked for, and is as the project was then;
 * what the actor has lost sight of since is left out. `requireLive` is asked after each reading, so that nothing read after the
 * session has ended is sent. NOT_FOUND for a project that is lost sight of, or deleted, between two of its pieces.
 */
export async function* readExport(
  db: Db,
  { planned, ...reader }: { planned: readonly Planned[] } & Reader,
): AsyncGenerator<ExportPiece> {
  for (const batch of batchesOf(planned)) {
    const [id] = batch;
    if (id !== undefined && batch.length === 1) {
      yield* readInPieces(db, { id, ...reader });
      continue;
    }
    const { actor } = reader;
    const [listed, said] = await Promise.all([
      listTasks(db, { projectIds: batch, actor }),
      listExportedComments(db, { projectIds: batch, actor }),
    ]);
    const rows = await findVisible(db, { ids: batch, ...reader });
    for (const project of rows) {
      const ofProject = listed.filter(({ projectId }) => projectId === project.id);
      const comments = said.flatMap(({ projectId, comment }) => (projectId === project.id ? [comment] : []));
      yield { project, tasks: ofProject, comments, isFirst: true, isLast: true };
    }
  }
}

/** Whose export it is. Whose type changes loses the session, and with it the rest of the export. */
interface Reader {
  actor: Actor;
  requireLive: () => Promise<Actor>;
}

/** The projects, in the order of the ids, that the actor still sees. Read after their tasks: who may see these is in the rows. */
async function findVisible(
  db: Db,
  { ids, ...reader }: { ids: readonly string[] } & Reader,
): Promise<ExportPiece["project"][]> {
  const [written, asked, signed, hanging] = await Promise.all([
    listExportedStatusUpdates(db, { projectIds: ids }),
    listExportedRequests(db, { projectIds: ids }),
    listExportedSignOffs(db, { projectIds: ids }),
    db
      .select({ id: projects.id, files: namesOf(null, reader.actor) })
      .from(projects)
      .where(inArray(projects.id, [...ids])),
  ]);
  const names = new Map(hanging.map(({ id, files: ofProject }) => [id, ofProject]));
  return (await findRows(db, { ids, ...reader })).map((row) => ({
    ...row,
    files: names.get(row.id) ?? [],
    statusUpdates: written.flatMap(({ projectId, update }) => (projectId === row.id ? [update] : [])),
    requests: asked.flatMap(({ projectId, request }) => (projectId === row.id ? [request] : [])),
    signOffs: signed.flatMap(({ projectId, signOff }) => (projectId === row.id ? [signOff] : [])),
  }));
}

/** The same without what hangs on them. */
async function findRows(
  db: Db,
  { ids, requireLive }: { ids: readonly string[] } & Pick<Reader, "requireLive">,
): Promise<ReturnType<typeof exported>[]> {
  const found = new Map((await findProjectRows(db, ids)).map((row) => [row.id, row]));
  const actor = await requireLive();
  return ids.flatMap((id) => {
    const row = found.get(id);
    return row && isVisibleTo(actor, row) ? [exported(showProject(row, actor))] : [];
  });
}

/** As many projects as are read at once; one with very many tasks or comments is read alone. */
function batchesOf(planned: readonly Planned[]): string[][] {
  const batches: string[][] = [];
  let room = 0;
  for (const { id, taskCount, commentCount, textCount } of planned) {
    const count = taskCount + commentCount + textCount;
    const last = batches.at(-1);
    if (last && last.length < PROJECTS_AT_ONCE && count <= room) last.push(id);
    else {
      batches.push([id]);
      room = TASKS_AT_ONCE;
    }
    room -= count;
  }
  return batches;
}

async function* readInPieces(db: Db, { id, ...reader }: { id: string } & Reader): AsyncGenerator<ExportPiece> {
  const { actor } = reader;
  const readTasks = (after: number) => listTasks(db, { projectIds: [id], actor, after, limit: TASKS_AT_ONCE });
  let tasksOfPiece = await readTasks(0);
  const [whole] = await findVisible(db, { ids: [id], ...reader });
  if (!whole) return;
  yield { project: whole, tasks: tasksOfPiece, comments: [], isFirst: true, isLast: false };
  // What goes with the project is said once, however many pieces follow.
  const { files: names } = whole;
  const readAgain = async () => {
    const [project] = await findRows(db, { ids: [id], ...reader });
    // Its beginning is out: to end here would make a whole project of a part.
    if (!project) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
    return { ...project, files: names, statusUpdates: [], requests: [], signOffs: [] };
  };
  while (tasksOfPiece.length === TASKS_AT_ONCE) {
    tasksOfPiece = await readTasks(tasksOfPiece.at(-1)?.number ?? 0);
    const project = await readAgain();
    yield { project, tasks: tasksOfPiece, comments: [], isFirst: false, isLast: false };
  }
  for (let after: Pick<CommentOfExport, "taskNumber" | "seq"> = { taskNumber: 0, seq: 0 }; ; ) {
    const some = await listExportedComments(db, { projectIds: [id], actor, after, limit: COMMENTS_AT_ONCE });
    const project = await readAgain();
    const isLast = some.length < COMMENTS_AT_ONCE;
    yield { project, tasks: [], comments: some.map(({ comment }) => comment), isFirst: false, isLast };
    if (isLast) return;
    after = some.at(-1) ?? after;
  }
}

/** Names of files that the actor may see, of the surrounding project or task; not those of comments and requests. */
function namesOf(taskId: SQLWrapper | null, actor: Pick<Actor, "accountType">): SQL<string[]> {
  const hanging = and(hangsOn({ projectId: projects.id, taskId }), filesShownTo(actor));
  return sql`to_json(array(select ${files.name} from ${files} where ${hanging} order by ${files.attachedAt}, ${files.position}, ${files.id}))`;
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
  {
    projectIds,
    actor,
    after = 0,
    limit,
  }: { projectIds: readonly string[]; actor: Pick<Actor, "accountType">; after?: number; limit?: number },
): Promise<ExportedTask[]> {
  const listed = db
    .select({ ...exportedColumns, files: namesOf(tasks.id, actor) })
    .from(tasks)
    .innerJoin(projects, eq(projects.id, tasks.projectId))
    .where(and(inArray(tasks.projectId, [...projectIds]), gt(tasks.number, after)))
    .orderBy(asc(tasks.projectId), asc(tasks.number))
    .$dynamic();
  return limit === undefined ? listed : listed.limit(limit);
}

/** Without what depends on who looks. */
function exported({
  canEdit: _,
  ...project
}: ReturnType<typeof showProject>): Omit<ExportPiece["project"], "files" | "statusUpdates" | "requests" | "signOffs"> {
  return project;
}
