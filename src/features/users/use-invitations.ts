import { INVITATION_MESSAGES } from "@server/contract/messages/invitations";
import type { Invitation } from "@server/contract/views";
import type { PagedItems } from "@/lib/paged-list";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";
import { useRefreshUsers } from "./use-users";

/** Open invitations, newest first, all at once. Admins. */
export function useInvitations(): PagedItems<Invitation> {
  const { data, error, isLoadingError, isFetching, refetch } = trpc.users.invitations.useQuery();
  return {
    items: data,
    error: isLoadingError ? error : null,
    retry: () => void refetch(),
    isRetrying: isFetching,
    ...{ more: null, isLoadingMore: false, hasFailedMore: false, isStale: false },
  };
}

/** How the server sends mails. Admins. */
export function useMailSettings({ enabled }: { enabled: boolean }) {
  return trpc.system.mailSettings.useQuery(undefined, { enabled });
}

/** Invites somebody by email. The form shows what is wrong. */
export function useInvite() {
  const refresh = useRefreshUsers();
  return trpc.users.invite.useMutation({
    async onSuccess(_sent, { name }) {
      toast.success(INVITATION_MESSAGES.sent(name));
      await refresh();
    },
  });
}

/** Sends a new link. Also after a refusal the list is read again: somebody else was first. */
export function useResendInvitation() {
  const refresh = useRefreshUsers();
  return trpc.users.resendInvitation.useMutation({
    onSuccess: () => toast.success(INVITATION_MESSAGES.resent),
    onError: (error) => toast.error(INVITATION_MESSAGES.sendFailed, { description: messageOf(error) }),
    onSettled: refresh,
  });
}

/** Withdraws an invitation; its links stop working. */
export function useWithdrawInvitation() {
  const refresh = useRefreshUsers();
  return trpc.users.withdrawInvitation.useMutation({
    onSuccess: () => toast.success(INVITATION_MESSAGES.withdrawn),
    onError: (error) => toast.error(INVITATION_MESSAGES.withdrawFailed, { description: messageOf(error) }),
    onSettled: refresh,
  });
}
