import { MAX_LISTED_REQUESTS } from "@server/contract/messages/requests";
import type { Request } from "@server/contract/views";
import { type InfiniteData, type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
import { usePagedItems } from "@/lib/paged-list";
import { patchQueries } from "@/lib/query-updates";
import { trpc } from "@/lib/trpc";

export const REQUEST_LISTS = { queryKey: getQueryKey(trpc.requests.list) };
const WHOLE_LISTS = { queryKey: getQueryKey(trpc.requests.list, undefined, "query") };
const PAGED_LISTS = { queryKey: getQueryKey(trpc.requests.list, undefined, "infinite") };
type Pages = InfiniteData<Request[], string | null>;
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
    showRequest(request, live.queryClient);
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
export function showRequest(request: Request, queryClient: QueryClient): void {
  const queryKey = getQueryKey(trpc.requests.byId, { requestId: request.id }, "query");
  queryClient.setQueryData<Request>(queryKey, request);
  // An answer that is on its way may be from before.
  patchQueries<Request>(queryClient, { queryKey, exact: true }, () => request);
  const asItIs = (one: Request) => (one.id === request.id ? request : one);
  patchQueries<Request[]>(queryClient, WHOLE_LISTS, (known) => known.map(asItIs));
  patchQueries<Pages>(queryClient, PAGED_LISTS, (known) => ({
    ...known,
    pages: known.pages.map((page) => page.map(asItIs)),
  }));
  queryClient.setQueryData<Pages>(
    getQueryKey(trpc.requests.list, {}, "infinite"),
    (known) => known && withRequest(known, request),
  );
}

/** A new one is the newest. */
function withRequest(known: Pages, request: Request): Pages {
  const [first, ...others] = known.pages;
  if (!first || known.pages.flat().some(({ id }) => id === request.id)) return known;
  return { ...known, pages: [[request, ...first], ...others] };
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

/** Newest first, at most 500: of one project or task; for admins optionally as that client sees them. */
export function useRequests(filter: RequestFilter) {
  return trpc.requests.list.useQuery(filter);
}

/** All that one sees, or of one status, in pages; for admins optionally as that client sees them. */
export function useRequestPages(filter: Pick<RequestFilter, "status" | "asClientId">) {
  return usePagedItems(trpc.requests.list.useInfiniteQuery(filter, { getNextPageParam: endOf, select: toPages }));
}

function toPages({ pages, pageParams }: InfiniteData<Request[], string | null | undefined>) {
  return { pages: pages.map((items) => ({ items })), pageParams };
}

/** Where the page after a full one begins: after the last decided request, since those that wait come first. */
function endOf(page: readonly Request[]): string | null {
  if (page.length < MAX_LISTED_REQUESTS) return null;
  const decided = page.findLast(({ status }) => status !== "new" && status !== "asked");
  return (decided ?? page.at(-1))?.id ?? null;
}

/** One request, immediately when a cached list holds it; for admins optionally as that client sees it. */
export function useRequest(requestId: string, { asClientId }: { asClientId?: string | undefined } = {}) {
  const queryClient = useQueryClient();
  return trpc.requests.byId.useQuery(asClientId === undefined ? { requestId } : { requestId, asClientId }, {
    placeholderData: () => listed(queryClient).find(({ id }) => id === requestId),
  });
}

function listed(queryClient: QueryClient): Request[] {
  const whole = queryClient.getQueriesData<Request[]>(WHOLE_LISTS).flatMap(([, list]) => list ?? []);
  const paged = queryClient.getQueriesData<Pages>(PAGED_LISTS).flatMap(([, list]) => list?.pages.flat() ?? []);
  return [...paged, ...whole];
}
