import { REQUEST_MESSAGES } from "@server/contract/messages/requests";
import type { Request } from "@server/contract/views";
import { type Query, useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
import type { LiveCache } from "@/lib/live-topic";
import { patchQueries } from "@/lib/query-updates";
import { trpc } from "@/lib/trpc";
import { messageOf, reasonOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";
import { describeDecision } from "./decision-text";

const LISTS = { queryKey: getQueryKey(trpc.requests.list) };
const ONES = { queryKey: getQueryKey(trpc.requests.byId) };
const COUNTS = { queryKey: getQueryKey(trpc.requests.counts) };
const ALL = [LISTS, ONES, COUNTS];

/** What an admin reads as a client: it differs from what events say to them. */
const AS_CLIENT = { queryKey: ONES.queryKey, predicate: (query: Query) => JSON.stringify(query.queryKey).includes(AS) };
const AS = "asClientId";

registerLiveSync("requests", {
  queries: ALL,
  receive({ request }, live) {
    if (!request) return ALL;
    show(request, live);
    // Which lists it belongs to now, and where, the server says.
    return [LISTS, COUNTS, AS_CLIENT];
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

interface RequestFilter {
  status?: Request["status"] | undefined;
  projectId?: string | undefined;
  /** That one became. */
  taskId?: string | undefined;
  asClientId?: string | undefined;
}

/** Newest first: all that one sees, or of one status, project or task; for admins optionally as that client sees them. */
export function useRequests(filter: RequestFilter = {}) {
  return trpc.requests.list.useQuery(filter);
}

/** One request, immediately when a cached list holds it; for admins optionally as that client sees it. */
export function useRequest(requestId: string, { asClientId }: { asClientId?: string | undefined } = {}) {
  const queryClient = useQueryClient();
  return trpc.requests.byId.useQuery(asClientId === undefined ? { requestId } : { requestId, asClientId }, {
    placeholderData: () =>
      queryClient
        .getQueriesData<Request[]>(LISTS)
        .flatMap(([, list]) => list ?? [])
        .find(({ id }) => id === requestId),
  });
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
    for (const filters of ALL) void queryClient.invalidateQueries(filters);
  };
}
