import { MEMBER_ROLES, TASK_STATUSES } from "@db/enums";
import { and, eq, exists, inArray, ne, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { quoted } from "../../db/expressions";
import { projectMembers, projects, requests, taskAssignees, tasks, users } from "../../db/schema";
import { countOwnedConversations } from "../chat/covers";
import type { Holdings } from "../contract/handovers";
import { MESSAGES } from "../contract/messages";
import { DomainError } from "../core/errors";

interface Holder {
  userId: string;
}

/** What somebody holds; NOT_FOUND for an unknown id. */
export async function getHoldings(db: Db, { userId }: Holder): Promise<Holdings> {
  const [[person], openTasks, managed, conversations, open] = await Promise.all([
    db.select({ id: users.id }).from(users).where(eq(users.id, userId)),
    db.$count(tasks, isOpenTaskOf(db, { userId })),
    db.$count(projects, isManagedBy(db, { userId })),
    countOwnedConversations(db, { userId }),
    db.$count(
      requests,
      and(
        inArray(requests.status, ["new", "asked"]),
        inArray(requests.projectId, db.select({ id: projects.id }).from(projects).where(isManagedBy(db, { userId }))),
      ),
    ),
  ]);
  if (!person) throw new DomainError("NOT_FOUND", MESSAGES.users.notFound);
  return { tasks: openTasks, managerOf: managed, conversations, requests: open };
}

/** The projects in which somebody manages or has open tasks, each with the ids of these. */
export async function listHeldWork(
  db: Db,
  { userId }: Holder,
): Promise<{ projectId: string; isManager: boolean; taskIds: string[] }[]> {
  const isManager = sql<boolean>`${isManagedBy(db, { userId })}`;
  const open = and(eq(tasks.projectId, projects.id), isOpenTaskOf(db, { userId }));
  const rows = await db
    .select({
      projectId: projects.id,
      isManager,
      taskIds: sql<string[]>`to_json(array(select ${tasks.id} from ${tasks} where ${open} order by ${tasks.number}))`,
    })
    .from(projects)
    .orderBy(projects.id)
    .where(sql`(${isManager} or exists (select 1 from ${tasks} where ${open}))`);
  return rows;
}

function isOpenTaskOf(db: Db, { userId }: Holder) {
  const isTheirs = and(eq(taskAssignees.taskId, tasks.id), eq(taskAssignees.userId, userId));
  return and(
    ne(tasks.status, quoted(TASK_STATUSES, "completed")),
    exists(db.select({ one: sql`1` }).from(taskAssignees).where(isTheirs)),
  );
}

function isManagedBy(db: Db, { userId }: Holder) {
  const isTheirs = and(
    eq(projectMembers.projectId, projects.id),
    eq(projectMembers.userId, userId),
    eq(projectMembers.role, quoted(MEMBER_ROLES, "manager")),
  );
  return exists(db.select({ one: sql`1` }).from(projectMembers).where(isTheirs));
}
