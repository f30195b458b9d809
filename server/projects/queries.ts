import type { MemberRole } from "@db/enums";
import { and, desc, eq, inArray, notInArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../db/client";
import {
  arrayOf,
  aliased as asJson,
  columnValue,
  countRows,
  isAfter,
  isoInstant,
  jsonArray,
  jsonObject,
  jsonRows,
  microsecondsOf,
  orEmpty,
  whenPresent,
} from "../../db/expressions";
import { projectMembers, projects, taskAssignees, tasks, users } from "../../db/schema";
import type { ProjectFilter } from "../contract/projects";
import type { Project, ProjectCounts, ProjectPage } from "../contract/views";
import type { Actor } from "../core/context";
import { decodeCursor, encodeCursor } from "../core/cursor";
import { personJson } from "../users/queries";
import { filterCondition, searchCondition } from "./filters";
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
  const [row] = await selectProjects(db, { where: and(eq(projects.id, id), visibleTo(actor)) });
  return row ?? null;
}

/** What the tasks of a project depend on. */
export interface LockedProject extends Involvement {
  id: string;
  lastTaskNumber: number;
}

/**
 * Takes the project's row, which orders all changes under it, and only then reads who is on it: whoever was removed a moment
 * ago gets null, like whoever never was. Both statements travel together.
 */
export async function lockProject(tx: Tx, { id, actor }: { id: string; actor: Actor }): Promise<LockedProject | null> {
  const memberIds = (role: MemberRole) =>
    arrayOf(projectMembers.userId, {
      from: projectMembers,
      where: and(eq(projectMembers.projectId, projects.id), eq(projectMembers.role, role)),
    });
  const [, [locked]] = await Promise.all([
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
  return locked ?? null;
}

/** Projects by id, whoever may see them, in no order: for watchers, which check visibility on the row. */
export async function findProjectRows(db: Db, ids: readonly string[]): Promise<ProjectRow[]> {
  return selectProjects(db, { where: inArray(projects.id, [...ids]) });
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
  const [rows, counts] = await Promise.all([
    selectProjects(db, { where: page, limit: PAGE_SIZE + 1 }),
    countProjects(db, matches),
  ]);
  const items = rows.slice(0, PAGE_SIZE);
  const last = items.at(-1);
  return {
    items: items.map((row) => showProject(row, actor)),
    nextCursor: rows.length > PAGE_SIZE && last ? await cursorAt(db, last.id) : null,
    counts,
  };
}

/**
 * Projects with their people and counts, newest first: one statement, in which what belongs to a project is grouped once for
 * all of the page (looked up project by project, 300 of them took five times as long), and one JSON value.
 */
async function selectProjects(
  db: Db | Tx,
  { where, limit }: { where: SQL | undefined; limit?: number },
): Promise<ProjectRow[]> {
  const newestFirst = [desc(projects.createdAt), desc(projects.id)];
  const chosen = db
    .select()
    .from(projects)
    .where(where)
    .orderBy(...newestFirst)
    .$dynamic();
  const page = db.$with("page").as(limit === undefined ? chosen : chosen.limit(limit));
  const ofPage = db.select({ id: page.id }).from(page);
  const client = alias(users, "client");
  const memberIds = (role: MemberRole) =>
    jsonArray(columnValue(projectMembers.userId), {
      orderBy: projectMembers.position,
      where: eq(projectMembers.role, role),
    });
  const members = db
    .select({
      projectId: projectMembers.projectId,
      assignedTo: memberIds("assigned").as("assigned_to"),
      managers: memberIds("manager").as("managers"),
    })
    .from(projectMembers)
    .where(inArray(projectMembers.projectId, ofPage))
    .groupBy(projectMembers.projectId)
    .as("members");
  const counts = db
    .select({
      projectId: tasks.projectId,
      taskCounts: jsonObject({ total: countRows(), completed: countRows(eq(tasks.status, "completed")) }).as(
        "task_counts",
      ),
    })
    .from(tasks)
    .where(inArray(tasks.projectId, ofPage))
    .groupBy(tasks.projectId)
    .as("counts");
  const creators = db.select({ projectId: page.id, userId: page.createdBy }).from(page);
  const onProject = db
    .select({ projectId: projectMembers.projectId, userId: projectMembers.userId })
    .from(projectMembers)
    .where(inArray(projectMembers.projectId, ofPage));
  const onTasks = db
    .select({ projectId: tasks.projectId, userId: taskAssignees.userId })
    .from(taskAssignees)
    .innerJoin(tasks, eq(tasks.id, taskAssignees.taskId))
    .where(inArray(tasks.projectId, ofPage));
  const named = creators.union(onProject).union(onTasks).as("named");
  const people = db
    .select({
      projectId: named.projectId,
      people: jsonArray(personJson(users), { orderBy: users.username }).as("people"),
    })
    .from(named)
    .innerJoin(users, eq(users.id, named.userId))
    .groupBy(named.projectId)
    .as("people");
  const listed = db
    .with(page)
    .select(
      asJson({
        id: page.id,
        key: page.key,
        title: page.title,
        description: page.description,
        status: page.status,
        startDate: page.startDate,
        dueDate: page.dueDate,
        githubRepo: page.githubRepo,
        liveLink: page.liveLink,
        clientId: page.clientId,
        projectType: page.projectType,
        createdAt: isoInstant(page.createdAt),
        createdBy: page.createdBy,
        updatedAt: isoInstant(page.updatedAt),
        version: page.version,
        changeSeq: page.changeSeq,
        client: whenPresent(client.id, personJson(client)),
        assignedTo: orEmpty(members.assignedTo),
        managers: orEmpty(members.managers),
        people: orEmpty(people.people),
        taskCounts: sql<Project["taskCounts"]>`coalesce(${counts.taskCounts}, '{"total":0,"completed":0}'::json)`,
      }),
    )
    .from(page)
    .leftJoin(client, eq(client.id, page.clientId))
    .leftJoin(members, eq(members.projectId, page.id))
    .leftJoin(counts, eq(counts.projectId, page.id))
    .leftJoin(people, eq(people.projectId, page.id))
    .orderBy(desc(page.createdAt), desc(page.id));
  const [row] = await db.select({ rows: jsonRows(listed) }).from(sql`(values (1)) as one`);
  return row?.rows ?? [];
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
