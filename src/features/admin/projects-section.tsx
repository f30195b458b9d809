import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Project } from "@server/contract/views";
import { getRouteApi } from "@tanstack/react-router";
import { FolderOpen } from "lucide-react";
import { useCallback, useDeferredValue, useMemo, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { openIds, toggleOpen } from "@/features/projects/open-projects";
import { useProjects } from "@/features/projects/use-projects";
import { useAddressText } from "@/lib/use-address-text";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { ProjectRows, ProjectRowsSkeleton } from "../projects/project-rows";
import { narrowProjects } from "../projects/projects-filter";
import { ProjectsToolbar } from "../projects/projects-toolbar";
import { useFocusKept } from "../projects/row-focus";
import { preloadDeleteQuestion, useDeleteQuestion } from "../projects/use-delete-question";
import { FirstSteps } from "../users/first-steps";
import { type AdminSearch, withAdminSearch } from "./admin-search";
import { LazyProjectForms, preloadForms } from "./lazy-project-forms";
import type { ShownForm } from "./project-forms";

const route = getRouteApi("/admin");

/** "All Projects": every project of the organisation to read, to find and to delete. Spec 2, Projects tab. */
export function ProjectsSection() {
  const { displayName } = useMe();
  const query = useProjects({ scope: "all" });
  const [form, setForm] = useState<ShownForm>(null);
  const edit = useCallback(({ id }: Project) => setForm({ edit: id }), []);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 tabIndex={-1} className="text-h1">
          All Projects
        </h1>
        <Button
          variant="primary"
          onPointerEnter={preloadForms}
          onFocus={preloadForms}
          onClick={() => setForm("create")}
        >
          + New Project
        </Button>
      </div>
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
              <FirstSteps name={displayName} hasProjects={query.data.items.length > 0} />
              <ProjectList projects={query.data.items} onEdit={edit} />
            </>
          );
        }}
      </Delayed>
      <LazyProjectForms shown={form} onClose={() => setForm(null)} />
    </>
  );
}

function ProjectList({ projects, onEdit }: { projects: readonly Project[]; onEdit: (project: Project) => void }) {
  const { open: opened, status } = route.useSearch();
  const change = useChange();
  const { text, setText, q } = useFilterWords();
  const filter = useRef<HTMLInputElement>(null);
  const shown = useMemo(() => narrowProjects(projects, { q, status }), [projects, q, status]);
  // Here, where it outlasts the last row.
  useFocusKept(shown);
  const open = useMemo(() => openIds(opened), [opened]);
  const toggle = useCallback(
    (projectId: string) => change((search) => ({ open: toggleOpen(search.open, projectId) })),
    [change],
  );
  const { ask, question } = useDeleteQuestion({
    onDeleted: (projectId) => open.includes(projectId) && toggle(projectId),
  });

  function clear(): void {
    setText("");
    change(() => ({ q: undefined, status: undefined }));
    filter.current?.focus();
  }
  return (
    <>
      {projects.length === 0 ? (
        <EmptyState icon={FolderOpen} message={PROJECT_MESSAGES.emptyAll} />
      ) : (
        <>
          <ProjectsToolbar
            ref={filter}
            text={text}
            onTextChange={setText}
            status={status}
            onStatusChange={(next) => change(() => ({ status: next }))}
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
              onDeleteNear={preloadDeleteQuestion}
            />
          )}
        </>
      )}
      {question}
    </>
  );
}

/** Changes a part of the address in its place; the rest stays. */
function useChange() {
  const navigate = route.useNavigate();
  return useCallback(
    (changesOf: (search: AdminSearch) => AdminSearch) =>
      void navigate({
        search: (search) => withAdminSearch(changesOf(search))(search),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
}

/** What stands in the filter field, and what the list is narrowed to: that may lag behind the keys. */
function useFilterWords() {
  const change = useChange();
  const write = useCallback((q: string) => change(() => ({ q })), [change]);
  const [text, setText] = useAddressText(route.useSearch().q ?? "", write);
  return { text, setText, q: useDeferredValue(text) };
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
