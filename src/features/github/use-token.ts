import { GITHUB_MESSAGES } from "@server/contract/messages/github";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

/** Where in Settings the repository token is, for the end of an address. */
export const TOKEN_ANCHOR = "repository-token";

/** Admins: the status of the organisation's token, never the token itself. */
export function useTokenStatus({ enabled = true } = {}) {
  return trpc.github.tokenStatus.useQuery(undefined, { enabled });
}

/** Sets the token, its owners or both. The server checks with GitHub first, for up to 10 s. The form shows errors. */
export function useSetToken() {
  const utils = trpc.useUtils();
  return trpc.github.setToken.useMutation({
    onSuccess(status, { token }) {
      utils.github.tokenStatus.setData(undefined, status);
      toast.success(token === undefined ? GITHUB_MESSAGES.ownersSaved : GITHUB_MESSAGES.tokenSaved);
      void utils.github.commits.invalidate();
    },
    // Another admin may have replaced or removed the token.
    onError: () => void utils.github.tokenStatus.invalidate(),
    // The token must not stay in the cache.
    gcTime: 0,
  });
}

/** Removes the token. Succeeds if it is already gone. */
export function useRemoveToken() {
  const utils = trpc.useUtils();
  return trpc.github.removeToken.useMutation({
    onSuccess(status) {
      utils.github.tokenStatus.setData(undefined, status);
      toast.success(GITHUB_MESSAGES.tokenRemoved);
      void utils.github.commits.invalidate();
    },
    onError: (error) => toast.error(GITHUB_MESSAGES.tokenRemoveFailed, { description: messageOf(error) }),
  });
}
