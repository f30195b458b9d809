import { GITHUB_MESSAGES } from "@server/contract/messages/github";
import { useMemo } from "react";
import { coalesce } from "@/lib/coalesce";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";

/**
 * Commits of all projects that the current user, or (for admins) the given client, may see. `useCommitChanges` keeps them
 * up to date.
 */
export function useCommits({ asClientId }: { asClientId?: string | undefined } = {}) {
  return trpc.github.commits.useQuery(asClientId === undefined ? undefined : { asClientId });
}

/** Refetches the commits when new ones arrive, a link changes, a refresh finishes or the stream (re)connects. */
export function useCommitChanges(): void {
  const utils = trpc.useUtils();
  const catchUp = useMemo(() => coalesce(() => utils.github.commits.invalidate()), [utils]);
  trpc.github.onChange.useSubscription(undefined, { onStarted: () => void catchUp(), onData: () => void catchUp() });
}

/** Admins: requests a sync. Its result arrives through `useCommitChanges`; until then the feed is marked as refreshing. */
export function useRefreshActivity() {
  const utils = trpc.useUtils();
  return trpc.github.refresh.useMutation({
    async onSuccess() {
      announce("Refreshing activity");
      await utils.github.commits.invalidate();
    },
    onError: (error) => toast.error(GITHUB_MESSAGES.refreshFailed, { description: messageOf(error) }),
  });
}
