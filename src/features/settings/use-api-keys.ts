import { API_KEY_MESSAGES } from "@server/contract/messages/api-keys";
import { trpc } from "@/lib/trpc";
import { codeOf, messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

/** One's own keys that still stand, newest first. Asked for anew at each visit. */
export function useApiKeys() {
  return trpc.auth.apiKeys.useQuery(undefined, { staleTime: 0 });
}

/** Makes a key; its answer is the only one that holds it. Refusals are the form's to show. */
export function useCreateApiKey() {
  const utils = trpc.useUtils();
  return trpc.auth.createApiKey.useMutation({
    onSuccess: ({ key: _, ...made }) => utils.auth.apiKeys.setData(undefined, (keys) => keys && [made, ...keys]),
  });
}

/** Ends a key at once. One that is gone already is as good. */
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
