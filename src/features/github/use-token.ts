import { GITHUB_MESSAGES } from "@server/contract/messages/github";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

/** Admins: what is known of the organisation's token, which itself never comes back. */
export function useTokenStatus() {
  return trpc.github.tokenStatus.useQuery();
}

/** Sets the token and its owners, or either anew; the server asks GitHub first, for up to 10 s. Refusals are the form's to show. */
export function useSetToken() {
  const utils = trpc.useUtils();
  return trpc.github.setToken.useMutation({
    onSuccess(status, { token }) {
      utils.github.tokenStatus.setData(undefined, status);
      toast.success(token === undefined ? GITHUB_MESSAGES.ownersSaved : GITHUB_MESSAGES.tokenSaved);
      void utils.github.commits.invalidate();
    },
    // Another admin may have replaced or removed it meanwhile.
    onError: () => void utils.github.tokenStatus.invalidate(),
    // Nothing that could be read out of the page's memory later.
    gcTime: 0,
  });
}

/** Removes the token. Removing one that is gone already is as good. */
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
