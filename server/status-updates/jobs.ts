import { and, eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { holds } from "../../db/expressions";
import { notifications, projectMembers, projects, statusUpdates } from "../../db/schema";
import { STATUS_REMINDER } from "../contract/messages/status-updates";
import { notifyOfMissingStatus } from "../notifications/mutations";
import { morningJob } from "../organisation/jobs";
import { findOrganisation } from "../organisation/queries";

const DAYS = 7;

/** Reminds the managers of projects at 08:00 by the organisation's clock, once for all processes. */
export function statusReminderKind(db: Db, { timeZone }: { timeZone: string }) {
  return morningJob(db, { name: "status-reminder", timeZone, work: (run) => remindOfStatusUpdates(db, run) });
}

/**
 * On a business day: reminds the managers of each running project for a client, where that is wanted, when no status update was
 * sent and nobody was reminded within seven days. However often it runs, and wherever: once.
 */
export async function remindOfStatusUpdates(db: Db, { timeZone }: { timeZone: string }): Promise<void> {
  const { timeZone: zone, businessHours, holidays } = await findOrganisation(db, { timeZone });
  const now = sql`(now() at time zone ${zone}::text)`;
  const [today] = await db
    .select({
      day: sql<string>`${now}::date::text`,
      weekday: sql<number>`extract(isodow from ${now})::int`,
      week: sql<string>`to_char(${now}, 'IYYY-IW')`,
    })
    .from(sql`(select) as "one row"`);
  if (!today || !businessHours.days.includes(today.weekday) || holidays.includes(today.day)) return;
  for (const projectId of await listSilentProjects(db, zone)) {
    await db.transaction((tx) => notifyOfMissingStatus(tx, { projectId, week: today.week }));
  }
}

async function listSilentProjects(db: Db, zone: string): Promise<string[]> {
  const dayOf = (instant: typeof statusUpdates.sentAt | typeof notifications.createdAt | typeof projects.createdAt) =>
    sql`(${instant} at time zone ${zone}::text)::date`;
  const isRecent = (instant: Parameters<typeof dayOf>[0]) =>
    sql`${dayOf(instant)} > (now() at time zone ${zone}::text)::date - ${DAYS}::int`;
  const ofProject = {
    update: eq(statusUpdates.projectId, projects.id),
    reminder: eq(notifications.projectId, projects.id),
  };
  const isReminder = and(
    ofProject.reminder,
    eq(notifications.kind, "status-update"),
    eq(notifications.details, STATUS_REMINDER),
  );
  const furtherClient = and(eq(projectMembers.projectId, projects.id), holds(projectMembers.role, "client"));
  const rows = await db
    .select({ id: projects.id })
    .from(projects)
    .where(
      and(
        eq(projects.statusReminder, true),
        inArray(projects.status, ["todo", "inProgress"]),
        or(isNotNull(projects.clientId), sql`exists (select from ${projectMembers} where ${furtherClient})`),
        sql`not (${isRecent(projects.createdAt)})`,
        sql`not exists (select from ${statusUpdates} where ${and(ofProject.update, isRecent(statusUpdates.sentAt))})`,
        sql`not exists (select from ${notifications} where ${and(isReminder, isRecent(notifications.createdAt))})`,
      ),
    )
    .orderBy(projects.id);
  return rows.map(({ id }) => id);
}
