import type { AccountType, MemberRole } from "@db/enums";
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type Db, perDatabase, type Tx } from "../../db/client";
import {
  aliased,
  arrayOf,
  eachId,
  fingerprintOf,
  isAnyOf,
  type JsonText,
  jsonRows,
  jsonRowsText,
  writeJsonText,
} from "../../db/expressions";
import { projectMembers, projects, tasks } from "../../db/schema";
import type { Project, Task } from "../contract/views";
import type { Actor } from "../core/context";
import { keyFromTitle } from "./key";
import { type Involvement, mayEdit, visibleTo } from "./policy";
import { hiddenCommitsSeq, selectProjectRows } from "./project-rows";
import { taskColumns } from "./task-columns";

/** A project as it is read, before it is shown to someone: the view without what depends on who looks. */
export interface ProjectRow extends Omit<Project, "canEdit"> {
  changeSeq: number;
  /** `githubRepo` for clients. */
  clientRepo: string | null;
  /** `hiddenCommitsSeq`. */
  hiddenSeq: number | null;
}

/** The view of a row for one person. */
export function showProject(
  { changeSeq: _, clientRepo, hiddenSeq: __, ...project }: ProjectRow,
  actor: Actor,
): Project {
  const canEdit = mayEdit(actor);
  return canEdit ? { ...project, canEdit } : { ...project, githubRepo: clientRepo, commitView: null, canEdit };
}

/** One project that the actor may see, or null: not theirs and not there are the same. */
export async function findProject(
  db: Db | Tx,
  { id, actor }: { id: string; actor: Actor },
): Promise<ProjectRow | null> {
  const [row] = await selectProjects(db, { where: and(eq(projects.id, id), visibleTo(actor)) });
  return row?.items[0] ?? null;
}

/** What the tasks of a project depend on. */
export interface LockedProject extends Involvement {
  id: string;
  lastTaskNumber: number;
  clientCollaboration: boolean;
}

/**
 * Takes the project's row, which orders all changes under it, and only then reads who is on it: whoever was removed a moment
 * ago gets null, like whoever never was. Both statements travel together.
 */
export async function lockProject(tx: Tx, { id, actor }: { id: string; actor: Actor }): Promise<LockedProject | null> {
  const [, [locked]] = await Promise.all([
    tx.select({ id: projects.id }).from(projects).where(eq(projects.id, id)).for("no key update"),
    selectLocked(tx, { id, actor }),
  ]);
  return locked ?? null;
}

/** What a subject is called: `HBP`, or `HBP-12` of a task. */
export async function findSubjectKey(
  db: Db | Tx,
  { projectId, taskId }: { projectId: string; taskId: string | null },
): Promise<string | null> {
  const [row] = await db
    .select({ key: projects.key, number: tasks.number })
    .from(projects)
    .leftJoin(tasks, taskId ? eq(tasks.id, taskId) : sql`false`)
    .where(eq(projects.id, projectId));
  return row ? `${row.key}${row.number === null ? "" : `-${row.number}`}` : null;
}

/**
 * The same for what is added to a project, or to a task of it, beside others who do so: who is on it, and both of them, stay as they
 * are until the commit.
 */
export async function holdPlace(
  tx: Tx,
  { projectId, taskId, actor }: { projectId: string; taskId: string | null; actor: Actor },
): Promise<LockedProject | null> {
  const [, held, [project]] = await Promise.all([
    tx.select({ id: projects.id }).from(projects).where(eq(projects.id, projectId)).for("share"),
    taskId === null ? null : tx.select({ id: tasks.id }).from(tasks).where(eq(tasks.id, taskId)).for("key share"),
    selectLocked(tx, { id: projectId, actor }),
  ]);
  return held?.length === 0 ? null : (project ?? null);
}

function selectLocked(tx: Tx, { id, actor }: { id: string; actor: Actor }): Promise<LockedProject[]> {
  return tx
    .select({
      ...{ id: projects.id, lastTaskNumber: projects.lastTaskNumber, ...involvementColumns },
      clientCollaboration: projects.clientCollaboration,
    })
    .from(projects)
    .where(and(eq(projects.id, id), visibleTo(actor)));
}

/** Whom a project is about, of a query over `projects`: what `isVisibleTo` decides by. */
export const involvementColumns = {
  clientId: projects.clientId,
  createdBy: projects.createdBy,
  assignedTo: memberIds("assigned"),
  managers: memberIds("manager"),
  clientPeople: memberIds("client"),
};

function memberIds(role: MemberRole): SQL<string[]> {
  return arrayOf(projectMembers.userId, {
    from: projectMembers,
    where: and(eq(projectMembers.projectId, projects.id), eq(projectMembers.role, role)),
  });
}

/** Projects by id, whoever may see them, in no order: for watchers, which check visibility on the row. */
export async function findProjectRows(db: Db, ids: readonly string[]): Promise<ProjectRow[]> {
  const [row] = await projectRows(db).execute({ ids: JSON.stringify(ids) });
  return row?.items ?? [];
}

/** Read for each event: drizzle takes longer to write the statement than PostgreSQL to answer it. */
const projectRows = perDatabase((db) =>
  selectProjects(db, { where: isAnyOf(projects.id, sql`select ${eachId(sql.placeholder("ids"))}`) }).prepare(
    "project_rows",
  ),
);

/** Tasks of that project by id, whoever may see them: for watchers, which check visibility on the project's row. */
export async function findTaskRows(
  db: Db,
  { projectId, taskIds }: { projectId: string; taskIds: readonly string[] },
): Promise<Task[]> {
  if (taskIds.length === 0) return [];
  return taskRows(db).execute({ projectId, taskIds: JSON.stringify(taskIds) });
}

const taskRows = perDatabase((db) =>
  db
    .select(taskColumns)
    .from(tasks)
    .where(
      and(
        isAnyOf(tasks.id, sql`select ${eachId(sql.placeholder("taskIds"))}`),
        eq(tasks.projectId, sql.placeholder("projectId")),
      ),
    )
    .prepare("task_rows"),
);

/** How far a project has changed. */
export interface ProjectSeq {
  id: string;
  changeSeq: number;
  version: number;
  /** `hiddenCommitsSeq`; null for clients. */
  hiddenSeq: number | null;
}

/** Of every project the actor may see: what a watcher compares with. */
export async function listProjectSeqs(
  db: Db,
  { actor, projectId }: { actor: Actor; projectId?: string | undefined },
): Promise<JsonText<ProjectSeq[]>> {
  const seqs = projectSeqs(db, actor.accountType, projectId ? "one" : "all");
  const [row] = await seqs.execute({ actorId: actor.id, projectId });
  return row?.rows ?? writeJsonText<ProjectSeq[]>([]);
}
const projectSeqs = perDatabase((db, accountType: AccountType, which: "one" | "all") => {
  const { id, changeSeq, version } = projects;
  const hiddenSeq = mayEdit({ accountType }) ? hiddenCommitsSeq(projects) : sql<null>`null::int`;
  const seen = db
    .select(aliased({ id, changeSeq, version, hiddenSeq }))
    .from(projects)
    .where(seenProjects(accountType, which))
    .orderBy(id);
  return db
    .select({ rows: jsonRowsText(seen) })
    .from(sql`(values (1)) as one`)
    .prepare("project_seqs");
});

/** A text that is another one once `listProjectSeqs` has another answer. */
export async function fingerprintProjectSeqs(
  db: Db,
  { actor, projectId }: { actor: Actor; projectId?: string | undefined },
): Promise<string> {
  const fingerprint = projectSeqsFingerprint(db, actor.accountType, projectId ? "one" : "all");
  const [row] = await fingerprint.execute({ actorId: actor.id, projectId });
  return row?.fingerprint ?? "";
}
const projectSeqsFingerprint = perDatabase((db, accountType: AccountType, which: "one" | "all") => {
  const hiddenSeq = mayEdit({ accountType }) ? [hiddenCommitsSeq(projects)] : [];
  return db
    .select({ fingerprint: fingerprintOf([projects.id, projects.changeSeq, ...hiddenSeq]) })
    .from(projects)
    .where(seenProjects(accountType, which))
    .prepare("project_seqs_fingerprint");
});

function seenProjects(accountType: AccountType, which: "one" | "all"): SQL | undefined {
  const isAsked = which === "one" ? eq(projects.id, sql.placeholder("projectId")) : undefined;
  return and(visibleTo({ id: sql.placeholder("actorId"), accountType }), isAsked);
}

/** One row, with all of them. */
function selectProjects(db: Db | Tx, { where }: { where: SQL | undefined }) {
  const { tables, rows } = selectProjectRows(db, { where, extra: (own) => own });
  return db
    .with(...tables)
    .select({ items: jsonRows<ProjectRow>(rows) })
    .from(sql`(values (1)) as one`);
}

/**
 * A key for each of these projects that no project has now, nor another of these gets: the wanted one where that is free, else one from
 * the title. Who inserts one may find it taken meanwhile.
 */
export async function findFreeKeys(
  tx: Tx,
  newProjects: readonly { title: string; wanted: string | null }[],
): Promise<string[]> {
  const bases = newProjects.flatMap(({ title, wanted }) => [
    keyFromTitle(title),
    ...(wanted === null ? [] : [wanted.replace(/\d+$/, "")]),
  ]);
  const rows = await tx
    .select({ key: projects.key })
    .from(projects)
    .where(inArray(sql`rtrim(${projects.key}, '0123456789')`, [...new Set(bases)]));
  const taken = new Set(rows.map(({ key }) => key));
  const take = (key: string) => {
    taken.add(key);
    return key;
  };
  const kept = newProjects.map(({ wanted }) => (wanted === null || taken.has(wanted) ? null : take(wanted)));
  return newProjects.map(({ title }, index) => kept[index] ?? take(freeKey(keyFromTitle(title), taken)));
}

function freeKey(base: string, taken: ReadonlySet<string>): string {
  let key = base;
  for (let suffix = 2; taken.has(key); suffix += 1) key = `${base}${suffix}`;
  return key;
}
