import type { Request } from "@server/contract/views";
import { type Query, useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
import type { LiveCache } from "@/lib/live-topic";
import { patchQueries } from "@/lib/query-updates";
import { trpc } from "@/lib/trpc";

export const REQUEST_LISTS = { queryKey: getQueryKey(trpc.requests.list) };
const ONES = { queryKey: getQueryKey(trpc.requests.byId) };
export const REQUEST_COUNTS = { queryKey: getQueryKey(trpc.requests.counts) };
export const ALL_REQUESTS = [REQUEST_LISTS, ONES, REQUEST_COUNTS];

/** What an admin reads as a client: it differs from what events say to them. */
const AS_CLIENT = { queryKey: ONES.queryKey, predicate: (query: Query) => JSON.stringify(query.queryKey).includes(AS) };
const AS = "asClientId";

registerLiveSync("requests", {
  queries: ALL_REQUESTS,
  receive({ request }, live) {
    if (!request) return ALL_REQUESTS;
    showRequest(request, live);
    // Which lists it belongs to now, and where, the server says.
    return [REQUEST_LISTS, REQUEST_COUNTS, AS_CLIENT];
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
    return !project || concerns ? ALL_REQUESTS : [];
  },
});

/** What is cached of a request already shows it as it is now. */
export function showRequest(request: Request, { utils, queryClient }: LiveCache): void {
  utils.requests.byId.setData({ requestId: request.id }, request);
  utils.requests.list.setData({}, (known) =>
    !known || known.some(({ id }) => id === request.id) ? known : [request, ...known],
  );
  patchQueries<Request[]>(queryClient, REQUEST_LISTS, (known) =>
    known.map((one) => (one.id === request.id ? request : one)),
  );
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
        .getQueriesData<Request[]>(REQUEST_LISTS)
        .flatMap(([, list]) => list ?? [])
        .find(({ id }) => id === requestId),
  });
}
