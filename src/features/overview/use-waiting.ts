import type { WaitingItem } from "@server/contract/views";
import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync } from "@/lib/live-sync";
import { trpc } from "@/lib/trpc";

/** Rows before "Show all". */
export const FIRST_WAITING = 4;

const WAITING = { queryKey: getQueryKey(trpc.overview.waiting) };

registerLiveSync("requests", { queries: [WAITING], receive: () => [WAITING] });

// Of conversations most events are about what was read: only another turn is news here.
registerLiveSync("inbox", {
  queries: [WAITING],
  receive({ conversation }, { utils }) {
    if (!conversation) return [WAITING];
    const shown = utils.overview.waiting.getData()?.find((item) => isOf(item, conversation.id));
    const { owes, since } = conversation.turn;
    return (owes === "firm" ? since : undefined) === shown?.since ? [] : [WAITING];
  },
});

/** What of clients waits for the firm, the oldest first. Kept up to date by the page's live topics. */
export function useWaiting() {
  return trpc.overview.waiting.useQuery();
}

function isOf({ subject }: WaitingItem, conversationId: string): boolean {
  return "conversationId" in subject && subject.conversationId === conversationId;
}
