import { GITHUB_MESSAGES } from "@server/contract/messages/github";
import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
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

const queries = [{ queryKey: getQueryKey(trpc.github.commits) }];
registerLiveSync("github", { queries });
// A commit is shown with its project and the tasks that it names.
registerLiveSync("projects", { queries, receive: ({ kind }) => (kind === "task-moved" ? [] : queries) });

/** Refetches the commits when new ones arrive, a link changes or a refresh finishes, while the calling page is open. */
export function useCommitChanges(): void {
  trpc.github.onChange.useSubscription(...useLiveSync("github"));
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
