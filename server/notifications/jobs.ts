import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { holds } from "../../db/expressions";
import { projectMembers, projects, taskAssignees, tasks, users } from "../../db/schema";
import { recurringJob } from "../jobs/recurring";
import { morningJob } from "../organisation/jobs";
import { isCompleted } from "../projects/task-columns";
import { queueDigests, queueDueMails } from "./mails";
import { insertNotifications } from "./mutations";
import { isActiveManager, isOfFirm } from "./policy";
import { sendDuePushes } from "./push";

const MAIL_EVERY_SECONDS = 30;
const PUSH_EVERY_SECONDS = 10;
/** What became overdue earlier is not said again when notifications are new to a database. */
const OVERDUE_DAYS = 7;

/**
 * What notifications do in the background, once for all processes: mails that were held long enough, and at 08:00 by the
 * organisation's clock what is due by tomorrow or overdue, and then the digests. `timeZone` holds until the organisation has chosen one.
 */
export function notificationKinds(
  db: Db,
  { timeZone, ...push }: { timeZone: string } & Omit<Parameters<typeof sendDuePushes>[0], "db" | "signal">,
) {
  return [
    recurringJob(db, {
      name: "notification-mail",
      everySeconds: MAIL_EVERY_SECONDS,
      work: () => queueDueMails(db, { mode: "at-once" }),
    }),
    recurringJob(db, {
      name: "notification-push",
      everySeconds: PUSH_EVERY_SECONDS,
      work: (signal) => sendDuePushes({ db, signal, ...push }),
    }),
    morningJob(db, {
      name: "notification-day",
      timeZone,
      async work({ timeZone, signal }) {
        await notifyOfDueDates(db, { timeZone });
        await queueDigests(db, { signal });
      },
    }),
  ];
}

interface DueThing {
  projectId: string;
  taskId: string | null;
  dueDate: string;
  isOverdue: boolean;
  recipients: string[];
}

/**
 * Notifies of what is due tomorrow, or today where the morning before had no server or did not know, and of what has become overdue,
 * once for each due day: of a task its assignees, of a project its active managers, else whoever of the firm is assigned and active,
 * else the admins. What is completed, on hold or cancelled is not.
 */
export async function notifyOfDueDates(db: Db, { timeZone }: { timeZone: string }): Promise<void> {
  for (const { dueDate, isOverdue, ...thing } of await listDueThings(db, timeZone)) {
    const kind = isOverdue ? "overdue" : "due-soon";
    const cause = `${kind}:${thing.taskId ?? thing.projectId}:${dueDate}`;
    await db.transaction((tx) => insertNotifications(tx, { ...thing, kind, cause, actorId: null, details: dueDate }));
  }
}

async function listDueThings(db: Db, timeZone: string): Promise<DueThing[]> {
  const today = sql`(now() at time zone ${timeZone}::text)::date`;
  const isOpen = inArray(projects.status, ["todo", "inProgress"]);
  const isToSay = (dueDate: typeof tasks.dueDate | typeof projects.dueDate) =>
    sql`${dueDate} between ${today} - ${OVERDUE_DAYS}::int and ${today} + 1`;
  const isOverdue = (dueDate: typeof tasks.dueDate | typeof projects.dueDate) => sql<boolean>`${dueDate} < ${today}`;
  const assignees = sql<string[]>`to_json(array(select ${taskAssignees.userId} from ${taskAssignees}
    where ${eq(taskAssignees.taskId, tasks.id)}))`;
  const dueTasks = await db
    .select({
      projectId: tasks.projectId,
      taskId: tasks.id,
      dueDate: sql<string>`${tasks.dueDate}::text`,
      isOverdue: isOverdue(tasks.dueDate),
      recipients: assignees,
    })
    .from(tasks)
    .innerJoin(projects, eq(projects.id, tasks.projectId))
    .where(and(isOpen, sql`not ${isCompleted}`, isToSay(tasks.dueDate)));
  const managers = sql`array(select ${users.id} from ${users} where ${isActiveManager()})`;
  const isActive = holds(users.accountStatus, "active");
  const isAssigned = and(eq(projectMembers.projectId, projects.id), holds(projectMembers.role, "assigned"));
  const assigned = sql`array(select ${users.id} from ${projectMembers}
    inner join ${users} on ${eq(users.id, projectMembers.userId)} where ${and(isAssigned, isActive, isOfFirm())})`;
  const admins = sql`array(select ${users.id} from ${users} where ${and(isActive, holds(users.accountType, "admin"))})`;
  const dueProjects = await db
    .select({
      projectId: projects.id,
      taskId: sql<null>`null::uuid`,
      dueDate: sql<string>`${projects.dueDate}::text`,
      isOverdue: isOverdue(projects.dueDate),
      recipients: sql<string[]>`to_json(case when cardinality(${managers}) > 0 then ${managers}
        when cardinality(${assigned}) > 0 then ${assigned} else ${admins} end)`,
    })
    .from(projects)
    .where(and(isOpen, isToSay(projects.dueDate)));
  return [...dueTasks, ...dueProjects];
}
