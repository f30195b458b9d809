import type { PROJECT_HEALTHS, RequestStatus } from "@db/client-enums";
import type { ProjectStatus, RepositoryProblemKind, Visibility } from "@db/enums";
import type { NotificationKind } from "@db/event-kinds";
import { and, eq, ne, or, sql } from "drizzle-orm";
import type { Tx } from "../../db/client";
import { excludedOf, holds, instantAfter } from "../../db/expressions";
import {
  notificationPreferences,
  notifications,
  projects,
  pushSubscriptions,
  repositories,
  users,
} from "../../db/schema";
import { columnsOf, rowsOf } from "../../db/writes";
import { STATUS_REMINDER } from "../contract/messages/status-updates";
import { defaultPreference } from "../contract/notifications";
import { notifyInbox } from "../realtime/notify";
import { queueDeliveries } from "../webhooks/mutations";
import { webhooksWanting } from "../webhooks/queries";
import { listFollowerIds } from "./followers";
import { isActiveAmong, isOfFirm, managesProject, seesProject } from "./policy";
import { listResponsible } from "./queries";
import { inquiryCause, repositoryCause, settleReminders, signUpCause } from "./settle";

/** A mail waits so long, and is dropped when the notification was read meanwhile. */
const MAIL_HOLD_SECONDS = 300;

/** Something that happened, and who is to be told. */
export interface NewNotification {
  kind: NotificationKind;
  /** What caused it, such as `comment:<id>`: nobody is notified of one cause twice, whatever the kind. */
  cause: string;
  /** Who caused it, and is never told; null for the server itself. */
  actorId: string | null;
  /** Ids; those of people who are not active, or who may not see the project, are passed over. */
  recipients: readonly string[];
  projectId?: string | null;
  taskId?: string | null;
  commentId?: string | null;
  inquiryId?: string | null;
  signOffId?: string | null;
  requestId?: string | null;
  /** Whom it is about. */
  personId?: string | null;
  /** What the present rows do not say. */
  details?: string | null;
  /** `team`: clients are passed over. */
  visibility?: Visibility;
  /** Of webhooks, which are sent an event with its people: the cause where it is another one than a person's. */
  deliveryCause?: string;
}

/**
 * Notifies people in the transaction of what happened, each by their own preferences: inbox, mail, browser. Call it last: from its
 * statement on the transaction holds up others that notify.
 */
export async function insertNotifications(tx: Tx, notification: NewNotification): Promise<void> {
  const { kind, cause, actorId, projectId = null, taskId = null, commentId = null, inquiryId = null } = notification;
  const { requestId = null, signOffId = null, personId = null, details = null } = notification;
  const { wanted, webhookIds } = await findWanted(tx, notification);
  // A reminder is no event.
  if (details !== STATUS_REMINDER)
    await queueDeliveries(tx, { ...notification, cause: notification.deliveryCause ?? cause, webhookIds });
  if (wanted.length === 0) return;
  const subject = { projectId, taskId, commentId, inquiryId, requestId, signOffId, personId };
  const about = { kind, cause, actorId, details, ...subject };
  const insert = tx.insert(notifications).values(
    rowsOf(
      notifications,
      wanted.map(({ userId, inApp, mail, takesPushes }) => ({
        ...about,
        userId,
        inApp,
        mailDueAt: mail === "off" ? null : instantAfter(sql`now()`, MAIL_HOLD_SECONDS),
        pushDueAt: inApp && takesPushes ? sql`now()` : null,
      })),
    ),
  );
  const { target } = ofMention;
  const isMention = kind === "mentioned";
  const inserted = await (isMention
    ? insert.onConflictDoUpdate(ofMention)
    : insert.onConflictDoNothing({ target })
  ).returning({ userId: notifications.userId, inApp: notifications.inApp });
  await notifyInbox(tx, { userIds: inserted.filter(({ inApp }) => inApp).map(({ userId }) => userId) });
}

const excluded = excludedOf(notifications);

/** Whom an edit mentions is notified of that in place of the notification that there is a comment. */
const ofMention = {
  target: [notifications.userId, notifications.cause],
  set: columnsOf(notifications, {
    kind: sql`${excluded.kind}`,
    inApp: sql`${notifications.inApp} or ${excluded.inApp}`,
    mailDueAt: sql`${excluded.mailDueAt}`,
    pushDueAt: sql`${excluded.pushDueAt}`,
    createdAt: sql`${excluded.createdAt}`,
    readAt: null,
  }),
  setWhere: holds(notifications.kind, "comment"),
};

/** The same for all active admins. */
async function notifyAdmins(tx: Tx, notification: Omit<NewNotification, "recipients">): Promise<void> {
  const admins = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(holds(users.accountType, "admin"), holds(users.accountStatus, "active")));
  await insertNotifications(tx, { ...notification, recipients: admins.map(({ id }) => id) });
}

/** Notifies admins that somebody waits for their approval, until one of them decides. */
export async function notifyOfSignUp(tx: Tx, { userId }: { userId: string }): Promise<void> {
  await notifyAdmins(tx, { kind: "sign-up-waiting", cause: signUpCause(userId), actorId: null, personId: userId });
}

/** Notifies admins of a new inquiry, until one of them has answered or closed it. */
export async function notifyOfInquiry(tx: Tx, { inquiryId }: { inquiryId: string }): Promise<void> {
  await notifyAdmins(tx, { kind: "inquiry", cause: inquiryCause(inquiryId), actorId: null, inquiryId });
}

/** What has become of a request. */
interface RequestStep {
  requestId: string;
  projectId: string;
  actorId: string;
  /** What its sentence says. */
  step: RequestStatus | "answered" | "added";
  cause: string;
}

/** Notifies admins and the managers of its project of a new request, or of the client's answer, until one of them has decided or asked back. */
export async function notifyOfRequest(tx: Tx, { step: details, ...request }: RequestStep): Promise<void> {
  const recipients = await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(projects, eq(projects.id, request.projectId))
    .where(or(holds(users.accountType, "admin"), managesProject()));
  await insertNotifications(tx, { ...request, kind: "request", details, recipients: recipients.map(({ id }) => id) });
}

/** Notifies the client's people, and whoever else filed it, of what the firm has decided or asks. */
export async function notifyOfDecision(
  tx: Tx,
  { step: details, authorId, ...request }: RequestStep & { authorId: string },
): Promise<void> {
  const recipients = await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(projects, eq(projects.id, request.projectId))
    .where(or(eq(users.id, authorId), and(holds(users.accountType, "client"), seesProject())));
  const ids = recipients.map(({ id }) => id);
  await insertNotifications(tx, { ...request, kind: "request-decided", details, recipients: ids });
}

/** Those of the recipients who may know, with what they want of the kind, and the webhooks that want it: one statement for both. */
async function findWanted(tx: Tx, { kind, actorId, recipients, projectId, visibility }: NewNotification) {
  const { inApp, mail } = notificationPreferences;
  const webhooks = webhooksWanting(tx, kind);
  const found = await tx
    .select({
      webhookIds: webhooks.ids,
      userId: users.id,
      inApp,
      mail,
      takesPushes: sql<boolean>`exists (select from ${pushSubscriptions} where ${eq(pushSubscriptions.userId, users.id)})`,
    })
    .from(webhooks)
    .leftJoin(projects, projectId ? eq(projects.id, projectId) : sql`false`)
    .leftJoin(
      users,
      and(
        isActiveAmong(recipients),
        actorId === null ? undefined : ne(users.id, actorId),
        projectId ? seesProject() : undefined,
        visibility === "team" ? isOfFirm() : undefined,
      ),
    )
    .leftJoin(
      notificationPreferences,
      and(eq(notificationPreferences.userId, users.id), eq(notificationPreferences.kind, kind)),
    );
  const usual = defaultPreference(kind);
  const wanted = found.flatMap(({ userId, takesPushes, inApp, mail }) =>
    userId === null ? [] : { userId, takesPushes, inApp: inApp ?? usual.inApp, mail: mail ?? usual.mail },
  );
  return {
    wanted: wanted.filter(({ inApp, mail }) => inApp || mail !== "off"),
    webhookIds: found[0]?.webhookIds ?? [],
  };
}

/** A comment that was written, or edited. */
export interface NotedComment {
  commentId: string;
  projectId: string;
  taskId: string | null;
  authorId: string;
  /** Whom it mentions. Whoever was notified of that before is not notified again. */
  mentions: readonly string[];
  visibility: Visibility;
}

/**
 * Notifies whom a new comment mentions, and then all others who follow what it is about. Called by `comments.create` in its
 * transaction, last.
 */
export async function notifyOfComment(tx: Tx, comment: NotedComment): Promise<void> {
  await notifyMentioned(tx, comment);
  const recipients = await listFollowerIds(tx, comment);
  await insertNotifications(tx, { ...subjectOf(comment), kind: "comment", recipients });
}

/**
 * Notifies whom a comment mentions, or whom an edit of it has added. Called by `comments.update` in its transaction, last, with the
 * number of that change.
 */
export async function notifyMentioned(tx: Tx, comment: NotedComment & { change?: number }): Promise<void> {
  const { commentId, mentions: recipients, change } = comment;
  const edited = change === undefined ? {} : { deliveryCause: `comment:${commentId}:${change}` };
  await insertNotifications(tx, { ...subjectOf(comment), kind: "mentioned", recipients, ...edited });
}

function subjectOf({ commentId, projectId, taskId, authorId, visibility }: NotedComment) {
  return { cause: `comment:${commentId}`, actorId: authorId, projectId, taskId, commentId, visibility };
}

/** Notifies all who follow a project that it has another status. `version` is the one that gave it. */
export async function notifyOfStatus(
  tx: Tx,
  {
    projectId,
    version,
    status,
    actorId,
  }: { projectId: string; version: number; status: ProjectStatus; actorId: string },
): Promise<void> {
  const recipients = await listFollowerIds(tx, { projectId, taskId: null });
  const cause = `status:${projectId}:${version}`;
  await insertNotifications(tx, { kind: "project-status", cause, projectId, actorId, recipients, details: status });
}

/** Notifies the clients of a project of a new status update. Its managers need not be reminded of one any more. */
export async function notifyOfStatusUpdate(
  tx: Tx,
  update: { projectId: string; statusUpdateId: string; health: (typeof PROJECT_HEALTHS)[number]; actorId: string },
): Promise<void> {
  const { projectId, statusUpdateId, health, actorId } = update;
  await settleReminders(tx, { projectId });
  const clients = await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(projects, eq(projects.id, projectId))
    .where(and(holds(users.accountType, "client"), seesProject()));
  const recipients = clients.map(({ id }) => id);
  const cause = `${STATUS_UPDATE_CAUSE}${statusUpdateId}`;
  await insertNotifications(tx, { kind: "status-update", cause, projectId, actorId, recipients, details: health });
}

/** What the cause of such a notification begins with; the id of the status update follows. */
export const STATUS_UPDATE_CAUSE = "status-update:";

/** Reminds the managers of a project, or admins where it has none, to write a status update: once in a week. */
export async function notifyOfMissingStatus(
  tx: Tx,
  { projectId, week }: { projectId: string; week: string },
): Promise<void> {
  const cause = `status-reminder:${projectId}:${week}`;
  const recipients = await listResponsible(tx, { projectId });
  const reminder = { kind: "status-update", cause, projectId, actorId: null, details: STATUS_REMINDER } as const;
  await insertNotifications(tx, { ...reminder, recipients });
}

/** Failed runs in a row after which a problem that may pass is one. */
const MIN_FAILURES: Record<RepositoryProblemKind, number> = { "not-found": 1, auth: 1, "rate-limit": 8, other: 4 };

/**
 * Notifies the managers of the projects that link to a repository, or admins where a project has none, that it can't be read: once
 * until it has been read again.
 */
export async function notifyOfRepository(
  tx: Tx,
  { repositoryId, problem, failures }: { repositoryId: string; problem: RepositoryProblemKind; failures: number },
): Promise<void> {
  if (failures < MIN_FAILURES[problem]) return;
  const linked = await tx
    .select({
      projectId: projects.id,
      name: repositories.fullName,
      since: sql<string>`coalesce(${repositories.lastSuccessAt}::text, '')`,
    })
    .from(projects)
    .innerJoin(repositories, eq(repositories.id, projects.repositoryId))
    .where(eq(repositories.id, repositoryId));
  for (const { projectId, name, since } of linked) {
    const cause = `${repositoryCause(repositoryId)}${projectId}:${since}`;
    const recipients = await listResponsible(tx, { projectId });
    const trouble = { kind: "repository-trouble", cause, projectId, actorId: null, details: name } as const;
    await insertNotifications(tx, { ...trouble, recipients });
  }
}
