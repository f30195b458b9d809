import { NOTIFICATION_MESSAGES } from "@server/contract/messages/notifications";
import type { Subject } from "@server/contract/subjects";
import type { Notification, NotificationPage } from "@server/contract/views";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

/** Marks some as read, or all; on screen at once. */
export function useMarkRead() {
  const { list, unread } = trpc.useUtils().notifications;
  return trpc.notifications.markRead.useMutation({
    async onMutate(which) {
      await list.cancel();
      const known = list.getInfiniteData({});
      list.setInfiniteData({}, (pages) => pages && markedRead(pages, "ids" in which ? new Set(which.ids) : null));
      return { known };
    },
    onSuccess: (answer) => unread.setData(undefined, answer),
    onError(error, _which, before) {
      list.setInfiniteData({}, before?.known);
      toast.error(NOTIFICATION_MESSAGES.markFailed, { description: messageOf(error) });
    },
    // Of two at once the older answer may come last, with its older count.
    onSettled: () => Promise.all([list.invalidate(), unread.invalidate()]),
  });
}

function markedRead<Pages extends { pages: NotificationPage[] }>(known: Pages, ids: ReadonlySet<string> | null): Pages {
  const readAt = new Date().toISOString();
  const mark = (one: Notification) =>
    one.readAt === null && (ids === null || ids.has(one.id)) ? { ...one, readAt } : one;
  return { ...known, pages: known.pages.map((page) => ({ ...page, items: page.items.map(mark) })) };
}

/** Whether one is notified of what happens to a project or a task; undefined until known. */
export function useFollowing(subject: Subject): boolean | undefined {
  return trpc.notifications.following.useQuery({ subject }).data?.following;
}

/** Follows, or stops following; on screen at once. One after the other: the last choice stands. */
export function useFollow(subject: Subject) {
  const { following } = trpc.useUtils().notifications;
  return trpc.notifications.follow.useMutation({
    scope: { id: "follow" },
    async onMutate(chosen) {
      // An answer that is on its way tells how it was before.
      await following.cancel({ subject });
      const known = following.getData({ subject });
      following.setData({ subject }, { following: chosen.following });
      return { known };
    },
    onSuccess: (answer) => following.setData({ subject }, answer),
    onError(error, _chosen, before) {
      if (before?.known) following.setData({ subject }, before.known);
      else void following.reset({ subject });
      toast.error(NOTIFICATION_MESSAGES.followFailed, { description: messageOf(error) });
    },
  });
}
