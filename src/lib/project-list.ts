import type { ListProjects } from "@server/contract/projects";
import type { ProjectPage } from "@server/contract/views";
import { getQueryKey } from "@trpc/react-query";
import { type Client, trpc } from "./trpc";
import { uniqueById } from "./unique-by-id";

type ProjectScope = ListProjects["scope"];

/** Which list: what the reader takes part in, everything, or (admins) what that client reads as "mine". */
type ListInput = Pick<ListProjects, "scope" | "asClientId">;

/**
 * The query of a whole board, for its loader and its hook: pages of 500, one after the other, as one list that the cache holds
 * under the first page's key. Nearly every firm has one page; with all of them there, counts, filter and search are exact.
 */
export function projectListQuery(client: Client, scope: ProjectScope) {
  return {
    queryKey: getQueryKey(trpc.projects.list, { scope }, "query"),
    queryFn: ({ signal }: { signal: AbortSignal }) => readAll(client, { scope }, signal),
  };
}

/** The list that a client would be given, for an admin who sees as that client. */
export function clientListQuery(client: Client, asClientId: string) {
  const input: ListInput = { scope: "mine", asClientId };
  return {
    queryKey: getQueryKey(trpc.projects.list, input, "query"),
    queryFn: ({ signal }: { signal: AbortSignal }) => readAll(client, input, signal),
    // Nothing is put into it by hand: which projects it holds is the server's to say.
    meta: { isClientView: true },
  };
}

async function readAll(client: Client, input: ListInput, signal: AbortSignal): Promise<ProjectPage> {
  let list = await client.projects.list.query(input, { signal });
  while (list.nextCursor !== null) {
    const page = await client.projects.list.query({ ...input, cursor: list.nextCursor }, { signal });
    list = { ...page, items: uniqueById([...list.items, ...page.items]) };
  }
  return list;
}
