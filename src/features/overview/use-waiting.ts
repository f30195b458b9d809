import type { Conversation } from "@server/contract/views";
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

// Of conversations most events are about what was read: only another turn or cover is news here.
registerLiveSync("inbox", {
  queries,
  receive({ conversation }, { utils }) {
    if (!conversation) return queries;
    const shown = utils.overview.waiting
      .getData()
      ?.find(({ subject }) => "conversationId" in subject && subject.conversationId === conversation.id);
    return waitingSince(conversation) === shown?.since ? [] : queries;
  },
});

/** Since when a conversation waits for its reader; undefined while it does not, or somebody else covers it. */
export function waitingSince({ turn, cover, coversFor }: Pick<Conversation, "turn" | "cover" | "coversFor">) {
  return turn.owes === "firm" && (!cover || coversFor) ? turn.since : undefined;
}

/** What of clients waits for the firm, the oldest first. Kept up to date by the page's live topics. */
export function useWaiting({ enabled = true }: { enabled?: boolean } = {}) {
  return trpc.overview.waiting.useQuery(undefined, { enabled });
}
