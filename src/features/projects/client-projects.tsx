import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Project } from "@server/contract/views";
import { FolderOpen } from "lucide-react";
import type { ReactNode } from "react";
import type { useProjects } from "@/features/projects/use-projects";
import { messageOf } from "@/lib/user-message";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { ClientProject } from "./client-project";
import { useOpenInView } from "./use-open-in-view";

type ClientProjectsProps = {
  query: ReturnType<typeof useProjects>;
  /** The client whose portal an admin views; the signed-in client by default. */
  asClientId: string | undefined;
  /** The projects whose details are shown. */
  open: readonly string[];
  onToggle: (projectId: string) => void;
  /** What a client without projects can do. */
  firstStep: ReactNode;
};

/** "Your Projects": one card for each. */
export function ClientProjects({ query, asClientId, open, onToggle, firstStep }: ClientProjectsProps) {
  return (
    <Delayed
      pending={query.data === undefined && query.isPending}
      label="Loading projects"
      skeleton={<ClientProjectsSkeleton />}
    >
      {() => {
        if (!query.data) {
          return (
            <ErrorState message={messageOf(query.error)} busy={query.isFetching} onRetry={() => void query.refetch()} />
          );
        }
        const { items } = query.data;
        if (items.length === 0)
          return <EmptyState icon={FolderOpen} message={PROJECT_MESSAGES.emptyClient} action={firstStep} />;
        return <Cards projects={items} asClientId={asClientId} open={open} onToggle={onToggle} />;
      }}
    </Delayed>
  );
}

type CardsProps = Pick<ClientProjectsProps, "asClientId" | "open" | "onToggle"> & { projects: readonly Project[] };

function Cards({ projects, asClientId, open, onToggle }: CardsProps) {
  useOpenInView(open[0], projects);
  return (
    <ul aria-label="Your Projects" className="flex flex-col gap-3">
      {projects.map((project) => (
        <ClientProject
          key={project.id}
          project={project}
          asClientId={asClientId}
          isOpen={open.includes(project.id)}
          onToggle={() => onToggle(project.id)}
        />
      ))}
    </ul>
  );
}

export function ClientProjectsSkeleton() {
  return (
    <div className="flex flex-col gap-3">
      {["a", "b", "c"].map((card) => (
        <Skeleton key={card} className="h-[196px] rounded-card sm:h-[121px]" />
      ))}
    </div>
  );
}
