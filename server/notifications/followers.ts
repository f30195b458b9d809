import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { columnValue } from "../../db/expressions";
import { comments, discussions, follows, projectMembers, projects, taskAssignees, tasks } from "../../db/schema";

interface FollowedSubject {
  projectId: string;
  /** Null: the project itself. */
  taskId: string | null;
}

/**
 * Who is told of what happens to a project or a task: whoever takes part in it and has not stopped following it, and whoever
 * follows it. In a task take part its creator, its assignees, the managers and the client of the project with its people; in a project all of its
 * people; in both whoever was mentioned in a comment or has written one. Not all of them may see everything: `insertNotifications`
 * passes over those who may not.
 */
export async function listFollowerIds(db: Db | Tx, subject: FollowedSubject): Promise<string[]> {
  const rows = await db.select({ userId: sql<string>`"userId"` }).from(sql`(${followersOf(subject)}) as followers`);
  return rows.map(({ userId }) => userId);
}

/** Whether a person is told of what happens to it. */
export async function isFollowing(
  db: Db,
  { userId, ...subject }: FollowedSubject & { userId: string },
): Promise<boolean> {
  const [row] = await db
    .select({ userId: sql<string>`"userId"` })
    .from(sql`(${followersOf(subject)}) as followers`)
    .where(sql`"userId" = ${userId}::uuid`);
  return row !== undefined;
}

function followersOf(subject: FollowedSubject): SQL {
  const chosen = (isFollowing: boolean) =>
    sql`select ${follows.userId} as "userId" from ${follows} where ${and(
      eq(follows.projectId, subject.projectId),
      ofTask(follows.taskId, subject),
      eq(follows.isFollowing, isFollowing),
    )}`;
  const taking = sql.join([...peopleOf(subject), ...talkingIn(subject)], sql` union `);
  return sql`((${taking}) except (${chosen(false)})) union (${chosen(true)})`;
}

function peopleOf({ projectId, taskId }: FollowedSubject): SQL[] {
  const ofProject = eq(projects.id, projectId);
  const members = sql`select ${projectMembers.userId} as "userId" from ${projectMembers} where ${eq(projectMembers.projectId, projectId)}`;
  const client = sql`select ${projects.clientId} as "userId" from ${projects} where ${and(ofProject, sql`${projects.clientId} is not null`)}`;
  if (taskId === null) {
    return [members, client, sql`select ${projects.createdBy} as "userId" from ${projects} where ${ofProject}`];
  }
  return [
    sql`${members} and ${inArray(projectMembers.role, ["manager", "client"])}`,
    client,
    sql`select ${tasks.createdBy} as "userId" from ${tasks} where ${eq(tasks.id, taskId)}`,
    sql`select ${taskAssignees.userId} as "userId" from ${taskAssignees} where ${eq(taskAssignees.taskId, taskId)}`,
  ];
}

function talkingIn(subject: FollowedSubject): SQL[] {
  const inDiscussion = sql`from ${comments} inner join ${discussions} on ${eq(discussions.id, comments.discussionId)}
    where ${and(eq(discussions.projectId, subject.projectId), ofTask(discussions.taskId, subject))}`;
  return [
    sql`select ${columnValue(comments.authorId)} as "userId" ${inDiscussion}`,
    sql`select unnest(${comments.mentions}) as "userId" ${inDiscussion}`,
  ];
}

function ofTask(column: typeof follows.taskId | typeof discussions.taskId, { taskId }: FollowedSubject): SQL {
  return taskId === null ? isNull(column) : eq(column, taskId);
}
