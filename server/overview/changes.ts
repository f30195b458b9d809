import type { ChangedField } from "@db/enums";
import { and, desc, eq, gt, isNotNull, ne, not, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { aliased, countRows, fieldName, holds, isoInstant, jsonObject, jsonRows } from "../../db/expressions";
import {
  commits,
  conversations,
  messages,
  projectEvents,
  projects,
  repositories,
  type StoredChange,
  tasks,
  users,
} from "../../db/schema";
import { participating } from "../chat/policy";
import { maskChange } from "../contract/masked-commits";
import type { ChangeKind } from "../contract/overview";
import type { Change, ChangeCount, ChangeList } from "../contract/views";
import type { Actor } from "../core/context";
import { shownTo, titlesShownTo } from "../github/policy";
import { visibleTo } from "../projects/policy";
import { shownName } from "../users/queries";

/*
 * What others have done since an instant, of what the actor may see. The counts of a start page and the lists behind them are the
 * same queries. What the actor did is no news: one was here.
 */

interface Asked {
  actor: Actor;
  since: Date;
}

const LIST_LIMIT = 500;
const EXCERPT_LENGTH = 140;

/** How many of each there are, and which: the newest 500. In one statement. */
export async function countChanges(
  db: Db,
  asked: Asked,
): Promise<{ [Kind in Exclude<ChangeKind, "commits">]: ChangeCount } & { commits: ChangeCount | null }> {
  const [row] = await db
    .select({
      tasksDone: countOf(doneTasks(db, asked)),
      datesMoved: countOf(movedDates(db, asked)),
      messages: countOf(newMessages(db, asked)),
      commits: countOf(newCommits(db, asked)),
      allCommits: commitTotal(db, asked),
    })
    .from(sql`(values (1)) as one`);
  const { allCommits: count, commits: titled, ...others } = row ?? NO_CHANGES;
  return { ...others, commits: asked.actor.accountType === "user" ? null : { count, ids: titled.ids } };
}

/** What one of the counts counts, newest first, at most 500. Of commits that are only counted: how many in which project. */
export async function listChanges(db: Db, { kind, ...asked }: Asked & { kind: ChangeKind }): Promise<ChangeList> {
  const isCommits = kind === "commits";
  const counts = isCommits ? await listCommitCounts(db, asked) : [];
  const maskedIn = isCommits ? await listMasked(db, asked.actor) : new Map<string, string[]>();
  const rows = rowsOf(db, { kind, ...asked });
  const total = isCommits ? commitTotal(db, asked) : sql<number>`(select count(*)::int from ${rows} as counted)`;
  const [row] = await db.select({ items: jsonRows(rows, LIST_LIMIT), count: total }).from(sql`(values (1)) as one`);
  const { items, count } = row ?? { items: [], count: 0 };
  if (!isCommits) return { items, counts, count };
  const masked = items.map((change) => maskChange(change, maskedIn.get(change.project?.id ?? "") ?? []));
  return { items: masked, counts, count };
}

function rowsOf(db: Db, { kind, ...asked }: Asked & { kind: ChangeKind }) {
  if (kind === "tasksDone") return doneTasks(db, asked);
  if (kind === "datesMoved") return movedDates(db, asked);
  return kind === "commits" ? newCommits(db, asked) : newMessages(db, asked);
}

const NONE: ChangeCount = { count: 0, ids: [] };
const NO_CHANGES = { tasksDone: NONE, datesMoved: NONE, messages: NONE, commits: NONE, allCommits: 0 };

/** All are counted, and as many named as a list holds. */
function countOf(rows: ReturnType<typeof rowsOf>): SQL<ChangeCount> {
  const placed = sql`(select of.id, row_number() over () as place from ${rows} as of)`;
  const listed = sql`json_agg(listed.id order by listed.place) filter (where listed.place <= ${sql.raw(String(LIST_LIMIT))})`;
  const ids = sql<string[]>`coalesce(${listed}, '[]'::json)`;
  const counted: SQL<ChangeCount> = jsonObject({ count: countRows(), ids });
  return sql<ChangeCount>`(select ${counted} from ${placed} as listed)`;
}

const project = jsonObject({ id: projects.id, key: projects.key, title: projects.title });

/** Columns of a change that are not of its kind. */
const NOTHING = {
  taskNumber: sql<number | null>`null::int`,
  from: sql<string | null>`null::text`,
  to: sql<string | null>`null::text`,
  conversationId: sql<string | null>`null::uuid`,
  htmlUrl: sql<string | null>`null::text`,
  author: sql<string | null>`null::text`,
} satisfies Partial<Record<keyof Change, SQL>>;

/** Tasks that somebody else has completed and that still are. */
function doneTasks(db: Db, { actor, since }: Asked) {
  // History says who did it, at the moment of the same transaction. A task may also be made as a completed one.
  const isOwn = sql`(exists (select 1 from ${projectEvents} where ${and(
    eq(projectEvents.projectId, tasks.projectId),
    eq(projectEvents.taskId, tasks.id),
    eq(projectEvents.at, tasks.completedAt),
    eq(projectEvents.actorId, actor.id),
  )}) or ${and(eq(tasks.createdBy, actor.id), eq(tasks.createdAt, tasks.completedAt))})`;
  return db
    .select(
      aliased({
        id: tasks.id,
        title: tasks.title,
        at: instantOf(tasks.completedAt),
        project: orNull(project),
        ...NOTHING,
        taskNumber: orNull(sql<number>`${tasks.number}`),
      }),
    )
    .from(tasks)
    .innerJoin(projects, eq(projects.id, tasks.projectId))
    .where(and(visibleTo(actor), gt(tasks.completedAt, since), not(isOwn)))
    .orderBy(desc(tasks.completedAt), desc(tasks.id));
}

/** Tasks and projects that had a due date which others have changed, and that have another one now. */
function movedDates(db: Db, { actor, since }: Asked) {
  const due = sql`case when ${projectEvents.taskId} is null then ${projects.dueDate} else ${tasks.dueDate} end`;
  const subject = sql<string>`coalesce(${projectEvents.taskId}, ${projectEvents.projectId})`;
  const changed = sql`jsonb_array_elements(${projectEvents.changes})`;
  const was = sql`change.of ->> ${fieldName<Extract<StoredChange, { from: unknown }>>("from")}`;
  const moved = db
    .select({
      subject: subject.as("subject"),
      was: sql<string>`(array_agg(${was} order by ${projectEvents.id}))[1]`.as("was"),
      at: sql<Date>`max(${projectEvents.at})`.as("moved_at"),
      taskId: sql<string | null>`(array_agg(${projectEvents.taskId}))[1]`.as("moved_task"),
      projectId: sql<string>`(array_agg(${projectEvents.projectId}))[1]`.as("moved_project"),
    })
    .from(projectEvents)
    .innerJoin(projects, eq(projects.id, projectEvents.projectId))
    .leftJoin(tasks, eq(tasks.id, projectEvents.taskId))
    .crossJoinLateral(sql`${changed} as change(of)`)
    .where(
      and(
        visibleTo(actor),
        gt(projectEvents.at, since),
        ne(projectEvents.actorId, actor.id),
        sql`change.of ->> ${fieldName<StoredChange>("field")} = ${"dueDate" satisfies ChangedField} and ${was} is not null`,
        or(sql`${projectEvents.taskId} is null`, isNotNull(tasks.id)),
      ),
    )
    .groupBy(subject, due)
    .having(sql`(array_agg(${was} order by ${projectEvents.id}))[1] is distinct from (${due})::text`)
    .as("moved");
  return db
    .select(
      aliased({
        id: sql<string>`${moved.subject}`,
        title: sql<string>`coalesce(${tasks.title}, ${projects.title})`,
        at: instantOf(sql<Date>`${moved.at}`),
        project: orNull(project),
        ...NOTHING,
        taskNumber: sql<number | null>`${tasks.number}`,
        from: sql<string | null>`${moved.was}`,
        to: sql<
          string | null
        >`(case when ${moved.taskId} is null then ${projects.dueDate} else ${tasks.dueDate} end)::text`,
      }),
    )
    .from(moved)
    .innerJoin(projects, sql`${projects.id} = ${moved.projectId}`)
    .leftJoin(tasks, sql`${tasks.id} = ${moved.taskId}`)
    .orderBy(desc(sql`${moved.at}`), desc(sql`${moved.subject}`));
}

/** Commits that came, of repositories that the actor may see; to a client of projects that show their titles. Users see none. */
function newCommits(db: Db, asked: Asked) {
  const each = db
    .selectDistinctOn([commits.sha], {
      sha: commits.sha,
      message: commits.message,
      htmlUrl: commits.htmlUrl,
      authorName: commits.authorName,
      arrivedAt: commits.arrivedAt,
      projectId: projects.id,
    })
    .from(commits)
    .innerJoin(repositories, eq(repositories.id, commits.repositoryId))
    .innerJoin(projects, eq(projects.repositoryId, repositories.id))
    .where(and(areNew(asked), titlesShownTo(asked.actor)))
    .orderBy(commits.sha, projects.id)
    .as("each");
  return db
    .select(
      aliased({
        id: each.sha,
        // As a whole: masked first, and then shortened (`maskChange`).
        title: sql<string>`${each.message}`,
        at: instantOf(each.arrivedAt),
        project: orNull(project),
        ...NOTHING,
        htmlUrl: orNull(sql<string>`${each.htmlUrl}`),
        author: orNull(sql<string>`${each.authorName}`),
      }),
    )
    .from(each)
    .innerJoin(projects, eq(projects.id, each.projectId))
    .orderBy(desc(each.arrivedAt), desc(each.sha));
}

/** By project; where a client reads commits. */
async function listMasked(db: Db, actor: Actor): Promise<Map<string, string[]>> {
  if (actor.accountType !== "client") return new Map();
  const rows = await db
    .select({ id: projects.id, maskedWords: projects.maskedWords })
    .from(projects)
    .where(and(visibleTo(actor), titlesShownTo(actor)));
  return new Map(rows.map(({ id, maskedWords }) => [id, maskedWords]));
}

/** With those whose number alone is shown. */
function commitTotal(db: Db, asked: Asked): SQL<number> {
  const total = db
    .select({ count: sql`count(distinct ${commits.sha})`.as("count") })
    .from(commits)
    .innerJoin(repositories, eq(repositories.id, commits.repositoryId))
    .innerJoin(projects, eq(projects.repositoryId, repositories.id))
    .where(and(areNew(asked), shownTo(asked.actor)));
  return sql`(${total})`.mapWith(Number);
}

async function listCommitCounts(db: Db, asked: Asked): Promise<ChangeList["counts"]> {
  if (asked.actor.accountType !== "client") return [];
  return db
    .select({ project: { id: projects.id, key: projects.key, title: projects.title }, count: countRows() })
    .from(commits)
    .innerJoin(repositories, eq(repositories.id, commits.repositoryId))
    .innerJoin(projects, eq(projects.repositoryId, repositories.id))
    .where(and(areNew(asked), holds(projects.commitMode, "counts")))
    .groupBy(projects.id)
    .orderBy(projects.title, projects.id);
}

function areNew({ actor, since }: Asked): SQL | undefined {
  if (actor.accountType === "user") return sql`false`;
  return and(visibleTo(actor), not(repositories.withheld), gt(commits.arrivedAt, since));
}

/** What others have written in the actor's conversations, read or not. */
function newMessages(db: Db, { actor, since }: Asked) {
  return db
    .select(
      aliased({
        id: messages.id,
        title: sql<string>`left(${messages.text}, ${EXCERPT_LENGTH})`,
        at: instantOf(messages.createdAt),
        project: sql<Change["project"]>`null::json`,
        ...NOTHING,
        conversationId: orNull(sql<string>`${messages.conversationId}`),
        author: orNull(shownName(users)),
      }),
    )
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .innerJoin(users, eq(users.id, messages.senderId))
    .where(
      and(
        participating(actor),
        gt(messages.createdAt, since),
        ne(messages.senderId, actor.id),
        holds(messages.kind, "text"),
      ),
    )
    .orderBy(desc(messages.createdAt), desc(messages.id));
}

/** Where there is one. */
function instantOf(instant: Parameters<typeof isoInstant>[0]): SQL<string> {
  return sql<string>`${isoInstant(instant)}`;
}

/** As a column that other kinds of changes do not have. */
function orNull<Value>(value: SQL<Value>): SQL<Value | null> {
  return sql<Value | null>`${value}`;
}
