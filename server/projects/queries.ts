import type { AccountType, MemberRole } from "@db/enums";
import { and, eq, inArray, notInArray, type SQL, sql } from "drizzle-orm";
import { type Db, perDatabase, type Tx } from "../../db/client";
import {
  aliased,
  arrayOf,
  countRows,
  eachId,
  fingerprintOf,
  firstRows,
  isAfter,
  isAnyOf,
  type JsonText,
  joinJsonTexts,
  jsonRow,
  jsonRows,
  jsonRowsText,
  microsecondsOf,
  writeJsonText,
} from "../../db/expressions";
import { projectMembers, projects, tasks } from "../../db/schema";
import type { ProjectFilter } from "../contract/projects";
import type { Project, ProjectPage } from "../contract/views";
import type { Actor } from "../core/context";
import { decodeCursor, encodeCursor } from "../core/cursor";
import type { Reading } from "../core/reply";
import { filterCondition, searchCondition } from "./filters";
import { keyFromTitle } from "./key";
import { listedProjects, versionOf } from "./list-version";
import { type Involvement, mayEdit, type Viewer, visibleTo } from "./policy";
import { newestFirst, selectProjectRows } from "./project-rows";

const PAGE_SIZE = 500;

/** A project as it is read, before it is shown to someone: the view without what depends on who looks. */
export interface ProjectRow extends Omit<Project, "canEdit"> {
  changeSeq: number;
  /** `githubRepo` for clients. */
  clientRepo: string | null;
}

/** The view of a row for one person. */
export function showProject({ changeSeq: _, clientRepo, ...project }: ProjectRow, actor: Actor): Project {
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

/** How far a project has changed. */
export interface ProjectSeq {
  id: string;
  changeSeq: number;
  version: number;
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
  const seen = db
    .select(aliased({ id, changeSeq, version }))
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
const projectSeqsFingerprint = perDatabase((db, accountType: AccountType, which: "one" | "all") =>
  db
    .select({ fingerprint: fingerprintOf([projects.id, projects.changeSeq]) })
    .from(projects)
    .where(seenProjects(accountType, which))
    .prepare("project_seqs_fingerprint"),
);

function seenProjects(accountType: AccountType, which: "one" | "all"): SQL | undefined {
  const isAsked = which === "one" ? eq(projects.id, sql.placeholder("projectId")) : undefined;
  return and(visibleTo({ id: sql.placeholder("actorId"), accountType }), isAsked);
}

/** The board: newest first, 500 a page; `counts` are of everything that the scope, filter and search match. */
export async function readProjects(
  db: Db,
  { actor, filter = "all", ...query }: Omit<PageQuery, "actor"> & { actor: Actor },
): Promise<Reading<ProjectPage>> {
  const { scope, q, cursor } = query;
  const [page] =
    q || cursor
      ? await selectPage(db, { actor, filter, ...query })
      : await firstPage(db, scope, filter, actor.accountType).execute({ actorId: actor.id });
  const json = joinJsonTexts<ProjectPage>({
    items: page?.items ?? writeJsonText<Project[]>([]),
    nextCursor: writeJsonText(page?.next ? encodeCursor(page.next) : null),
    counts: writeJsonText(page?.counts ?? { todo: 0, inProgress: 0, completed: 0 }),
  });
  return { version: page?.version ?? "", json };
}

interface PageQuery {
  actor: Viewer;
  scope: "mine" | "all";
  filter?: ProjectFilter | undefined;
  q?: string | undefined;
  cursor?: string | null | undefined;
}

const firstPage = perDatabase((db, scope: PageQuery["scope"], filter: ProjectFilter, accountType: AccountType) =>
  selectPage(db, { actor: { id: sql.placeholder("actorId"), accountType }, scope, filter }).prepare("projects_page"),
);

function selectPage(db: Db, { actor, scope, cursor, ...conditions }: PageQuery) {
  const listed = listedProjects(db, actor, scope);
  const matching = matchingProjects(db, listed, { actor, ...conditions });
  const after = decodeCursor(cursor);
  const newest = db
    .select({ id: matching.id })
    .from(matching)
    .where(after ? isAfter(after, { instant: matching.createdAt, id: matching.id }) : undefined)
    .orderBy(...newestFirst(matching));
  const canEdit = sql<boolean>`${sql.raw(String(mayEdit(actor)))}`;
  const { tables, page, rows } = selectProjectRows(db, {
    // One more than is shown says that there is a next page.
    where: inArray(projects.id, sql`(${firstRows(newest, PAGE_SIZE + 1)})`),
    extra: ({ commitView, clientRepo }) =>
      mayEdit(actor) ? { commitView, canEdit } : { commitView: sql<null>`null::json`, githubRepo: clientRepo, canEdit },
  });
  const last = db
    .select(aliased({ microseconds: microsecondsOf(page.createdAt), id: page.id }))
    .from(page)
    .where(sql`(select count(*) from ${page}) > ${PAGE_SIZE}`)
    .orderBy(...newestFirst(page))
    .limit(1)
    .offset(PAGE_SIZE - 1);
  return db
    .with(listed, matching, ...tables)
    .select({
      version: versionOf(listed),
      items: jsonRowsText(rows, PAGE_SIZE),
      next: jsonRow(last),
      counts: jsonRow(countStatuses(db, matching)),
    })
    .from(sql`(values (1)) as one`);
}

/** One row, with all of them. */
function selectProjects(db: Db | Tx, { where }: { where: SQL | undefined }) {
  const { tables, rows } = selectProjectRows(db, { where, extra: (own) => own });
  return db
    .with(...tables)
    .select({ items: jsonRows<ProjectRow>(rows) })
    .from(sql`(values (1)) as one`);
}

/** Those of the listed ones that filter and search match; only a search reads more of them. */
function matchingProjects(
  db: Db,
  listed: ReturnType<typeof listedProjects>,
  { actor, filter = "all", q }: Pick<PageQuery, "actor" | "filter" | "q">,
) {
  const ids = db.select({ id: listed.id }).from(listed);
  const found = (text: string) =>
    db
      .select({ id: projects.id })
      .from(projects)
      .where(and(isAnyOf(projects.id, ids), searchCondition(text)));
  return db.$with("matching").as(
    db
      .select({ id: listed.id, createdAt: listed.createdAt, status: listed.status })
      .from(listed)
      .where(and(filterCondition(filter, { actor, project: listed }), q ? isAnyOf(listed.id, found(q)) : undefined)),
  );
}

/** `todo` takes in whatever is neither in progress nor completed, as the board's first tab does. */
function countStatuses(db: Db, matching: ReturnType<typeof matchingProjects>) {
  return db
    .select(
      aliased({
        todo: countRows(notInArray(matching.status, ["inProgress", "completed"])),
        inProgress: countRows(eq(matching.status, "inProgress")),
        completed: countRows(eq(matching.status, "completed")),
      }),
    )
    .from(matching);
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
