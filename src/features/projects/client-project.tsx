import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Project } from "@server/contract/views";
import { ChevronDown } from "lucide-react";
import { lazy, Suspense, useId } from "react";
import { ProjectComments } from "@/features/comments/comments";
import { DueLabel } from "@/features/projects/due-label";
import { CreatedFact, DayFact, Fact, Facts, LinkFacts, PeopleFact } from "@/features/projects/project-facts";
import { peopleOf } from "@/features/projects/project-people";
import { isFinished } from "@/features/projects/project-status";
import { StatusChip } from "@/features/projects/status-chip";
import { headerId } from "@/features/projects/use-open-in-view";
import { useSignOffs } from "@/features/sign-offs/use-sign-offs";
import { PortalStatusUpdates } from "@/features/status-updates/status-updates";
import { useStatusUpdates } from "@/features/status-updates/use-status-updates";
import { ReadOnlyTasks } from "@/features/tasks/read-only-tasks";
import { cn } from "@/lib/cn";
import { useFirstTry } from "@/lib/use-first-try";
import { Button } from "@/ui/button";
import { cardStyle } from "@/ui/card-style";
import { ProgressThread } from "@/ui/progress-thread";
import { Skeleton } from "@/ui/skeleton";

const ProjectFiles = lazy(() =>
  import("@/features/files/project-files").then((module) => ({ default: module.ProjectFiles })),
);
const FollowButton = lazy(() =>
  import("@/features/notifications/follow-button").then((module) => ({ default: module.FollowButton })),
);
const SignOffList = lazy(() =>
  import("@/features/sign-offs/sign-off-list").then((module) => ({ default: module.SignOffList })),
);

type ClientProjectProps = {
  project: Project;
  /** The client whose portal an admin views; the signed-in client by default. */
  asClientId: string | undefined;
  isOpen: boolean;
  onToggle: () => void;
};

/** One project of a client. Its details open and close without animation. */
export function ClientProject({ project, asClientId, isOpen, onToggle }: ClientProjectProps) {
  const detailsId = useId();
  const { completed, total } = project.taskCounts;
  return (
    <li className={cardStyle()}>
      <article aria-label={project.title}>
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <h3
            id={headerId(project.id)}
            tabIndex={-1}
            dir="auto"
            className="min-w-0 text-[17px] leading-6 [overflow-wrap:anywhere]"
          >
            {project.title}
          </h3>
          <div className="flex items-center gap-2 max-sm:w-full max-sm:justify-between">
            <StatusChip status={project.status} />
            <Button
              size="sm"
              aria-expanded={isOpen}
              aria-controls={isOpen ? detailsId : undefined}
              aria-label={`${isOpen ? "Hide" : "Show"} Details, ${project.title}`}
              onClick={onToggle}
            >
              {isOpen ? "Hide Details" : "Show Details"}
              <ChevronDown size={16} className={cn(isOpen && "rotate-180")} />
            </Button>
          </div>
        </div>
        <p
          dir="auto"
          className={cn(
            "mt-2 max-w-[110ch] text-ink2 [overflow-wrap:anywhere]",
            isOpen ? "whitespace-pre-line" : "line-clamp-2",
          )}
        >
          {project.description}
        </p>
        <div className="mt-2.5 flex flex-wrap items-center gap-x-6 gap-y-1.5 text-dense text-ink2">
          <ProgressThread
            done={completed}
            total={total}
            label={`${completed} of ${total} tasks done`}
            emptyLabel="No tasks yet"
            className="w-full sm:w-[280px]"
          />
          <DueLabel due={project.dueDate} finished={isFinished(project.status)} prefix="shown" />
        </div>
        {isOpen && <Details id={detailsId} project={project} asClientId={asClientId} />}
      </article>
    </li>
  );
}

type DetailsProps = Pick<ClientProjectProps, "project" | "asClientId"> & { id: string };

function Details({ id, project, asClientId }: DetailsProps) {
  return (
    <div id={id} className="mt-4 border-line border-t pt-4">
      <Facts>
        <DayFact label="Start date" day={project.startDate} />
        <DayFact label="Due date" day={project.dueDate} />
        <CreatedFact at={project.createdAt} />
        <Fact label="Type">{typeName(project)}</Fact>
        {project.client && project.clientPeople.length > 0 && (
          <PeopleFact
            label="Client"
            people={[project.client, ...peopleOf(project, project.clientPeople)]}
            empty={PROJECT_MESSAGES.noClient}
          />
        )}
        <PeopleFact
          label="Assigned Team"
          people={peopleOf(project, project.assignedTo)}
          empty={PROJECT_MESSAGES.noAssigned}
        />
        <PeopleFact label="Managers" people={peopleOf(project, project.managers)} empty={PROJECT_MESSAGES.noManagers} />
        <LinkFacts project={project} />
      </Facts>
      <Progress project={project} asClientId={asClientId} />
      <Suspense>
        <ProjectFiles
          project={project}
          asClientId={asClientId}
          heading={(headingId) => (
            <h4 id={headingId} className="font-medium font-sans text-dense text-ink2 tracking-normal">
              Files
            </h4>
          )}
          className="mt-5"
        />
      </Suspense>
      <ProjectComments
        project={project}
        asClientId={asClientId}
        heading={(headingId) => (
          // As high as the button, which comes later.
          <div className="mb-1 flex min-h-11 items-center justify-between gap-3 pointer-fine:min-h-8">
            <h4 id={headingId} className="font-medium font-sans text-dense text-ink2 tracking-normal">
              Discussion
            </h4>
            {asClientId === undefined && (
              <Suspense>
                <FollowButton subject={{ projectId: project.id }} />
              </Suspense>
            )}
          </div>
        )}
        className="mt-5"
      />
    </div>
  );
}

/**
 * How the work stands. Apart from the parts below: drawn again while their code is on its way, those would disappear for a moment,
 * as React gives up what the document shows of them.
 */
function Progress({ project, asClientId }: Omit<DetailsProps, "id">) {
  // Asked with the tasks, which wait for them.
  const ofProject = { projectId: project.id, asClientId };
  const signOffs = useSignOffs(ofProject);
  const isFirstTry = useFirstTry([useStatusUpdates(ofProject), signOffs]);
  return (
    <>
      <PortalStatusUpdates projectId={project.id} asClientId={asClientId} />
      <section className="mt-5">
        <h4 className="mb-2 font-medium font-sans text-dense text-ink2 tracking-normal">Sign-offs</h4>
        <Suspense fallback={<Skeleton className="h-10 w-full" />}>
          {/* Given the query: a part that comes later may find another answer in the cache than the document shows. */}
          <SignOffList query={signOffs} asClientId={asClientId} />
        </Suspense>
      </section>
      <h4 className="mt-5 mb-1 font-medium font-sans text-dense text-ink2 tracking-normal">Tasks</h4>
      <ReadOnlyTasks project={project} asClientId={asClientId} wait={isFirstTry} />
    </>
  );
}

function typeName({ projectType, clientId }: Project): string {
  return projectType ?? (clientId ? "Client project" : "Internal project");
}
