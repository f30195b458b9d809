import { SYSTEM_MESSAGES } from "@server/contract/messages/system";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

const REFRESH_MS = 15_000;
/** While somebody waits for a backup. */
const REFRESH_IN_PROGRESS_MS = 2_000;

/** The state of the servers, read again at an interval while the page is visible. Admins. */
export function useSystemStatus() {
  return trpc.system.status.useQuery(undefined, {
    refetchInterval: ({ state }) => (state.data?.backups.running ? REFRESH_IN_PROGRESS_MS : REFRESH_MS),
  });
}

/** How long clients waited for an answer, by month, the newest first. Admins. */
export function useReplyTimes() {
  return trpc.overview.replyTimes.useQuery();
}

/** Starts a backup. The status says what becomes of it. */
export function useBackupNow() {
  const utils = trpc.useUtils();
  return trpc.system.backupNow.useMutation({
    onSuccess: () => toast.success(SYSTEM_MESSAGES.backupAsked),
    onError: (error) => toast.error(SYSTEM_MESSAGES.backupFailed, { description: messageOf(error) }),
    onSettled: () => utils.system.status.invalidate(),
  });
}

/** Sends a test mail. The form shows the answer of the mail server, and errors. */
export function useSendTestMail() {
  return trpc.system.sendTestMail.useMutation();
}
