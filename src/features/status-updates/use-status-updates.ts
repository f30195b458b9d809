import { STATUS_UPDATE_MESSAGES } from "@server/contract/messages/status-updates";
import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync } from "@/lib/live-sync";
import { trpc } from "@/lib/trpc";
import { toast } from "@/ui/toast";

const queries = [{ queryKey: getQueryKey(trpc.statusUpdates.list) }];
// They are in no event of their own: what is on screen is read again when something of a project itself has changed.
registerLiveSync("projects", {
  queries,
  receive: ({ kind, steps }) =>
    (steps ?? [{ kind }]).some((step) => step.kind === "project-changed" || step.kind === "resync") ? queries : [],
});

/** The status updates of a project, newest first. The page's `useProjectChanges` keeps them up to date. */
export function useStatusUpdates({ projectId, asClientId }: { projectId: string; asClientId?: string | undefined }) {
  return trpc.statusUpdates.list.useQuery({ projectId, asClientId });
}

/** What to begin with; read once, so that what was typed is not replaced. */
export function useStatusDraft(projectId: string) {
  return trpc.statusUpdates.draft.useQuery({ projectId }, { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 });
}

/** Sends a status update. The form shows errors. */
export function useSendStatusUpdate() {
  const utils = trpc.useUtils();
  return trpc.statusUpdates.send.useMutation({
    onSuccess(sent) {
      const { projectId } = sent;
      utils.statusUpdates.list.setData({ projectId, asClientId: undefined }, (known) =>
        known?.some(({ id }) => id === sent.id) ? known : known && [sent, ...known],
      );
      toast.success(STATUS_UPDATE_MESSAGES.sent);
    },
  });
}
