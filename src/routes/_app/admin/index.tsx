import { PROJECT_STATUSES } from "@db/enums";
import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Project } from "@server/contract/views";
import { createFileRoute } from "@tanstack/react-router";
import { FolderOpen } from "lucide-react";
import { useCallback, useDeferredValue, useMemo, useRef } from "react";
import { useMe } from "@/features/auth/use-auth";
import { SinceLine } from "@/features/overview/since-line";
import { readSinceSearch } from "@/features/overview/since-search";
import { useSinceLastVisit } from "@/features/overview/use-since-last-visit";
import { useWaiting } from "@/features/overview/use-waiting";
import { WaitingForUs } from "@/features/overview/waiting-for-us";
import { MAX_SEARCH_LENGTH } from "@/features/projects/board-search";
import { preloadOverlays } from "@/features/projects/load-overlays";
import { NewProjectButton } from "@/features/projects/new-project-button";
import { openIds, toggleOpen } from "@/features/projects/open-projects";
import { ProjectRows, ProjectRowsSkeleton } from "@/features/projects/project-rows";
import { narrowProjects } from "@/features/projects/projects-filter";
import { ProjectsToolbar } from "@/features/projects/projects-toolbar";
import { preloadDeleteQuestion, useDeleteQuestion } from "@/features/projects/use-delete-question";
import { useOverlays } from "@/features/projects/use-overlays";
import { useProjects } from "@/features/projects/use-projects";
import { FirstSteps } from "@/features/users/first-steps";
import { choice, optional, type RawSearch, text } from "@/lib/search";
import { useAddressText } from "@/lib/use-address-text";
import { useFirstTry } from "@/lib/use-first-try";
import { usePageSearch } from "@/lib/use-page-search";
import { useRowFocus } from "@/lib/use-row-focus";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";

export const Route = createFileRoute("/_app/admin/")({
  /** `open` are the projects whose details are shown, `q` and `status` narrow the list. */
  validateSearch: readSearch,
  component: ProjectsPage,
});

function readSearch({ open, q, status, since }: RawSearch) {
  return optional({
    open: text(open),
    q: text(q, MAX_SEARCH_LENGTH),
    status: choice(status, PROJECT_STATUSES),
    ...readSinceSearch({ since }),
  });
}

/** "All Projects": every project of the organisation. Spec 2, Projects tab. */
function ProjectsPage() {
  const { displayName } = useMe();
  const query = useProjects({ scope: "all" });
  const since = useSinceLastVisit();
  const waiting = useWaiting();
  const isFirstTry = useFirstTry([query, since, waiting]);
  const { openModal } = useOverlays();
  const create = () => openModal("create");
  const edit = useCallback(({ id }: Project) => openModal("edit", id), [openModal]);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 tabIndex={-1} className="text-h1">
          All Projects
        </h1>
        <NewProjectButton onClick={create} />
      </div>
      <SinceLine query={since} className="-mt-2 mb-3" />
      <Delayed pending={isFirstTry} label="Loading projects" skeleton={<SectionSkeleton />}>
        {() => (
          <>
            <WaitingForUs query={waiting} showsEmpty className="mb-5" />
            <Delayed
              pending={query.data === undefined && query.isPending}
              label="Loading projects"
              skeleton={<SectionSkeleton />}
            >
              {() => {
                if (!query.data) {
                  return (
                    <ErrorState
                      message={messageOf(query.error)}
                      busy={query.isFetching}
                      onRetry={() => void query.refetch()}
                    />
                  );
                }
                return (
                  <>
                    <FirstSteps name={displayName} hasProjects={query.data.items.length > 0} onCreate={create} />
                    <ProjectList projects={query.data.items} onEdit={edit} />
                  </>
                );
              }}
            </Delayed>
          </>
        )}
      </Delayed>
    </>
  );
}

function ProjectList({ projects, onEdit }: { projects: readonly Project[]; onEdit: (project: Project) => void }) {
  const [{ open: opened, status }, change] = usePageSearch(Route);
  const { typed, setTyped, q } = useFilterText();
  const filter = useRef<HTMLInputElement>(null);
  const shown = useMemo(() => narrowProjects(projects, { q, status }), [projects, q, status]);
  const list = useRef<HTMLDivElement>(null);
  const focusTarget = useRowFocus(list, { rows: shown });
  const open = useMemo(() => openIds(opened), [opened]);
  const toggle = useCallback(
    (projectId: string) => change.replace(({ open }: RawSearch) => ({ open: toggleOpen(text(open), projectId) })),
    [change],
  );
  const { ask, question } = useDeleteQuestion({
    onDeleted: (projectId) => open.includes(projectId) && toggle(projectId),
    focusTarget,
  });

  function clear(): void {
    setTyped("");
    change.replace({ q: undefined, status: undefined });
    filter.current?.focus();
  }
  return (
    <div ref={list}>
      {projects.length === 0 ? (
        <EmptyState icon={FolderOpen} message={PROJECT_MESSAGES.emptyAll} />
      ) : (
        <>
          <ProjectsToolbar
            ref={filter}
            text={typed}
            onTextChange={setTyped}
            status={status}
            onStatusChange={(next) => change.replace({ status: next })}
            shown={shown.length}
            total={projects.length}
          />
          {shown.length === 0 ? (
            <EmptyState
              icon={FolderOpen}
              message={PROJECT_MESSAGES.noneMatch}
              action={<Button onClick={clear}>Clear filters</Button>}
            />
          ) : (
            <ProjectRows
              projects={shown}
              filter={`${status ?? ""} ${q}`}
              open={open}
              onToggle={toggle}
              onEdit={onEdit}
              onDelete={ask}
              onEditNear={preloadOverlays}
              onDeleteNear={preloadDeleteQuestion}
            />
          )}
        </>
      )}
      {question}
    </div>
  );
}

/** The text of the filter field, and the deferred text that filters the list. */
function useFilterText() {
  const [{ q = "" }, change] = usePageSearch(Route);
  const write = useCallback((q: string) => change.replace({ q }), [change]);
  const [typed, setTyped] = useAddressText(q, write);
  return { typed, setTyped, q: useDeferredValue(typed) };
}

function SectionSkeleton() {
  return (
    <>
      <div className="mb-3.5 flex flex-wrap gap-x-3 gap-y-2">
        <Skeleton className="h-11 w-full pointer-fine:h-9 sm:w-[300px]" />
        <Skeleton className="h-11 w-36 pointer-fine:h-9" />
      </div>
      <ProjectRowsSkeleton />
    </>
  );
}
