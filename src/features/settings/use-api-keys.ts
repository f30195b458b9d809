import { API_KEY_MESSAGES } from "@server/contract/messages/api-keys";
import { trpc } from "@/lib/trpc";
import { codeOf, messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

/** The person's own active keys, newest first. Refetched on each visit. */
export function useApiKeys() {
  return trpc.auth.apiKeys.useQuery(undefined, { staleTime: 0 });
}

/** Creates a key. Only this answer contains it. The form shows errors. */
export function useCreateApiKey() {
  const utils = trpc.useUtils();
  return trpc.auth.createApiKey.useMutation({
    onSuccess: ({ key: _, ...made }) => utils.auth.apiKeys.setData(undefined, (keys) => keys && [made, ...keys]),
  });
}

/** Revokes a key at once. A key that is already gone counts as revoked. */
export function useRevokeApiKey() {
  const utils = trpc.useUtils();
  const refresh = () => utils.auth.apiKeys.invalidate();
  return trpc.auth.revokeApiKey.useMutation({
    async onSuccess() {
      toast.success(API_KEY_MESSAGES.revoked);
      await refresh();
    },
    onError: (error) =>
      codeOf(error) === "NOT_FOUND"
        ? refresh()
        : toast.error(API_KEY_MESSAGES.revokeFailed, { description: messageOf(error) }),
  });
}
