import { useQuery } from "@tanstack/react-query";
import { useClients } from "@/features/users/use-users";
import { trpc } from "@/lib/trpc";

/**
 * Opens the portal of a client for an admin, once a visit: the server writes that down, so it is never done again to refresh
 * something. Undefined until it is open; NOT_FOUND for whoever has no portal.
 */
export function useClientView(clientId: string) {
  const { client } = trpc.useUtils();
  const opening = useQuery({
    queryKey: ["client-view", clientId],
    queryFn: () => client.users.openClientView.mutate({ clientId }),
    staleTime: "static",
    gcTime: 0,
  });
  // Kept true by the page, unlike the answer to the opening: names change.
  const known = useClients().data?.find(({ id }) => id === clientId);
  return { ...opening, person: opening.data && (known ?? opening.data.client) };
}
