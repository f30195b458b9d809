import type { SignOffStatus } from "@db/client-enums";
import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  ne,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../db/client";
import { aliased, fieldName, isoInstant, jsonObject, jsonRows, whenPresent } from "../../db/expressions";
import {
  commitMentions,
  commits,
  files,
  organisation,
  projects,
  repositories,
  requests,
  signOffs,
  tasks,
  users,
} from "../../db/schema";
import { signOffChanges } from "../contract/sign-off-changes";
import { signOffRecordSchema } from "../contract/sign-offs";
import type { Person, SignOff, SignOffRecord, Turn } from "../contract/views";
import type { Actor } from "../core/context";
import { turnOf } from "../organisation/business-time";
import { calendarColumns, calendarOf } from "../organisation/queries";
import { personJson, shownName } from "../users/queries";
import { isProjectVisibleTo, mayManage, owing, signers, visibleSignOffsTo } from "./policy";
import { recordOf, redacted, versionOf, type Work } from "./record";

const MAX_LISTED = 100;

const askers = alias(users, "askers");
const deciders = alias(users, "deciders");

export type SignOffRow = Awaited<ReturnType<typeof selectSignOffs>>[number];

/**
 * Sign-offs that the actor may see, with the work as it is now: read by one statement, and so at one moment. `work` is null once the
 * project is gone, and of what nobody decides or has approved.
 */
function selectSignOffs(db: Db | Tx, { actor, where }: { actor: Actor; where: SQL | undefined }) {
  const { id, projectId, taskIds, signerId, note, status, record, askedBy, decidedBy, reason } = signOffs;
  const work: SQL<Work> = jsonObject({ tasks: tasksOf(db), files: filesOf(db), commits: commitsOf() });
  return db
    .select({
      ...{ id, projectId, taskIds, signerId, note, status, record, askedBy, decidedBy, reason },
      askedAt: isoInstant(signOffs.askedAt),
      decidedAt: isoInstant(signOffs.decidedAt),
      commitModeAtDeletion: signOffs.commitModeAtDeletion,
      signerName: shownName(signers),
      asker: personJson(askers),
      signer: personJson(signers),
      decider: whenPresent(deciders.id, personJson(deciders)),
      project: whenPresent(
        projects.id,
        jsonObject({
          id: projects.id,
          key: projects.key,
          title: projects.title,
          liveLink: projects.liveLink,
          commitMode: projects.commitMode,
          clientCollaboration: projects.clientCollaboration,
        }),
      ),
      work: sql<Work | null>`case when ${and(isNotNull(projects.id), inArray(status, ["asked", "approved"]))}
        then ${work} end`,
      isManaged: sql<boolean>`${and(isNotNull(projects.id), mayManage(actor))}`,
      isProjectVisible: isProjectVisibleTo(actor),
      owes: owing(actor),
      organisation: calendarColumns,
    })
    .from(signOffs)
    .innerJoin(askers, eq(askers.id, signOffs.askedBy))
    .innerJoin(signers, eq(signers.id, signOffs.signerId))
    .leftJoin(deciders, eq(deciders.id, signOffs.decidedBy))
    .leftJoin(projects, eq(projects.id, signOffs.projectId))
    .leftJoin(repositories, and(eq(repositories.id, projects.repositoryId), eq(repositories.withheld, false)))
    .leftJoin(organisation, sql`true`)
    .where(and(where, visibleSignOffsTo(actor)))
    .$dynamic();
}

/** Of a sign-off about some tasks: those; of one about the whole project: all. */
function isChosen(taskId: SQLWrapper): SQL {
  return sql`(${signOffs.taskIds} is null or ${taskId} = any(${signOffs.taskIds}))`;
}

function tasksOf(db: Db | Tx): SQL<Work["tasks"]> {
  const { id, number, title, status, dueDate } = tasks;
  return jsonRows(
    db
      .select(aliased({ id, number, title, status, dueDate }))
      .from(tasks)
      .where(and(eq(tasks.projectId, signOffs.projectId), isChosen(tasks.id)))
      .orderBy(asc(number)),
  );
}

/** What clients see on the pages of the project and of its tasks, beside their discussions. */
function filesOf(db: Db | Tx): SQL<Work["files"]> {
  const { id, name, size, hash } = files;
  const isShown = and(eq(files.projectId, signOffs.projectId), isNull(files.commentId), eq(files.visibility, "client"));
  return jsonRows(
    db
      .select(aliased({ id, name, size, hash }))
      .from(files)
      .where(
        and(
          isShown,
          isNotNull(files.attachedAt),
          or(and(isNull(files.requestId), isChosen(files.taskId)), isOfRequest()),
        ),
      )
      .orderBy(asc(files.attachedAt), asc(files.position), asc(id)),
  );
}

/**
 * The file was sent with the request that became a task. Once approved, what was decided before counts as the record has it: older
 * records hold the files of all requests, or of none.
 */
function isOfRequest(): SQL {
  const isNews = or(ne(signOffs.status, "approved"), gt(requests.decidedAt, signOffs.decidedAt));
  const became = and(eq(requests.id, files.requestId), isNotNull(requests.taskId), isChosen(requests.taskId), isNews);
  const file = jsonObject({ id: files.id });
  const signed = sql`${signOffs.record} -> ${fieldName<Work>("files")} @> json_build_array(${file})::jsonb`;
  return sql`(${files.requestId} is not null and (exists (select from ${requests} where ${became})
    or ${and(eq(signOffs.status, "approved"), signed)}))`;
}

type CommitEnd = NonNullable<Work["commits"]>["first"];

/** Those of the repository, or of it those that name the tasks; null without any. */
function commitsOf(): SQL<Work["commits"]> {
  const named = sql`select ${commitMentions.commitId} from ${commitMentions} join ${tasks} on ${and(
    eq(tasks.projectId, signOffs.projectId),
    eq(tasks.number, commitMentions.taskNumber),
    sql`${tasks.id} = any(${signOffs.taskIds})`,
  )} where ${and(eq(commitMentions.repositoryId, repositories.id), eq(commitMentions.projectKey, projects.key))}`;
  const isMeant = and(
    eq(commits.repositoryId, repositories.id),
    sql`(${signOffs.taskIds} is null or ${commits.id} in (${named}))`,
  );
  const one: SQL<CommitEnd> = jsonObject({
    sha: commits.sha,
    at: isoInstant(commits.authoredAt),
  });
  const end = (direction: SQL) => sql<CommitEnd>`(select ${one} from ${commits} where ${isMeant}
    order by ${commits.authoredAt} ${direction}, ${commits.id} ${direction} limit 1)`;
  const range: SQL<Work["commits"]> = jsonObject({
    repository: repositories.fullName,
    count: sql<number>`(select count(*)::int from ${commits} where ${isMeant})`,
    first: end(sql`asc`),
    last: end(sql`desc`),
  });
  return sql`case when exists (select 1 from ${commits} where ${isMeant}) then ${range} end`;
}

/** Which are listed: of one project or of all, of one status or of all; `former` those of projects that the actor does not see. */
export interface SignOffFilter {
  projectId?: string | undefined;
  status?: SignOffStatus | undefined;
  former?: true | undefined;
}

/** The newest 100; those that are asked first. */
export async function findSignOffs(
  db: Db,
  { actor, projectId, status, former }: SignOffFilter & { actor: Actor },
): Promise<SignOffRow[]> {
  const where = and(
    projectId ? eq(signOffs.projectId, projectId) : undefined,
    status && eq(signOffs.status, status),
    former && not(isProjectVisibleTo(actor)),
  );
  return selectSignOffs(db, { actor, where })
    .orderBy(desc(eq(signOffs.status, "asked")), desc(signOffs.askedAt), desc(signOffs.id))
    .limit(MAX_LISTED);
}

/** What is asked in a project, of some people or of all. */
export async function findAskedIn(
  tx: Tx,
  { projectId, signerIds, actor }: { projectId: string; signerIds: string[] | undefined; actor: Actor },
): Promise<SignOffRow[]> {
  const isAsked = and(eq(signOffs.projectId, projectId), eq(signOffs.status, "asked"));
  const where = signerIds ? and(isAsked, inArray(signOffs.signerId, signerIds)) : isAsked;
  return selectSignOffs(tx, { actor, where }).orderBy(asc(signOffs.askedAt), asc(signOffs.id));
}

/** One that the actor may see, or null. */
export async function findSignOff(
  db: Db | Tx,
  { id, actor }: { id: string; actor: Actor },
): Promise<SignOffRow | null> {
  const [row] = await selectSignOffs(db, { actor, where: eq(signOffs.id, id) });
  return row ?? null;
}

/** The stored record, with its keys in the order of the schema. */
export function storedRecord({ record }: Pick<SignOffRow, "record">): SignOffRecord {
  return signOffRecordSchema.parse(record);
}

/** The record of the work as it is now; null once the project is gone, and of what nobody decides or has approved. */
function presentRecord(row: SignOffRow): SignOffRecord | null {
  const { project, work } = row;
  return project && work ? recordOf({ ...row, project, work }) : null;
}

/** What the sign-off says: while it is asked the work as it is now, as far as there is still any; the stored record after that. */
export function currentRecord(row: SignOffRow): SignOffRecord {
  return (row.status === "asked" ? presentRecord(row) : null) ?? storedRecord(row);
}

/** Who looks; `timeZone` holds for business time until the organisation has chosen one. */
export interface Reader {
  actor: Actor;
  timeZone: string;
}

/** A row as its reader sees it. Where nobody knows any more what the project showed of commits, a client sees none. */
export function showSignOff(row: SignOffRow, { actor, timeZone }: Reader): SignOff {
  const {
    work: _,
    project,
    signerName: __,
    asker,
    signer,
    decider,
    isManaged,
    isProjectVisible,
    owes,
    commitModeAtDeletion,
    organisation: stored,
    ...columns
  } = row;
  const shown = (record: SignOffRecord) =>
    actor.accountType === "client" ? redacted(record, project?.commitMode ?? commitModeAtDeletion ?? "hidden") : record;
  const current = currentRecord(row);
  const record = shown(current);
  const present = presentRecord(row);
  // A former client keeps what they signed, and learns nothing of how the project goes on.
  const isCompared = row.status === "approved" && (project === null || isProjectVisible);
  const changes = isCompared ? signOffChanges(record, present && shown(present)) : [];
  const isOpen = row.status === "asked";
  return {
    ...columns,
    record,
    version: versionOf(current),
    changedAfter: changes.length > 0 ? changes : null,
    turn: turnOfSignOff(row, timeZone),
    people: distinct([asker, signer, ...(decider ? [decider] : [])]),
    isProjectGone: project === null,
    canDecide: isOpen && row.signerId === actor.id && project?.clientCollaboration === true,
    canWithdraw: isOpen && actor.accountType !== "client" && (isManaged || actor.accountType === "admin"),
  };
}

/** An answer is promised within a time; when changes are done is not. */
function turnOfSignOff({ owes, askedAt, decidedAt, organisation: stored }: SignOffRow, timeZone: string): Turn {
  const since = owes === "firm" ? decidedAt : askedAt;
  return { ...turnOf(calendarOf(stored, { timeZone }), { owes, since }, new Date()), answerBy: null };
}

function distinct(people: Person[]): Person[] {
  return people.filter(({ id }, at) => people.findIndex((one) => one.id === id) === at);
}
