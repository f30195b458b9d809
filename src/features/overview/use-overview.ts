import { OVERVIEW_MESSAGES } from "@server/contract/messages/overview";
import type { SinceLastVisit } from "@server/contract/views";
import { skipToken } from "@tanstack/react-query";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";
import type { ChangesAsked } from "./since-search";

/** What one of the counts of `useSinceLastVisit` counts. */
export function useChanges(asked: ChangesAsked | undefined) {
  return trpc.overview.changes.useQuery(asked ?? skipToken);
}

/** Optimistic: the sentence is gone at once, and back when it could not be saved. */
export function useMarkSeen() {
  const utils = trpc.useUtils();
  const { sinceLastVisit } = utils.overview;
  return trpc.overview.markSeen.useMutation({
    async onMutate({ upTo }) {
      await sinceLastVisit.cancel();
      const before = sinceLastVisit.getData();
      if (before) sinceLastVisit.setData(undefined, nothingSince(before, new Date(upTo).toISOString()));
      return before;
    },
    onError(error, _input, before) {
      sinceLastVisit.setData(undefined, before);
      toast.error(OVERVIEW_MESSAGES.seenFailed, { description: messageOf(error) });
    },
    onSettled: () => sinceLastVisit.invalidate(),
  });
}

function nothingSince({ commits }: SinceLastVisit, since: string): SinceLastVisit {
  const none = { count: 0, ids: [] };
  return { since, upTo: since, tasksDone: none, datesMoved: none, messages: none, commits: commits && none };
}
