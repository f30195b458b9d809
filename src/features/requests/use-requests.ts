import { REQUEST_MESSAGES } from "@server/contract/messages/requests";
import type { Request } from "@server/contract/views";
import { useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
import type { LiveCache } from "@/lib/live-topic";
import { patchQueries } from "@/lib/query-updates";
import { trpc } from "@/lib/trpc";
import { messageOf, reasonOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

const LISTS = { queryKey: getQueryKey(trpc.requests.list) };
const ONES = { queryKey: getQueryKey(trpc.requests.byId) };
const COUNTS = { queryKey: getQueryKey(trpc.requests.counts) };
const ALL = [LISTS, ONES, COUNTS];

registerLiveSync("requests", {
  queries: ALL,
  receive({ request }, live) {
    if (!request) return ALL;
    show(request, live);
    // Which lists it belongs to now, and where, the server says.
    return [LISTS, COUNTS];
  },
});

// With a project its requests go, and who may write there changes; a deleted task leaves the request that it was made of.
registerLiveSync("projects", {
  queries: [],
  receive({ project, ...change }) {
    const kinds = (change.steps ?? [change]).map(({ kind }) => kind);
    const concerns = kinds.some(
      (kind) => !["task-created", "task-changed", "task-moved", "task-completed"].includes(kind),
    );
    return !project || concerns ? ALL : [];
  },
});

/** What is cached of a request already shows it as it is now. */
function show(request: Request, { utils, queryClient }: LiveCache): void {
  utils.requests.byId.setData({ requestId: request.id }, request);
  utils.requests.list.setData({}, (known) =>
    !known || known.some(({ id }) => id === request.id) ? known : [request, ...known],
  );
  patchQueries<Request[]>(queryClient, LISTS, (known) => known.map((one) => (one.id === request.id ? request : one)));
}

/** Follows requests while the calling page is open. */
export function useRequestChanges({ enabled = true }: { enabled?: boolean } = {}): void {
  useLiveSync("requests", { enabled });
}

/** How many wait; undefined until known. */
export function useRequestCounts({ enabled = true }: { enabled?: boolean } = {}) {
  return trpc.requests.counts.useQuery(undefined, { enabled }).data;
}

/** Newest first: all that one sees, or of one status or project. */
export function useRequests(filter: { status?: Request["status"] | undefined; projectId?: string | undefined } = {}) {
  return trpc.requests.list.useQuery(filter);
}

/** One request, immediately when a cached list holds it. */
export function useRequest(requestId: string) {
  const queryClient = useQueryClient();
  return trpc.requests.byId.useQuery(
    { requestId },
    {
      placeholderData: () =>
        queryClient
          .getQueriesData<Request[]>(LISTS)
          .flatMap(([, list]) => list ?? [])
          .find(({ id }) => id === requestId),
    },
  );
}

/** Keeps its form until the server has it. */
export function useCreateRequest() {
  return trpc.requests.create.useMutation(useSaved(REQUEST_MESSAGES.createFailed));
}

/** What the firm does with a request. Each keeps its form until it is saved. */
export function useDecisions() {
  const saved = useSaved;
  return {
    accept: trpc.requests.accept.useMutation(useAccepted()),
    askBack: trpc.requests.askBack.useMutation(saved(REQUEST_MESSAGES.askFailed)),
    decline: trpc.requests.decline.useMutation(saved(REQUEST_MESSAGES.declineFailed)),
    markDuplicate: trpc.requests.markDuplicate.useMutation(saved(REQUEST_MESSAGES.duplicateFailed)),
  };
}

/** What the client says in a request's thread. */
export function useAnswer() {
  return trpc.requests.answer.useMutation(useSaved(REQUEST_MESSAGES.answerFailed));
}

function useSaved(failed: string) {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  return {
    onSuccess(request: Request) {
      show(request, { utils, queryClient });
      for (const filters of [LISTS, COUNTS]) void queryClient.invalidateQueries(filters);
    },
    onError: useFailed(failed),
  };
}

function useAccepted() {
  const queryClient = useQueryClient();
  return {
    onSuccess() {
      for (const filters of ALL) void queryClient.invalidateQueries(filters);
    },
    onError: useFailed(REQUEST_MESSAGES.acceptFailed),
  };
}

/** Says what went wrong. Somebody else has decided: the page shows what. */
function useFailed(failed: string) {
  const queryClient = useQueryClient();
  return (error: unknown) => {
    toast.error(failed, { description: messageOf(error) });
    if (reasonOf(error) !== "already-decided") return;
    for (const filters of ALL) void queryClient.invalidateQueries(filters);
  };
}
