import {
  followSchema,
  listNotificationsSchema,
  markNotificationsReadSchema,
  notificationPreferencesSchema,
  subjectKeySchema,
  subscribePushSchema,
  unsubscribePushSchema,
} from "../contract/notifications";
import type { Subject } from "../contract/subjects";
import { resumeSchema } from "../contract/text";
import { activeProcedure, ownCredentialsProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { type ActiveCall, subjectNotFound, visibleProject } from "../projects/procedures";
import { openStream } from "../realtime/stream";
import { findVisibleTask } from "../tasks/queries";
import { setFollowing, setPreferences } from "./choices";
import { notificationSource } from "./events";
import { isFollowing } from "./followers";
import { findPushKey, subscribePush, unsubscribePush } from "./push";
import { countUnread, findPreferences, listNotifications } from "./queries";
import { markNotificationsRead } from "./settle";

export const notificationsRouter = router({
  /** One's own, newest first, by pages; without what one may not see any more. */
  list: activeProcedure
    .input(listNotificationsSchema)
    .query(({ ctx, input }) => listNotifications(ctx.db, { ...input, actor: ctx.actor })),

  /** How many of one's own are unread. */
  unread: activeProcedure.query(async ({ ctx }) => ({ unread: await countUnread(ctx.db, ctx.actor) })),

  /** Marks some as read, or all. A mail about them that is still held is not sent. */
  markRead: activeProcedure.input(markNotificationsReadSchema).mutation(async ({ ctx, input }) => {
    await markNotificationsRead(ctx.db, { which: input, by: ctx.actor });
    return { unread: await countUnread(ctx.db, ctx.actor) };
  }),

  /** Each new notification, and null whenever others were read or are gone; with how many are unread now. */
  onChange: activeProcedure
    .input(resumeSchema)
    .subscription(({ ctx, input, signal }) =>
      openStream({ ctx, signal, cursor: input?.lastEventId }, notificationSource(ctx)),
    ),

  /** What one wants of each kind: whether the inbox shows it, and when it is mailed. */
  preferences: activeProcedure.query(({ ctx }) => findPreferences(ctx.db, { userId: ctx.actor.id })),

  /** Changes that for some kinds; the others stay as they are. */
  setPreferences: activeProcedure.input(notificationPreferencesSchema).mutation(async ({ ctx, input }) => {
    await setPreferences(ctx.db, { preferences: input, userId: ctx.actor.id });
    return findPreferences(ctx.db, { userId: ctx.actor.id });
  }),

  /** Whether one is notified of what happens to a project or a task: by taking part in it, unless one has chosen otherwise. */
  following: activeProcedure.input(subjectKeySchema).query(async ({ ctx, input }) => {
    const subject = await visibleSubject(ctx, input.subject);
    return { following: await isFollowing(ctx.db, { ...subject, userId: ctx.actor.id }) };
  }),

  /** Follows it, or stops following it. */
  follow: activeProcedure.input(followSchema).mutation(async ({ ctx, input }) => {
    const subject = await visibleSubject(ctx, input.subject);
    const isThere = await setFollowing(ctx.db, { ...subject, isFollowing: input.following, userId: ctx.actor.id });
    if (!isThere) throw subjectNotFound(subject.taskId);
    return { following: input.following };
  }),

  /** What a browser needs to be pushed to, and whether the one that asks is. */
  pushKey: ownCredentialsProcedure.query(({ ctx }) => findPushKey(ctx, { sessionId: ctx.sessionId })),

  /** Pushes new notifications to the calling browser, until its session ends. */
  subscribePush: ownCredentialsProcedure.input(subscribePushSchema).mutation(async ({ ctx, input }) => {
    await subscribePush(ctx.db, { subscription: input, userId: ctx.actor.id, sessionId: ctx.sessionId });
    return { ok: true };
  }),

  /** Pushes no more to that browser. */
  unsubscribePush: ownCredentialsProcedure.input(unsubscribePushSchema).mutation(async ({ ctx, input }) => {
    await unsubscribePush(ctx.db, { endpoint: input.endpoint, userId: ctx.actor.id });
    return { ok: true };
  }),
});

/** Check 5: NOT_FOUND for what the caller may not see. */
async function visibleSubject(
  call: ActiveCall,
  subject: Subject,
): Promise<{ projectId: string; taskId: string | null }> {
  if ("projectId" in subject) return { projectId: (await visibleProject(call, subject.projectId)).id, taskId: null };
  const task = await findVisibleTask(call.db, { id: subject.taskId, actor: call.actor });
  if (!task) throw subjectNotFound(subject.taskId);
  return { projectId: task.projectId, taskId: task.id };
}
