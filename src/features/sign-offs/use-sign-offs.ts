import { SIGN_OFF_MESSAGES } from "@server/contract/messages/sign-offs";
import type { SignOff } from "@server/contract/views";
import { useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
import { trpc } from "@/lib/trpc";
import { messageOf, reasonOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

const LISTS = { queryKey: getQueryKey(trpc.signOffs.list) };
const ALL = [LISTS, { queryKey: getQueryKey(trpc.signOffs.byId) }];

// They are in no event of their own: their record is of the project's tasks, files and commits.
registerLiveSync("projects", {
  queries: ALL,
  receive: ({ kind, steps }) => ((steps ?? [{ kind }]).every((step) => step.kind === "task-moved") ? [] : ALL),
});
registerLiveSync("github", { queries: ALL });

/** Follows whatever a sign-off is about, while the calling page is open. */
export function useSignOffChanges(): void {
  useLiveSync("projects");
  useLiveSync("github");
}

/** One sign-off. Of a cached list it may be another than the one that is there now, and nobody signs what they have not seen. */
export function useSignOff(signOffId: string) {
  return trpc.signOffs.byId.useQuery({ signOffId });
}

/** Fetches a sign-off as it is now. */
export function useReloadSignOff(): (signOffId: string) => Promise<SignOff> {
  const utils = trpc.useUtils();
  return (signOffId) => utils.signOffs.byId.fetch({ signOffId }, { staleTime: 0 });
}

/** For the one who was asked. The caller shows what has changed when what was seen is not what would be signed. */
export function useApprove() {
  return trpc.signOffs.approve.useMutation(useSettled(SIGN_OFF_MESSAGES.approved, SIGN_OFF_MESSAGES.approveFailed));
}

/** For the one who was asked. */
export function useRequestChanges() {
  return trpc.signOffs.requestChanges.useMutation(
    useSettled(SIGN_OFF_MESSAGES.changesRequested, SIGN_OFF_MESSAGES.requestFailed),
  );
}

/** For managers and admins. */
export function useWithdraw() {
  return trpc.signOffs.withdraw.useMutation(useSettled(SIGN_OFF_MESSAGES.withdrawn, SIGN_OFF_MESSAGES.withdrawFailed));
}

/** Shows the decision, or says why there is none. */
function useSettled(done: string, failed: string) {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const readAgain = () => {
    for (const filters of ALL) void queryClient.invalidateQueries(filters);
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
