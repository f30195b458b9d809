import { HOLDING_PARTS, type HoldingPart } from "@server/contract/handovers";
import { USER_MESSAGES } from "@server/contract/messages/users";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

/** To whom each part of what somebody holds shall go, by id; the others stay with them. */
export type HandoverChoices = Partial<Record<HoldingPart, string>>;

/** What somebody holds: open tasks, managed projects with their requests, and conversations. For admins. */
export function useHoldings(userId: string, { enabled }: { enabled: boolean }) {
  // Each time the question is asked anew: nothing tells when it changes.
  return trpc.users.holdings.useQuery({ userId }, { enabled, staleTime: 0, gcTime: 0 });
}

/** Hands over what is chosen, one person after the other. Returns what was not, which is said: the choices to try again with. */
export function useHandOverAll(): (userId: string, choices: HandoverChoices) => Promise<HandoverChoices> {
  const utils = trpc.useUtils();
  return async (userId, choices) => {
    const rest: HandoverChoices = {};
    for (const part of HOLDING_PARTS) {
      const toUserId = choices[part];
      if (toUserId) rest[part] = toUserId;
    }
    const people = new Set(Object.values(rest));
    try {
      for (const toUserId of people) {
        const parts = HOLDING_PARTS.filter((part) => choices[part] === toUserId);
        await utils.client.users.handOverAll.mutate({ userId, toUserId, parts });
        for (const part of parts) delete rest[part];
      }
    } catch (error) {
      toast.error(USER_MESSAGES.handOverFailed, { description: messageOf(error) });
    }
    if (people.size > 0) {
      void utils.users.holdings.invalidate({ userId });
      void utils.tasks.invalidate();
      void utils.chat.ofInactiveAdmins.invalidate();
      void utils.chat.conversations.invalidate();
    }
    return rest;
  };
}
