import type { ChangedField, ProjectEventKind } from "@db/enums";
import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { isoInstant, whenPresent } from "../../db/expressions";
import { projectEvents, projects, users } from "../../db/schema";
import { unmasked } from "../contract/masked-commits";
import { maskOf } from "../contract/masking";
import type { ON_OFF } from "../contract/projects";
import type { CommitView, FieldChange, ProjectHistory } from "../contract/views";
import type { Actor } from "../core/context";
import { decodeIdCursor, encodeIdCursor } from "../core/cursor";
import { findPeople, personJson } from "../users/queries";
import { involving } from "./policy";
import { involvementColumns, type ProjectRow } from "./queries";

const PAGE_SIZE = 50;

/** What was done, by whom, in the transaction that does it. `task` as it is called now. */
export async function recordEvent(
  tx: Tx,
  event: {
    projectId: string;
    by: Pick<Actor, "id">;
    kind: ProjectEventKind;
    task?: { id: string; number: number; title: string };
    changes?: FieldChange[];
  },
): Promise<void> {
  const { projectId, by, kind, task, changes = [] } = event;
  await tx.insert(projectEvents).values({
    projectId,
    actorId: by.id,
    kind,
    changes,
    taskId: task?.id,
    taskNumber: task?.number,
    taskTitle: task?.title,
  });
}

interface HistoryQuery {
  projectId?: string | undefined;
  taskId?: string | undefined;
  actor: Actor;
  cursor?: string | null | undefined;
}

/**
 * The history of a project that the caller has been shown, of one task of it, or of all projects that the actor takes part in.
 * Newest first, 50 a page.
 */
export async function listHistory(db: Db, { projectId, taskId, actor, cursor }: HistoryQuery): Promise<ProjectHistory> {
  const rows = await selectEvents(db, {
    ofProjects: projectId ? eq(projects.id, projectId) : involving(actor),
    taskId,
    before: decodeIdCursor(cursor),
  });
  const isClient = actor.accountType === "client";
  const items = rows
    .slice(0, PAGE_SIZE)
    .map(({ taskId, taskNumber, taskTitle, changes, clientId, clientPeople, commitView, ...event }) => ({
      ...event,
      changes: isClient
        ? changes.map((change) => shownChange(change, { clientSide: [clientId, ...clientPeople], commitView }))
        : changes,
      task:
        taskId !== null && taskNumber !== null && taskTitle !== null
          ? { id: taskId, number: taskNumber, title: taskTitle }
          : null,
    }));
  const last = items.at(-1);
  const known = new Set(rows.flatMap(({ clientId, clientPeople }) => [clientId, ...clientPeople]));
  const people = await findPeople(
    db,
    items.flatMap(({ changes }) => changes.flatMap(peopleIn)),
  );
  return {
    items,
    people: isClient ? people.filter(({ id, accountType }) => accountType !== "client" || known.has(id)) : people,
    nextCursor: rows.length > PAGE_SIZE && last ? encodeIdCursor(last.id) : null,
  };
}

/** How a project's own fields and people differ; a description only says that it does. */
export function projectChanges(before: ProjectRow, after: ProjectRow): FieldChange[] {
  return [
    ...fieldChanges(before, after, SCALARS),
    ...(before.description === after.description ? [] : [NEW_DESCRIPTION]),
    ...memberChanges("clientPeople", before.clientPeople, after.clientPeople),
    ...memberChanges("assignedTo", before.assignedTo, after.assignedTo),
    ...memberChanges("managers", before.managers, after.managers),
    ...fieldChanges(collaborationOf(before), collaborationOf(after), ["clientCollaboration"]),
  ];
}

function collaborationOf({ clientCollaboration }: ProjectRow): { clientCollaboration: (typeof ON_OFF)[number] } {
  return { clientCollaboration: clientCollaboration ? "on" : "off" };
}

const SCALARS = [
  "title",
  "status",
  "startDate",
  "dueDate",
  "clientId",
  "githubRepo",
  "liveLink",
  "projectType",
] as const satisfies readonly (keyof ProjectRow & ChangedField)[];

/** A description that differs, whose texts are left out. */
export const NEW_DESCRIPTION: FieldChange = { field: "description", from: null, to: null };

/** The fields that differ, in their order. */
export function fieldChanges<Field extends ChangedField>(
  before: Record<Field, string | null>,
  after: Record<Field, string | null>,
  fields: readonly Field[],
): FieldChange[] {
  return fields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, from: before[field], to: after[field] }));
}

/** Who came and who went; nothing when only the order differs. */
export function memberChanges(field: ChangedField, before: readonly string[], after: readonly string[]): FieldChange[] {
  const added = after.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !after.includes(id));
  return added.length + removed.length > 0 ? [{ field, added, removed }] : [];
}

/**
 * The newest of each project's index first, then those of all: in one walk through everybody's events somebody whose projects
 * are quiet would read them all.
 */
function selectEvents(
  db: Db,
  { ofProjects, taskId, before }: { ofProjects: SQL | undefined; taskId: string | undefined; before: number | null },
) {
  const isAsked = and(
    before === null ? undefined : lt(projectEvents.id, before),
    taskId === undefined ? undefined : eq(projectEvents.taskId, taskId),
  );
  const newest = db
    .select({ id: projectEvents.id })
    .from(projectEvents)
    .where(and(eq(projectEvents.projectId, projects.id), isAsked))
    .orderBy(desc(projectEvents.id))
    .limit(PAGE_SIZE + 1)
    .as("newest");
  const page = db
    .select({ id: newest.id })
    .from(projects)
    .innerJoinLateral(newest, sql`true`)
    .where(ofProjects)
    .orderBy(desc(newest.id))
    .limit(PAGE_SIZE + 1)
    .as("page");
  return db
    .select({
      id: projectEvents.id,
      at: isoInstant(projectEvents.at),
      kind: projectEvents.kind,
      project: { id: projects.id, key: projects.key, title: projects.title },
      actor: whenPresent(users.id, personJson(users)),
      taskId: projectEvents.taskId,
      taskNumber: projectEvents.taskNumber,
      taskTitle: projectEvents.taskTitle,
      changes: projectEvents.changes,
      clientId: projects.clientId,
      clientPeople: involvementColumns.clientPeople,
      commitView: { mode: projects.commitMode, maskedWords: projects.maskedWords },
    })
    .from(page)
    .innerJoin(projectEvents, eq(projectEvents.id, page.id))
    .innerJoin(projects, eq(projects.id, projectEvents.projectId))
    .leftJoin(users, eq(users.id, projectEvents.actorId))
    .orderBy(desc(projectEvents.id));
}

/**
 * To a client other clients are nobody: who was the client before, or one of its people, and is not now. Of a repository they get what
 * they get of its commits.
 */
function shownChange(
  change: FieldChange,
  { clientSide, commitView }: { clientSide: readonly (string | null)[]; commitView: CommitView },
): FieldChange {
  const present = (id: string | null) => (id !== null && clientSide.includes(id) ? id : null);
  if (!("added" in change)) {
    if (change.field === "githubRepo") return shownLinks(change, commitView);
    if (change.field !== "clientId") return change;
    return { field: change.field, from: present(change.from), to: present(change.to) };
  }
  if (change.field !== "clientPeople") return change;
  return { ...change, added: change.added.filter(present), removed: change.removed.filter(present) };
}

function shownLinks<Change extends { from: string | null; to: string | null }>(
  change: Change,
  { mode, maskedWords }: CommitView,
): Change {
  const mask = maskOf(maskedWords);
  const shown = (link: string | null) => (mode === "titles" ? unmasked(link, mask) : null);
  return { ...change, from: shown(change.from), to: shown(change.to) };
}

const MEMBER_FIELDS: ReadonlySet<ChangedField> = new Set<ChangedField>(["assignedTo", "managers", "clientPeople"]);

function peopleIn(change: FieldChange): string[] {
  if ("added" in change) return MEMBER_FIELDS.has(change.field) ? [...change.added, ...change.removed] : [];
  if (change.field !== "clientId") return [];
  return [change.from, change.to].filter((id) => id !== null);
}
