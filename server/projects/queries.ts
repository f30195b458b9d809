import type { MemberRole } from "@db/enums";
import {
  and,
  asc,
  between,
  desc,
  eq,
  exists,
  ilike,
  inArray,
  isNotNull,
  isNull,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../db/client";
import {
  arrayOf,
  columnValue,
  containsPattern,
  countRows,
  isAfter,
  isoInstant,
  jsonArray,
  microsecondsOf,
  whenPresent,
} from "../../db/expressions";
import { projectMembers, projects, taskAssignees, tasks, users } from "../../db/schema";
import type { ProjectFilter } from "../contract/projects";
import type { Calendar, Project, ProjectCounts, ProjectPage } from "../contract/views";
import type { Actor } from "../core/context";
import { decodeCursor, encodeCursor } from "../core/cursor";
import { personJson } from "../users/queries";
import { type Involvement, involving, mayEdit, visibleTo } from "./policy";

const PAGE_SIZE = 500;

/** A project as it is read, before it is shown to someone: the view without what depends on who looks. */
export interface ProjectRow extends Omit<Project, "canEdit"> {
  changeSeq: number;
}

/** The view of a row for one person. */
export function showProject({ changeSeq: _, ...project }: ProjectRow, actor: Actor): Project {
  return { ...project, canEdit: mayEdit(actor) };
}

/** One project that the actor may see, or null: not theirs and not there are the same. */
export async function findProject(
  db: Db | Tx,
  { id, actor }: { id: string; actor: Actor },
): Promise<ProjectRow | null> {
  const [row] = await selectProjects(db, and(eq(projects.id, id), visibleTo(actor)));
  return row ?? null;
}

/** What the tasks of a project depend on, without its words. */
export interface ProjectStanding extends Involvement {
  id: string;
  lastTaskNumber: number;
}

/**
 * Takes the project's row, which orders all changes under it, and only then reads who is on it: whoever was removed a moment
 * ago gets null, like whoever never was. Both statements travel together.
 */
export async function lockProject(
  tx: Tx,
  { id, actor }: { id: string; actor: Actor },
): Promise<ProjectStanding | null> {
  const memberIds = (role: MemberRole) =>
    arrayOf(projectMembers.userId, {
      from: projectMembers,
      where: and(eq(projectMembers.projectId, projects.id), eq(projectMembers.role, role)),
    });
  const [, [standing]] = await Promise.all([
    tx.select({ id: projects.id }).from(projects).where(eq(projects.id, id)).for("no key update"),
    tx
      .select({
        id: projects.id,
        lastTaskNumber: projects.lastTaskNumber,
        clientId: projects.clientId,
        createdBy: projects.createdBy,
        assignedTo: memberIds("assigned"),
        managers: memberIds("manager"),
      })
      .from(projects)
      .where(and(eq(projects.id, id), visibleTo(actor))),
  ]);
  return standing ?? null;
}

/** What is due within these days in the projects that the actor takes part in, and the actor's own tasks elsewhere. */
export async function listCalendar(
  db: Db,
  { actor, from, to }: { actor: Actor; from: string; to: string },
): Promise<Calendar> {
  const canEdit = mayEdit(actor);
  const isMine = exists(
    db
      .select({ taskId: taskAssignees.taskId })
      .from(taskAssignees)
      .where(and(eq(taskAssignees.taskId, tasks.id), eq(taskAssignees.userId, actor.id))),
  );
  const [dueProjects, dueTasks] = await Promise.all([
    db
      .select({
        id: projects.id,
        key: projects.key,
        title: projects.title,
        status: projects.status,
        startDate: projects.startDate,
        dueDate: dueDay(projects.dueDate),
        version: projects.version,
      })
      .from(projects)
      .where(and(between(projects.dueDate, from, to), involving(actor)))
      .orderBy(asc(projects.dueDate), asc(projects.title), asc(projects.id)),
    db
      .select({
        id: tasks.id,
        projectId: tasks.projectId,
        number: tasks.number,
        title: tasks.title,
        status: tasks.status,
        completed: sql<boolean>`(${tasks.status} = 'completed')`,
        dueDate: dueDay(tasks.dueDate),
        version: tasks.version,
        project: { id: projects.id, key: projects.key, title: projects.title },
      })
      .from(tasks)
      .innerJoin(projects, eq(projects.id, tasks.projectId))
      .where(and(between(tasks.dueDate, from, to), visibleTo(actor), or(involving(actor), isMine)))
      .orderBy(asc(tasks.dueDate), asc(projects.key), asc(tasks.number)),
  ]);
  return {
    projects: dueProjects.map((project) => ({ ...project, canEdit })),
    tasks: dueTasks.map((task) => ({ ...task, canEdit })),
  };
}

/** A due day of rows that are known to have one. */
function dueDay(column: typeof projects.dueDate | typeof tasks.dueDate): SQL<string> {
  return sql`${column}`;
}

/** Projects by id, whoever may see them, in no order: for watchers, which check visibility on the row. */
export async function findProjectRows(db: Db, ids: readonly string[]): Promise<ProjectRow[]> {
  return selectProjects(db, inArray(projects.id, [...ids]));
}

/** Id to change number and version of every project the actor may see: what a watcher compares with. */
export async function listProjectSeqs(
  db: Db,
  { actor, projectId }: { actor: Actor; projectId?: string | undefined },
): Promise<{ id: string; changeSeq: number; version: number }[]> {
  return db
    .select({ id: projects.id, changeSeq: projects.changeSeq, version: projects.version })
    .from(projects)
    .where(and(visibleTo(actor), projectId ? eq(projects.id, projectId) : undefined));
}

/** The board: newest first, 500 a page; `counts` are of everything that the scope, filter and search match. */
export async function listProjects(
  db: Db,
  query: {
    actor: Actor;
    scope: "mine" | "all";
    filter?: ProjectFilter | undefined;
    q?: string | undefined;
    cursor?: string | null | undefined;
  },
): Promise<ProjectPage> {
  const { actor, scope, filter = "all", q, cursor } = query;
  const after = decodeCursor(cursor);
  const matches = and(
    scope === "all" ? visibleTo(actor) : involving(actor),
    filterCondition(filter, actor),
    q ? searchCondition(q) : undefined,
  );
  const page = after ? and(matches, isAfter(after, { instant: projects.createdAt, id: projects.id })) : matches;
  const [rows, counts] = await Promise.all([selectProjects(db, page).limit(PAGE_SIZE + 1), countProjects(db, matches)]);
  const items = rows.slice(0, PAGE_SIZE);
  const last = items.at(-1);
  return {
    items: items.map((row) => showProject(row, actor)),
    nextCursor: rows.length > PAGE_SIZE && last ? await cursorAt(db, last.id) : null,
    counts,
  };
}

function selectProjects(db: Db | Tx, where: SQL | undefined) {
  const client = alias(users, "client");
  const memberIds = (role: MemberRole) =>
    jsonArray(columnValue(projectMembers.userId), {
      orderBy: projectMembers.position,
      where: eq(projectMembers.role, role),
    });
  const members = db
    .select({ assignedTo: memberIds("assigned").as("assigned_to"), managers: memberIds("manager").as("managers") })
    .from(projectMembers)
    .where(eq(projectMembers.projectId, projects.id))
    .as("members");
  const taskCounts = db
    .select({ total: countRows().as("total"), completed: countRows(eq(tasks.status, "completed")).as("completed") })
    .from(tasks)
    .where(eq(tasks.projectId, projects.id))
    .as("task_counts");
  const people = db
    .select({ list: jsonArray(personJson(users), { orderBy: users.username }).as("list") })
    .from(users)
    .where(inArray(users.id, namedOn()))
    .as("people");
  return db
    .select({
      ...projectColumns,
      client: whenPresent(client.id, personJson(client)),
      assignedTo: members.assignedTo,
      managers: members.managers,
      people: people.list,
      taskCounts: { total: taskCounts.total, completed: taskCounts.completed },
    })
    .from(projects)
    .leftJoin(client, eq(client.id, projects.clientId))
    .innerJoinLateral(members, sql`true`)
    .innerJoinLateral(taskCounts, sql`true`)
    .innerJoinLateral(people, sql`true`)
    .where(where)
    .orderBy(desc(projects.createdAt), desc(projects.id))
    .$dynamic();
}

const projectColumns = {
  id: projects.id,
  key: projects.key,
  title: projects.title,
  description: projects.description,
  status: projects.status,
  startDate: projects.startDate,
  dueDate: projects.dueDate,
  githubRepo: projects.githubRepo,
  liveLink: projects.liveLink,
  clientId: projects.clientId,
  projectType: projects.projectType,
  createdAt: isoInstant(projects.createdAt),
  createdBy: projects.createdBy,
  updatedAt: isoInstant(projects.updatedAt),
  version: projects.version,
  changeSeq: projects.changeSeq,
};

/** Ids of whoever the surrounding project row or its tasks name. */
function namedOn(): SQL {
  return sql`(
    select ${projects.createdBy}
    union select ${projectMembers.userId} from ${projectMembers} where ${eq(projectMembers.projectId, projects.id)}
    union select ${taskAssignees.userId} from ${taskAssignees}
      join ${tasks} on ${eq(tasks.id, taskAssignees.taskId)} where ${eq(tasks.projectId, projects.id)}
  )`;
}

/** `todo` takes in whatever is neither in progress nor completed, as the board's first tab does. */
async function countProjects(db: Db, where: SQL | undefined): Promise<ProjectCounts> {
  const [counts] = await db
    .select({
      todo: countRows(notInArray(projects.status, ["inProgress", "completed"])),
      inProgress: countRows(eq(projects.status, "inProgress")),
      completed: countRows(eq(projects.status, "completed")),
    })
    .from(projects)
    .where(where);
  return counts ?? { todo: 0, inProgress: 0, completed: 0 };
}

async function cursorAt(db: Db, id: string): Promise<string | null> {
  const [row] = await db
    .select({ microseconds: microsecondsOf(projects.createdAt), id: projects.id })
    .from(projects)
    .where(eq(projects.id, id));
  return row ? encodeCursor(row) : null;
}

function filterCondition(filter: ProjectFilter, actor: Actor): SQL | undefined {
  const withRole = (role: MemberRole) =>
    sql`exists (select 1 from ${projectMembers} where ${and(
      eq(projectMembers.projectId, projects.id),
      eq(projectMembers.userId, actor.id),
      eq(projectMembers.role, role),
    )})`;
  switch (filter) {
    case "all":
      return undefined;
    case "client":
      return isNotNull(projects.clientId);
    case "internal":
      return isNull(projects.clientId);
    case "assigned":
      return withRole("assigned");
    case "managed":
      return withRole("manager");
  }
}

/** Title, description, client and task titles. */
function searchCondition(q: string): SQL | undefined {
  const pattern = containsPattern(q);
  const searched = alias(users, "searched_client");
  return or(
    ilike(projects.title, pattern),
    ilike(projects.description, pattern),
    sql`exists (select 1 from ${users} as ${sql.identifier("searched_client")} where ${and(
      eq(searched.id, projects.clientId),
      or(ilike(searched.displayName, pattern), ilike(searched.username, pattern)),
    )})`,
    sql`exists (select 1 from ${tasks} where ${and(eq(tasks.projectId, projects.id), ilike(tasks.title, pattern))})`,
  );
}
