import type { MemberRole } from "@db/enums";
import { and, asc, eq, getTableColumns, isNull, like, or, sql } from "drizzle-orm";
import type { Tx } from "../../db/client";
import { isoInstant } from "../../db/expressions";
import {
  accounts,
  apiKeys,
  auditEvents,
  comments,
  discussions,
  files,
  inquiries,
  invitations,
  messages,
  projectEvents,
  projectMembers,
  projects,
  projectTemplates,
  requestReplies,
  requests,
  sessions,
  signOffs,
  statusUpdates,
  taskAssignees,
  tasks,
  twoFactors,
  users,
} from "../../db/schema";
import type { PersonExport } from "../contract/views";
import { findReading } from "./person-reading";

/** Everything that the tables hold about a person; null when there is no such person. */
export async function findPersonExport(tx: Tx, { userId }: { userId: string }): Promise<PersonExport | null> {
  const [profile] = await tx.select(profileColumns).from(users).where(eq(users.id, userId));
  if (!profile) return null;
  const { email } = profile;
  const [app] = await tx
    .select({ since: isoInstant(twoFactors.enabledAt) })
    .from(twoFactors)
    .where(eq(twoFactors.userId, userId));
  const ways = await tx.select({ provider: accounts.providerId }).from(accounts).where(eq(accounts.userId, userId));
  return {
    exportedAt: new Date().toISOString(),
    profile,
    signsInWith: ways.map(({ provider }) => provider),
    twoFactorSince: app?.since ?? null,
    sessions: await tx
      .select({
        id: sessions.id,
        userAgent: sessions.userAgent,
        ipAddress: sessions.ipAddress,
        createdAt: isoInstant(sessions.createdAt),
        expiresAt: isoInstant(sessions.expiresAt),
      })
      .from(sessions)
      .leftJoin(apiKeys, eq(apiKeys.sessionId, sessions.id))
      .where(and(eq(sessions.userId, userId), isNull(apiKeys.sessionId))),
    apiKeys: await tx
      .select({
        name: apiKeys.name,
        scope: sessions.scope,
        createdAt: isoInstant(apiKeys.createdAt),
        expiresAt: isoInstant(apiKeys.expiresAt),
        lastUsedAt: isoInstant(apiKeys.lastUsedAt),
      })
      .from(apiKeys)
      .innerJoin(sessions, eq(sessions.id, apiKeys.sessionId))
      .where(eq(sessions.userId, userId)),
    projects: await listProjectsOf(tx, userId),
    tasks: await listTasksOf(tx, userId),
    history: await tx
      .select({
        at: isoInstant(projectEvents.at),
        kind: projectEvents.kind,
        projectId: projectEvents.projectId,
        taskId: projectEvents.taskId,
        byThem: sql<boolean>`${projectEvents.actorId} = ${userId}`,
      })
      .from(projectEvents)
      .where(or(eq(projectEvents.actorId, userId), like(sql`${projectEvents.changes}::text`, `%"${userId}"%`)))
      .orderBy(asc(projectEvents.id)),
    messages: await tx
      .select({
        at: isoInstant(messages.createdAt),
        conversationId: messages.conversationId,
        seq: messages.seq,
        text: messages.text,
      })
      .from(messages)
      .where(eq(messages.senderId, userId))
      .orderBy(asc(messages.createdAt), asc(messages.id)),
    comments: await tx
      .select({
        at: isoInstant(comments.createdAt),
        projectId: discussions.projectId,
        taskId: discussions.taskId,
        text: comments.text,
      })
      .from(comments)
      .innerJoin(discussions, eq(discussions.id, comments.discussionId))
      .where(and(eq(comments.authorId, userId), isNull(comments.deletedAt)))
      .orderBy(asc(comments.createdAt), asc(comments.id)),
    statusUpdates: await tx
      .select({
        at: isoInstant(statusUpdates.sentAt),
        projectId: statusUpdates.projectId,
        health: statusUpdates.health,
        text: statusUpdates.text,
      })
      .from(statusUpdates)
      .where(eq(statusUpdates.authorId, userId))
      .orderBy(asc(statusUpdates.sentAt), asc(statusUpdates.id)),
    templates: await tx
      .select({ at: isoInstant(projectTemplates.createdAt), title: projectTemplates.title })
      .from(projectTemplates)
      .where(eq(projectTemplates.createdBy, userId))
      .orderBy(asc(projectTemplates.createdAt), asc(projectTemplates.id)),
    requests: await tx
      .select({
        at: isoInstant(requests.createdAt),
        id: requests.id,
        projectId: requests.projectId,
        title: requests.title,
        text: requests.text,
        urgency: requests.urgency,
        status: requests.status,
      })
      .from(requests)
      .where(eq(requests.createdBy, userId))
      .orderBy(asc(requests.createdAt), asc(requests.id)),
    requestReplies: await tx
      .select({
        at: isoInstant(requestReplies.createdAt),
        requestId: requestReplies.requestId,
        text: requestReplies.text,
      })
      .from(requestReplies)
      .where(eq(requestReplies.authorId, userId))
      .orderBy(asc(requestReplies.createdAt), asc(requestReplies.id)),
    signOffs: await tx
      .select({
        at: isoInstant(signOffs.askedAt),
        id: signOffs.id,
        projectId: signOffs.projectId,
        askedBy: signOffs.askedBy,
        signerId: signOffs.signerId,
        note: signOffs.note,
        status: signOffs.status,
        decidedBy: signOffs.decidedBy,
        decidedAt: isoInstant(signOffs.decidedAt),
        reason: signOffs.reason,
      })
      .from(signOffs)
      .where(or(eq(signOffs.askedBy, userId), eq(signOffs.signerId, userId), eq(signOffs.decidedBy, userId)))
      .orderBy(asc(signOffs.askedAt), asc(signOffs.id)),
    files: await tx
      .select({
        at: isoInstant(files.createdAt),
        name: files.name,
        size: files.size,
        type: files.type,
        projectId: files.projectId,
        taskId: files.taskId,
        requestId: files.requestId,
      })
      .from(files)
      .where(eq(files.uploadedBy, userId))
      .orderBy(asc(files.createdAt), asc(files.id)),
    ...(await findReading(tx, { userId })),
    inquiries: await tx
      .select({
        at: isoInstant(inquiries.createdAt),
        kind: inquiries.kind,
        name: inquiries.name,
        company: inquiries.company,
        phone: inquiries.phone,
        text: inquiries.message,
      })
      .from(inquiries)
      .where(eq(sql`lower(${inquiries.email})`, email))
      .orderBy(asc(inquiries.createdAt), asc(inquiries.id)),
    invitations: await tx
      .select({
        at: isoInstant(invitations.createdAt),
        expiresAt: isoInstant(invitations.expiresAt),
        name: invitations.name,
      })
      .from(invitations)
      .where(eq(invitations.email, email)),
    audit: await tx
      .select({
        at: isoInstant(auditEvents.at),
        kind: auditEvents.kind,
        byThem: sql<boolean>`${auditEvents.actorId} = ${userId}`,
      })
      .from(auditEvents)
      .where(or(eq(auditEvents.subjectId, userId), eq(auditEvents.actorId, userId)))
      .orderBy(asc(auditEvents.id)),
  };
}

const { erasedAt: _, ...userColumns } = getTableColumns(users);
const profileColumns = {
  ...userColumns,
  termsAcceptedAt: isoInstant(users.termsAcceptedAt),
  decidedAt: isoInstant(users.decidedAt),
  invitedAt: isoInstant(users.invitedAt),
  createdAt: isoInstant(users.createdAt),
  updatedAt: isoInstant(users.updatedAt),
};

function listProjectsOf(tx: Tx, userId: string) {
  const isMember = (role: MemberRole) => sql`exists (select 1 from ${projectMembers}
    where ${projectMembers.projectId} = ${projects.id} and ${projectMembers.userId} = ${userId} and ${projectMembers.role} = ${role})`;
  const roles = rolesOf([
    ["creator", sql`${projects.createdBy} = ${userId}`],
    ["client", sql`(${projects.clientId} = ${userId} or ${isMember("client")})`],
    ["assigned", isMember("assigned")],
    ["manager", isMember("manager")],
  ]);
  return tx
    .select({ id: projects.id, key: projects.key, title: projects.title, roles })
    .from(projects)
    .where(sql`json_array_length(${roles}) > 0`)
    .orderBy(asc(projects.key));
}

function listTasksOf(tx: Tx, userId: string) {
  const roles = rolesOf([
    ["creator", sql`${tasks.createdBy} = ${userId}`],
    [
      "assignee",
      sql`exists (select 1 from ${taskAssignees} where ${taskAssignees.taskId} = ${tasks.id} and ${taskAssignees.userId} = ${userId})`,
    ],
  ]);
  return tx
    .select({ id: tasks.id, projectId: tasks.projectId, number: tasks.number, title: tasks.title, roles })
    .from(tasks)
    .innerJoin(projects, eq(projects.id, tasks.projectId))
    .where(sql`json_array_length(${roles}) > 0`)
    .orderBy(asc(projects.key), asc(tasks.number));
}

/** The names of the conditions that hold, as an array of text. */
function rolesOf(conditions: [string, ReturnType<typeof sql>][]) {
  const cases = conditions.map(([name, condition]) => sql`case when ${condition} then ${name}::text end`);
  return sql<string[]>`to_json(array_remove(array[${sql.join(cases, sql`, `)}], null))`;
}
