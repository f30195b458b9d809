import { NOTIFICATION_MESSAGES } from "@server/contract/messages/notifications";
import type { NotificationPreferences } from "@server/contract/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

/** What one wants of each kind; undefined until known. */
export function usePreferences() {
  return trpc.notifications.preferences.useQuery();
}

/**
 * Saves some of it; on screen at once. Changes are sent one after the other: the answer to the last one is what stands, and one that
 * fails takes back its own kinds alone.
 */
export function useSetPreferences() {
  const queryClient = useQueryClient();
  const { preferences } = trpc.useUtils().notifications;
  const scope = { id: "notification-preferences" };
  const isLast = () => queryClient.isMutating({ predicate: ({ options }) => options.scope?.id === scope.id }) <= 1;
  return trpc.notifications.setPreferences.useMutation({
    scope,
    async onMutate(changed) {
      await preferences.cancel();
      const known = preferences.getData();
      preferences.setData(undefined, (all): NotificationPreferences | undefined => all && { ...all, ...changed });
      return { known };
    },
    onSuccess(answer) {
      if (isLast()) preferences.setData(undefined, answer);
    },
    onError(error, changed, before) {
      preferences.setData(undefined, (all) => all && takeBack(all, changed, before?.known));
      if (isLast()) void preferences.invalidate();
      toast.error(NOTIFICATION_MESSAGES.preferencesFailed, { description: messageOf(error) });
    },
  });
}

/** The preferences without a change that was refused: its kinds are what they were before it, others as they stand. */
export function takeBack<Preferences extends object>(
  all: Preferences,
  changed: Partial<Preferences>,
  before: Preferences | undefined,
): Preferences {
  const kept = Object.entries(before ?? {}).filter(([kind]) => kind in changed);
  return { ...all, ...Object.fromEntries(kept) };
}
