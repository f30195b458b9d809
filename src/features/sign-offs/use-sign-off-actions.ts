import { SIGN_OFF_MESSAGES } from "@server/contract/messages/sign-offs";
import type { SignOff } from "@server/contract/views";
import { useIsMutating, useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { trpc } from "@/lib/trpc";
import { messageOf, reasonOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";
import { SIGN_OFF_QUERIES } from "./use-sign-offs";

/** Fetches a sign-off as it is now. */
export function useReloadSignOff(): (signOffId: string) => Promise<SignOff> {
  const utils = trpc.useUtils();
  return (signOffId) => utils.signOffs.byId.fetch({ signOffId }, { staleTime: 0 });
}

/** For managers and admins. The form shows errors. */
export function useAskSignOff() {
  const queryClient = useQueryClient();
  return trpc.signOffs.ask.useMutation({
    onSuccess() {
      for (const filters of SIGN_OFF_QUERIES) void queryClient.invalidateQueries(filters);
      toast.success(SIGN_OFF_MESSAGES.asked);
    },
  });
}

/** For the one who was asked. The caller shows what has changed when what was seen is not what would be signed. */
export function useApprove() {
  return trpc.signOffs.approve.useMutation(
    useDecisionOutcome(SIGN_OFF_MESSAGES.approved, SIGN_OFF_MESSAGES.approveFailed),
  );
}

/** For the one who was asked. */
export function useRequestChanges() {
  return trpc.signOffs.requestChanges.useMutation(
    useDecisionOutcome(SIGN_OFF_MESSAGES.changesRequested, SIGN_OFF_MESSAGES.requestFailed),
  );
}

/** For managers and admins. */
export function useWithdraw() {
  return trpc.signOffs.withdraw.useMutation(
    useDecisionOutcome(SIGN_OFF_MESSAGES.withdrawn, SIGN_OFF_MESSAGES.withdrawFailed),
  );
}

/** Whether a decision is on its way: what it says may be shown before the form knows that it is saved. */
export function useIsSending(): boolean {
  return useIsMutating({ mutationKey: getQueryKey(trpc.signOffs) }) > 0;
}

/** Shows the decision, or says why there is none. */
function useDecisionOutcome(done: string, failed: string) {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const readAgain = () => {
    for (const filters of SIGN_OFF_QUERIES) void queryClient.invalidateQueries(filters);
  };
  return {
    onSuccess(decided: SignOff) {
      utils.signOffs.byId.setData({ signOffId: decided.id }, decided);
      readAgain();
      toast.success(done);
    },
    onError(error: unknown) {
      if (reasonOf(error) === "stale-version") return;
      toast.error(failed, { description: messageOf(error) });
      readAgain();
    },
  };
}
