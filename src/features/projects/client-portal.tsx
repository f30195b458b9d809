import type { ReactNode } from "react";
import { RepositoryActivity } from "@/features/github/repository-activity";
import { useProjects } from "@/features/projects/use-projects";
import { SignOffCards } from "@/features/sign-offs/sign-off-cards";
import { SignedEarlier } from "@/features/sign-offs/signed-earlier";
import { useSignOffs } from "@/features/sign-offs/use-sign-offs";
import { useFirstTry } from "@/lib/use-first-try";
import { Delayed } from "@/ui/delayed";
import { ClientProjects, ClientProjectsSkeleton } from "./client-projects";
import { ProjectStats } from "./project-stats";

type ClientPortalProps = {
  /** The client whose portal an admin views; the signed-in client by default. */
  asClientId?: string | undefined;
  /** True while what stands above has no height yet. */
  wait?: boolean;
  /** The projects whose details are shown. */
  open: readonly string[];
  onToggle: (projectId: string) => void;
  /** What a client without projects can do. */
  firstStep?: ReactNode;
};

/** What waits for a client's approval, the projects in numbers, the projects, what was signed in former ones, and commits. Read-only. */
export function ClientPortal({ asClientId, wait = false, open, onToggle, firstStep }: ClientPortalProps) {
  const query = useProjects({ scope: "mine", asClientId });
  const signOffs = useSignOffs({ status: "asked", asClientId });
  const isFirstTry = useFirstTry([query, signOffs]);
  const heading = <h2 className="mt-8 mb-3 text-h3">Your Projects</h2>;
  return (
    <Delayed
      pending={wait || isFirstTry}
      label="Loading projects"
      skeleton={
        <>
          <ProjectStats projects={undefined} />
          {heading}
          <ClientProjectsSkeleton />
        </>
      }
    >
      {() => (
        <>
          <SignOffCards query={signOffs} isReadOnly={asClientId !== undefined} />
          <ProjectStats projects={query.data?.items} failed={query.isLoadingError} />
          {heading}
          <ClientProjects query={query} asClientId={asClientId} open={open} onToggle={onToggle} firstStep={firstStep} />
          <SignedEarlier asClientId={asClientId} />
          <RepositoryActivity
            asClientId={asClientId}
            titleOf={(projectId) => query.data?.items.find(({ id }) => id === projectId)?.title}
          />
        </>
      )}
    </Delayed>
  );
}
