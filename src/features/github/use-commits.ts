import { GITHUB_MESSAGES } from "@server/contract/messages/github";
import { useMemo } from "react";
import { coalesce } from "@/lib/coalesce";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";

/**
 * Commits of all projects that the reader may see, or (admins) that client, from the server's store. `useCommitChanges` keeps
 * them true.
 */
export function useCommits({ asClientId }: { asClientId?: string | undefined } = {}) {
  return trpc.github.commits.useQuery(asClientId === undefined ? undefined : { asClientId });
}

/** Reads the cached commits again whenever some have come, a link was changed or a refresh is through, and at each (re)connect. */
export function useCommitChanges(): void {
  const utils = trpc.useUtils();
  const catchUp = useMemo(() => coalesce(() => utils.github.commits.invalidate()), [utils]);
  trpc.github.onChange.useSubscription(undefined, { onStarted: () => void catchUp(), onData: () => void catchUp() });
}

/** Admins: asks GitHub again. The answer comes by `useCommitChanges`; until then the feed says that it is refreshing. */
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
