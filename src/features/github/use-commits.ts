import { GITHUB_MESSAGES } from "@server/contract/messages/github";
import type { CommitFeed } from "@server/contract/views";
import { keepPreviousData } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
import { patchQueries } from "@/lib/query-updates";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";
import { renameIn } from "./commit-text";

type CommitsOptions = {
  /** The client whose portal an admin views. */
  asClientId?: string | undefined;
  /** One project instead of all. */
  projectId?: string | undefined;
};

/**
 * Commits of the projects that the current user, or that client, may see. `useCommitChanges` keeps them up to date. When
 * an admin chooses another project, the present commits stay on screen until its own have arrived.
 */
export function useCommits({ asClientId, projectId }: CommitsOptions = {}) {
  const isAll = asClientId === undefined && projectId === undefined;
  return trpc.github.commits.useQuery(isAll ? undefined : { asClientId, projectId }, {
    ...(asClientId === undefined && { placeholderData: keepPreviousData }),
  });
}

const queries = [{ queryKey: getQueryKey(trpc.github.commits) }];
registerLiveSync("github", { queries });
// A commit is shown with its project and the tasks that it names.
registerLiveSync("projects", {
  queries,
  receive({ project, ...change }, { queryClient }) {
    const steps = change.steps ?? [change];
    if (!project || steps.some(({ taskId }) => taskId === null)) return queries;
    return queries.flatMap((filters) =>
      patchQueries<CommitFeed>(queryClient, filters, (feed) => renameIn(feed, { project, steps })),
    );
  },
});

/** Refetches the commits when new ones arrive, a link changes or a refresh finishes, while the calling page is open. */
export function useCommitChanges(): void {
  useLiveSync("github");
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
