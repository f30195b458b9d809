import { and, asc, eq, gt, or, sql } from "drizzle-orm";
import type { Tx } from "../../db/client";
import { isoInstant } from "../../db/expressions";
import {
  calendarFeeds,
  commentReads,
  conversations,
  discussions,
  follows,
  lastVisits,
  notificationPreferences,
  notifications,
  pushSubscriptions,
} from "../../db/schema";
import type { PersonExport } from "../contract/views";

type Reading = Pick<
  PersonExport,
  | "notifications"
  | "notificationPreferences"
  | "follows"
  | "pushSubscriptions"
  | "calendarSince"
  | "seenUpTo"
  | "conversationReads"
  | "commentReads"
>;

/** For the export of a person: what they were told of and by which ways, and what they have read. No key, and no hash of one. */
export async function findReading(tx: Tx, { userId }: { userId: string }): Promise<Reading> {
  const [feed] = await tx
    .select({ since: isoInstant(calendarFeeds.createdAt) })
    .from(calendarFeeds)
    .where(eq(calendarFeeds.userId, userId));
  const [visit] = await tx
    .select({ seenUpTo: isoInstant(lastVisits.seenUpTo) })
    .from(lastVisits)
    .where(eq(lastVisits.userId, userId));
  return {
    notifications: await tx
      .select({
        at: isoInstant(notifications.createdAt),
        kind: notifications.kind,
        projectId: notifications.projectId,
        taskId: notifications.taskId,
        commentId: notifications.commentId,
        conversationId: notifications.conversationId,
        inquiryId: notifications.inquiryId,
        requestId: notifications.requestId,
        signOffId: notifications.signOffId,
        personId: notifications.personId,
        details: notifications.details,
        inApp: notifications.inApp,
        readAt: isoInstant(notifications.readAt),
      })
      .from(notifications)
      .where(eq(notifications.userId, userId))
      .orderBy(asc(notifications.createdAt), asc(notifications.id)),
    notificationPreferences: await tx
      .select({
        kind: notificationPreferences.kind,
        inApp: notificationPreferences.inApp,
        mail: notificationPreferences.mail,
      })
      .from(notificationPreferences)
      .where(eq(notificationPreferences.userId, userId))
      .orderBy(asc(notificationPreferences.kind)),
    follows: await tx
      .select({ projectId: follows.projectId, taskId: follows.taskId, isFollowing: follows.isFollowing })
      .from(follows)
      .where(eq(follows.userId, userId))
      .orderBy(asc(follows.projectId), asc(follows.taskId)),
    pushSubscriptions: await tx
      .select({ since: isoInstant(pushSubscriptions.createdAt), endpoint: pushSubscriptions.endpoint })
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.userId, userId))
      .orderBy(asc(pushSubscriptions.createdAt), asc(pushSubscriptions.id)),
    calendarSince: feed?.since ?? null,
    seenUpTo: visit?.seenUpTo ?? null,
    conversationReads: await listConversationReads(tx, userId),
    commentReads: await tx
      .select({ projectId: discussions.projectId, taskId: discussions.taskId, upToSeq: commentReads.upToSeq })
      .from(commentReads)
      .innerJoin(discussions, eq(discussions.id, commentReads.discussionId))
      .where(eq(commentReads.userId, userId))
      .orderBy(asc(discussions.projectId), asc(discussions.taskId)),
  };
}

function listConversationReads(tx: Tx, userId: string) {
  const { lowerUserId, higherUserId, lowerReadSeq, higherReadSeq } = conversations;
  const upToSeq = sql<number>`case when ${lowerUserId} = ${userId} then ${lowerReadSeq} else ${higherReadSeq} end`;
  return tx
    .select({ conversationId: conversations.id, upToSeq: upToSeq.mapWith(lowerReadSeq) })
    .from(conversations)
    .where(and(or(eq(lowerUserId, userId), eq(higherUserId, userId)), gt(upToSeq, 0)))
    .orderBy(asc(conversations.createdAt), asc(conversations.id));
}
