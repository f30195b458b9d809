import { type InvalidateQueryFilters, matchQuery, type Query, type QueryClient } from "@tanstack/react-query";

/*
 * Keeps cached queries up to date while actions and live events change what they show.
 */

export type Filters = readonly InvalidateQueryFilters[];

/**
 * Refetches outdated queries, once for a burst of changes and never twice at a time: what is outdated meanwhile comes next.
 * Queries that an action under way has changed ahead of the server are left out.
 */
export function createReader(queryClient: QueryClient, isAhead: (query: Query) => boolean = () => false) {
  const outdated: InvalidateQueryFilters[] = [];
  // Two variables: a reading of nothing ends before the call that began it has its promise.
  let isReading = false;
  let reading = Promise.resolve();
  async function readAll(pauseMs: number): Promise<void> {
    isReading = true;
    try {
      while (outdated.length > 0) await readOutdated(pauseMs);
    } finally {
      isReading = false;
    }
  }
  async function readOutdated(pauseMs: number): Promise<void> {
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const all = outdated.splice(0);
    const isOutdated = (query: Query) => all.some((filters) => matchQuery(filters, query));
    for (const query of queryClient.getQueryCache().findAll({ predicate: isOutdated })) {
      if (isAhead(query)) heldBack.add(query);
    }
    const predicate = (query: Query) => isOutdated(query) && !isAhead(query);
    const first = queryClient.getQueryCache().findAll({ predicate }).filter(isReadForTheFirstTime);
    await Promise.all([
      queryClient.invalidateQueries({ predicate }),
      ...first.map(({ promise }) => promise?.catch(() => {})),
    ]);
    if (first.length > 0) await queryClient.invalidateQueries({ predicate: (query) => first.includes(query) });
  }
  return async (filters: Filters, { pauseMs = 0 }: { pauseMs?: number } = {}) => {
    outdated.push(...filters);
    if (!isReading) reading = readAll(pauseMs);
    await reading;
  };
}

/** The query cache does not start such a reading again, and what it brings counts as up to date. */
function isReadForTheFirstTime({ state }: Query): boolean {
  return state.data === undefined && state.fetchStatus !== "idle";
}

/**
 * Writes a change to cached queries, and again to the answers that are on their way, which may be from before it; so `apply` may
 * do no harm twice. It returns null where only the server knows what follows. Returns the queries to read again: those, and
 * those that were outdated before.
 */
export function patchQueries<Answer>(
  queryClient: QueryClient,
  filters: InvalidateQueryFilters,
  apply: (known: Answer, query: Query) => Answer | null,
): Filters {
  const outdated = new Set<Query>();
  function patch(query: Query): boolean {
    const known = queryClient.getQueryData<Answer>(query.queryKey);
    const next = known === undefined ? known : apply(known, query);
    if (next && next !== known) queryClient.setQueryData<Answer>(query.queryKey, next);
    return next !== null;
  }
  for (const query of queryClient.getQueryCache().findAll(filters)) {
    const { isInvalidated, fetchStatus, status } = query.state;
    const again = () => {
      if (!patch(query)) void queryClient.invalidateQueries({ predicate: (one) => one === query });
    };
    // What the server has refused since, a change would show again.
    const isRefused = status === "error";
    if (isRefused || (isInvalidated && fetchStatus === "idle") || !patch(query)) outdated.add(query);
    else if (fetchStatus !== "idle") query.promise?.then(again, () => {});
  }
  return outdated.size > 0 ? [{ predicate: (query) => outdated.has(query) }] : [];
}

/**
 * For `initialDataUpdatedAt` of what is copied from these queries: a copy of one that is to be read again is read at once, too.
 * Otherwise it counts as read now.
 */
export function copiedAt(queryClient: QueryClient, filters: InvalidateQueryFilters): number | undefined {
  const sources = queryClient.getQueryCache().findAll(filters);
  return sources.some(({ state }) => state.isInvalidated) ? 0 : undefined;
}

/** Queries that an action has kept from being read. */
const heldBack = new WeakSet<Query>();

/** Cancels queries in flight, whose answers would undo what an action is about to show. */
export function holdReads(queryClient: QueryClient, filters: InvalidateQueryFilters): void {
  for (const query of queryClient.getQueryCache().findAll({ ...filters, fetchStatus: "fetching" })) heldBack.add(query);
  void queryClient.cancelQueries(filters);
}

/** Reads what actions have kept from being read. */
export function resumeReads(queryClient: QueryClient, filters: InvalidateQueryFilters): void {
  const held = queryClient
    .getQueryCache()
    .findAll(filters)
    .filter((query) => heldBack.delete(query));
  if (held.length > 0) void queryClient.invalidateQueries({ predicate: (query) => held.includes(query) });
}
