import type { NotificationKind } from "@db/event-kinds";
import { and, eq, exists, inArray, isNotNull, isNull, not, notInArray, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { holds } from "../../db/expressions";
import { comments, notifications, projectMembers, projects, users } from "../../db/schema";
import { STATUS_REMINDER } from "../contract/messages/status-updates";
import { involvingPerson } from "../projects/policy";

/** What is for admins only. */
const ADMIN_KINDS: NotificationKind[] = ["sign-up-waiting", "inquiry"];
/** What is for those who can mend it or decide about it: the managers of the project, and admins. */
const MANAGER_KINDS: NotificationKind[] = ["repository-trouble", "request"];
/** Nor is a reminder to write a status update for others. */
const isReminder = and(eq(notifications.kind, "status-update"), eq(notifications.details, STATUS_REMINDER));

/**
 * Of a notification joined with `users`, its recipient, and with `projects`: whether that person may still see what it is about.
 * Asked wherever one is counted, shown, mailed or pushed.
 */
export function mayStillSee(): SQL | undefined {
  const isAdmin = holds(users.accountType, "admin");
  return and(
    holds(users.accountStatus, "active"),
    or(isNull(notifications.projectId), seesProject()),
    or(isNull(notifications.commentId), exists(visibleComment())),
    or(notInArray(notifications.kind, ADMIN_KINDS), isAdmin),
    or(and(notInArray(notifications.kind, MANAGER_KINDS), sql`(${isReminder}) is not true`), isAdmin, managesProject()),
  );
}

/** Of a row of `users` joined with one of `projects`: whether that person sees that project, as `visibleTo` says it of an actor. */
export function seesProject(): SQL | undefined {
  return or(holds(users.accountType, "admin"), involvingPerson(users));
}

/** A person's notifications that the inbox shows. */
export function inInboxOf(userId: string): SQL | undefined {
  return and(eq(notifications.userId, userId), eq(notifications.inApp, true), mayStillSee());
}

/** A deleted comment says nothing any more, and a client never learns of one of the team's. */
function visibleComment(): SQL {
  const about = alias(comments, "about");
  const isClients = or(isOfFirm(), isNotNull(about.clientSeq));
  return sql`(select 1 from ${comments} as ${sql.identifier("about")}
    where ${and(eq(about.id, notifications.commentId), isNull(about.deletedAt), isClients)})`;
}

/**
 * Of a row of `users` joined with one of `projects`: whether that person manages that project, as `mayManage` says it of an actor. A
 * client among the managers, by an import or since their account became a client's, only sees it.
 */
export function managesProject(): SQL | undefined {
  const { projectId, userId, role } = projectMembers;
  const isManager = and(eq(projectId, projects.id), eq(userId, users.id), holds(role, "manager"));
  return and(isOfFirm(), exists(sql`(select 1 from ${projectMembers} where ${isManager})`));
}

/** Of a row of `users`: whether that person is not a client. */
export function isOfFirm(): SQL {
  return not(holds(users.accountType, "client"));
}

/** Of a row of `users` joined with one of `projects`: whether that person answers for that project, and is there to do so. */
export function isActiveManager(): SQL | undefined {
  return and(holds(users.accountStatus, "active"), managesProject());
}

/** Of `users`: active people of these ids. */
export function isActiveAmong(ids: readonly string[]): SQL | undefined {
  return and(inArray(users.id, [...new Set(ids)]), holds(users.accountStatus, "active"));
}
