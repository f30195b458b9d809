import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
import { trpc } from "@/lib/trpc";

/** Days pass without an event. */
const REFETCH_MS = 10 * 60_000;

const FINDINGS = { queryKey: getQueryKey(trpc.projects.findings) };
const PULSES = { queryKey: getQueryKey(trpc.projects.livePulse) };
const ALL = [FINDINGS, PULSES];

registerLiveSync("findings", { queries: ALL });
// They follow from projects and their tasks, wherever these are.
registerLiveSync("projects", {
  queries: [],
  receive: ({ kind, steps }) => ((steps ?? [{ kind }]).every((step) => step.kind === "task-moved") ? [] : ALL),
});

/** What may be worth a look in one project, or in all that one manages; followed while the calling page is open. */
export function useFindings({
  projectId,
  enabled = true,
}: {
  projectId?: string | undefined;
  enabled?: boolean | undefined;
}) {
  useLiveSync("findings", { enabled });
  return trpc.projects.findings.useQuery(projectId === undefined ? undefined : { projectId }, {
    enabled,
    refetchInterval: REFETCH_MS,
  });
}

/** Whether a project's live link answers. */
export function usePulse(projectId: string) {
  return trpc.projects.livePulse.useQuery({ projectId }, { refetchInterval: REFETCH_MS });
}
