import type { ProjectPage } from "@server/contract/views";
import { getQueryKey } from "@trpc/react-query";
import { type Client, trpc } from "./trpc";

type ProjectScope = "mine" | "all";

/**
 * The query of a whole board, for its loader and its hook: pages of 500, one after the other, as one list that the cache holds
 * under the first page's key. Nearly every firm has one page; with all of them there, counts, filter and search are exact.
 */
export function projectListQuery(client: Client, scope: ProjectScope) {
  return {
    queryKey: getQueryKey(trpc.projects.list, { scope }, "query"),
    queryFn: ({ signal }: { signal: AbortSignal }) => readAll(client, scope, signal),
  };
}

async function readAll(client: Client, scope: ProjectScope, signal: AbortSignal): Promise<ProjectPage> {
  let list = await client.projects.list.query({ scope }, { signal });
  while (list.nextCursor !== null) {
    const page = await client.projects.list.query({ scope, cursor: list.nextCursor }, { signal });
    const known = new Set(list.items.map(({ id }) => id));
    list = { ...page, items: [...list.items, ...page.items.filter(({ id }) => !known.has(id))] };
  }
  return list;
}
