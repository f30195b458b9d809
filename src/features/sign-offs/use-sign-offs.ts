import type { SignOff } from "@server/contract/views";
import { getQueryKey } from "@trpc/react-query";
import { useMe } from "@/features/auth/use-auth";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
import { trpc } from "@/lib/trpc";

/** Every query of sign-offs. */
export const SIGN_OFF_QUERIES = [
  { queryKey: getQueryKey(trpc.signOffs.list) },
  { queryKey: getQueryKey(trpc.signOffs.byId) },
];

// They are in no event of their own: their record is of the project's tasks, files and commits.
registerLiveSync("projects", {
  queries: SIGN_OFF_QUERIES,
  receive: ({ kind, steps }) =>
    (steps ?? [{ kind }]).every((step) => step.kind === "task-moved") ? [] : SIGN_OFF_QUERIES,
});
registerLiveSync("github", { queries: SIGN_OFF_QUERIES });

/** Follows whatever a sign-off is about, while the calling page is open. */
export function useSignOffChanges(): void {
  useLiveSync("projects");
  // Users are refused the topic, and with it the whole stream: they read of new commits at the next change of the project.
  useLiveSync("github", { enabled: useMe().accountType !== "user" });
}

type SignOffFilter = {
  projectId?: string;
  /** Only of projects that the reader does not see any more. */
  former?: true;
  status?: SignOff["status"];
  asClientId?: string | undefined;
};

/** Those that are asked first, then the newest: of one project or of all; for admins optionally as that client sees them. */
export function useSignOffs({ asClientId, ...filter }: SignOffFilter) {
  return trpc.signOffs.list.useQuery(asClientId === undefined ? filter : { ...filter, asClientId });
}

/** One sign-off. Of a cached list it may be another than the one that is there now, and nobody signs what they have not seen. */
export function useSignOff(signOffId: string) {
  return trpc.signOffs.byId.useQuery({ signOffId });
}
