import { USER_MESSAGES } from "@server/contract/messages/users";
import type { AdminUser, UserCounts } from "@server/contract/views";
import { keepPreviousData, type Query, useQuery, useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useCallback } from "react";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
import { usePagedItems } from "@/lib/paged-list";
import { trpc } from "@/lib/trpc";
import { useDebounced } from "@/lib/use-debounced";
import { codeOf, messageOf, reasonOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";
import type { AccountTab } from "./user-tabs";

/** People who can be assigned to a project: active users and admins, by name. */
export function useAssignable() {
  return trpc.users.assignable.useQuery();
}

/** People who can be a project's client: active clients, by name. */
export function useClients() {
  return trpc.users.clients.useQuery();
}

/**
 * Opens a client's portal for an admin, once per visit: the server audits it, so it is never refetched. `person` is undefined
 * until it is open; NOT_FOUND for anybody without a portal.
 */
export function useClientView(clientId: string) {
  const { client } = trpc.useUtils();
  const opening = useQuery({
    queryKey: ["client-view", clientId],
    queryFn: () => client.users.openClientView.mutate({ clientId }),
    staleTime: "static",
    gcTime: 0,
  });
  // The list is kept up to date, unlike the answer: names change.
  const known = useClients().data?.find(({ id }) => id === clientId);
  return { ...opening, person: opening.data && (known ?? opening.data.client) };
}

/** Counts of accounts by status; undefined until known. Admins only. */
export function useUserCounts(): UserCounts | undefined {
  return useUserPages({ tab: "pending" }).data?.pages[0]?.counts;
}

/**
 * One subtab, newest first, of people whose name or email contains the filter. It filters the loaded pages; while there are more
 * pages, the server searches too.
 */
export function useUsers({ tab, filter }: { tab: AccountTab; filter: string }) {
  const q = filter.trim();
  const asked = useDebounced(q);
  const everyone = useUserPages({ tab });
  const isSearching = q !== "" && asked !== "" && everyone.hasNextPage;
  const found = useUserPages({ tab, q: asked, enabled: isSearching });
  const pages = isSearching ? found : everyone;
  const list = usePagedItems(pages);
  return {
    ...list,
    items: list.items?.filter((user) => holds(user, q)),
    /** How many the list has before filtering. */
    total: everyone.data?.pages[0]?.counts[tab],
  };
}

const LISTS = [
  { queryKey: getQueryKey(trpc.users.list) },
  { queryKey: getQueryKey(trpc.users.invitations) },
  { queryKey: getQueryKey(trpc.users.assignable) },
  { queryKey: getQueryKey(trpc.users.clients) },
  // The client whose portal an admin looks at may have changed type.
  { queryKey: getQueryKey(trpc.projects.list), predicate: ({ meta }: Query) => meta?.isClientView === true },
];
registerLiveSync("users", { queries: LISTS });

/** Follows the changes of all accounts, while the calling page is open. Admins. */
export function useUserChanges(): void {
  useLiveSync("users");
}

/** Refetches the lists of people. The function stays the same. */
export function useRefreshUsers(): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return useCallback(() => Promise.all(LISTS.map((list) => queryClient.invalidateQueries(list))), [queryClient]);
}

/** Approves a pending account and shows a toast. Stays pending until the lists are refetched. */
export function useApproveUser() {
  const refresh = useRefreshUsers();
  return trpc.users.approve.useMutation({
    onSuccess: async ({ accountType, emailVerified }) => {
      const doubt = emailVerified ? {} : { description: USER_MESSAGES.approvedUnconfirmed };
      toast.success(USER_MESSAGES.approved(accountType), doubt);
      await refresh();
    },
    onError: async (error) => {
      toast.error(USER_MESSAGES.approveFailed, { description: messageOf(error) });
      // Somebody else was first: the row is out of date.
      if (reasonOf(error) === "already-decided" || codeOf(error) === "NOT_FOUND") await refresh();
    },
  });
}

function useUserPages({ tab, q, enabled = true }: { tab: AccountTab; q?: string; enabled?: boolean }) {
  return trpc.users.list.useInfiniteQuery(
    { status: tab === "all" ? undefined : tab, q },
    {
      enabled,
      getNextPageParam: ({ nextCursor }) => nextCursor,
      ...(q !== undefined && { placeholderData: keepPreviousData }),
    },
  );
}

function holds({ name, email }: AdminUser, q: string): boolean {
  const query = q.toLocaleLowerCase("en-GB");
  return name.toLocaleLowerCase("en-GB").includes(query) || email.toLowerCase().includes(query);
}
