import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync } from "@/lib/live-sync";
import { trpc } from "@/lib/trpc";

/** Rows before "Show all". */
export const FIRST_WAITING = 4;

const queries = [{ queryKey: getQueryKey(trpc.overview.waiting) }];

registerLiveSync("requests", { queries });

// A sign-off is asked and answered as a change of its project; one task changes nothing of what waits.
registerLiveSync("projects", {
  queries,
  receive: ({ taskId }) => (taskId ? [] : queries),
});

// Of conversations most events are about what was read: only another turn is news here.
registerLiveSync("inbox", {
  queries,
  receive({ conversation }, { utils }) {
    if (!conversation) return queries;
    const shown = utils.overview.waiting
      .getData()
      ?.find(({ subject }) => "conversationId" in subject && subject.conversationId === conversation.id);
    const { owes, since } = conversation.turn;
    return (owes === "firm" ? since : undefined) === shown?.since ? [] : queries;
  },
});

/** What of clients waits for the firm, the oldest first. Kept up to date by the page's live topics. */
export function useWaiting({ enabled = true }: { enabled?: boolean } = {}) {
  return trpc.overview.waiting.useQuery(undefined, { enabled });
}
