import { REQUEST_MESSAGES } from "@server/contract/messages/requests";
import type { Request } from "@server/contract/views";
import { useIsMutating, useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { trpc } from "@/lib/trpc";
import { messageOf, reasonOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";
import { describeDecision } from "./decision-text";
import { STATUS_META } from "./request-text";
import { ALL_REQUESTS, REQUEST_COUNTS, REQUEST_LISTS, showRequest } from "./use-requests";

/** Keeps its form until the server has it. */
export function useCreateRequest() {
  return trpc.requests.create.useMutation(useSaved(REQUEST_MESSAGES.createFailed));
}

/** What the firm does with a request. Each keeps its form until it is saved. */
export function useDecisions() {
  const saved = useSaved;
  return {
    accept: trpc.requests.accept.useMutation(useAccepted()),
    askBack: trpc.requests.askBack.useMutation(saved(REQUEST_MESSAGES.askFailed, announceStatus)),
    decline: trpc.requests.decline.useMutation(saved(REQUEST_MESSAGES.declineFailed, announceStatus)),
    markDuplicate: trpc.requests.markDuplicate.useMutation(saved(REQUEST_MESSAGES.duplicateFailed, announceStatus)),
  };
}

/** What the client says in a request's thread. */
export function useAnswer() {
  return trpc.requests.answer.useMutation(useSaved(REQUEST_MESSAGES.answerFailed));
}

/** Whether an answer or a decision is on its way: what it says may be shown before the form knows that it is saved. */
export function useIsSending(): boolean {
  return useIsMutating({ mutationKey: getQueryKey(trpc.requests) }) > 0;
}

/** The screen shows it by a chip above the request. */
function announceStatus({ status }: Pick<Request, "status">): void {
  announce(STATUS_META[status].firm);
}

function useSaved(failed: string, onSaved?: (request: Request) => void) {
  const queryClient = useQueryClient();
  return {
    onSuccess(request: Request) {
      showRequest(request, queryClient);
      for (const filters of [REQUEST_LISTS, REQUEST_COUNTS]) void queryClient.invalidateQueries(filters);
      onSaved?.(request);
    },
    onError: useFailed(failed),
  };
}

function useAccepted() {
  const queryClient = useQueryClient();
  return {
    onSuccess() {
      for (const filters of ALL_REQUESTS) void queryClient.invalidateQueries(filters);
      announceStatus({ status: "accepted" });
    },
    onError: useFailed(REQUEST_MESSAGES.acceptFailed),
  };
}

/** Says what went wrong. Somebody else has decided: who and what, and the page shows it. */
function useFailed(failed: string) {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  return async (error: unknown, asked: object) => {
    if (reasonOf(error) !== "already-decided" || !("requestId" in asked)) {
      toast.error(failed, { description: messageOf(error) });
      return;
    }
    const requestId = String(asked.requestId);
    const decided = await utils.requests.byId.fetch({ requestId }, { staleTime: 0 }).catch(() => null);
    toast.error(failed, { description: (decided && describeDecision(decided)) ?? messageOf(error) });
    for (const filters of ALL_REQUESTS) void queryClient.invalidateQueries(filters);
  };
}
