import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import { TASK_MESSAGES } from "@server/contract/messages/tasks";
import type { Project } from "@server/contract/views";
import { Eye, Link2, Pencil } from "lucide-react";
import { useEffect, useRef } from "react";
import { ClientLabel } from "@/features/projects/client-label";
import { StatusChip } from "@/features/projects/status-chip";
import { useProject } from "@/features/projects/use-projects";
import { codeOf, messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { IconButton } from "@/ui/icon-button";
import { ProgressThread } from "@/ui/progress-thread";
import { SidePanel, SidePanelTitle } from "@/ui/side-panel";
import { Skeleton } from "@/ui/skeleton";
import { useLast } from "@/ui/use-last";
import { TaskAddForm } from "./task-add-form";
import { TaskList } from "./task-list";
import { UnsavedText } from "./unsaved-text";
import { useTasks } from "./use-tasks";

/** Spec 9: also under reduced motion. */
const FOCUS_DELAY_MS = 300;

/** The id of the panel's "Edit Project", which is focused when the form over the panel closes. */
export const PANEL_EDIT_ID = "panel-edit-project";

type TasksPanelProps = {
  /** Undefined closes the panel. */
  projectId: string | undefined;
  onClose: () => void;
  onView: (project: Project) => void;
  onEdit: (project: Project) => void;
  onCopyLink: (project: Project) => void;
  /** Where the focus goes when it is closed. */
  finalFocus: () => HTMLElement | null;
  /** A task lies over it. */
  isCovered: boolean;
};

/** A project's tasks beside the board; below 1024 px over it. Design 3.4. */
export function TasksPanel({ projectId, onClose, finalFocus, isCovered, ...actions }: TasksPanelProps) {
  return (
    <SidePanel
      open={projectId !== undefined}
      onOpenChange={(open) => !open && onClose()}
      contentKey={projectId ?? ""}
      finalFocus={finalFocus}
      isCovered={isCovered}
    >
      {projectId !== undefined && <Content key={projectId} projectId={projectId} onClose={onClose} {...actions} />}
    </SidePanel>
  );
}

function Content({
  projectId,
  onClose,
  onView,
  onEdit,
  onCopyLink,
}: Omit<TasksPanelProps, "finalFocus" | "isCovered" | "projectId"> & { projectId: string }) {
  const query = useProject(projectId);
  const isGone = codeOf(query.error) === "NOT_FOUND";
  const project = isGone ? undefined : query.data;
  const tasks = useTasks(projectId).data;
  const known = useLast(tasks, tasks !== undefined);
  const form = useRef<{ titleInput: () => HTMLInputElement | null }>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEffect(() => {
    // The focused element disappeared with the project.
    if (isGone && document.activeElement === document.body) closeButton.current?.focus();
  }, [isGone]);

  function focusTitleSoon(): void {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      const title = form.current?.titleInput();
      // Someone already typing in the form keeps the focus there.
      if (!title?.form?.contains(document.activeElement)) title?.focus();
    }, FOCUS_DELAY_MS);
  }
  return (
    <>
      <div className="flex flex-col gap-4 p-5 pb-6">
        {project && (
          <div className="flex items-center justify-between gap-3">
            <StatusChip status={project.status} />
            <div className="-my-1.5 -me-3 flex items-center gap-1">
              <IconButton icon={Link2} label="Copy link" onClick={() => onCopyLink(project)} />
              <Button variant="quiet" size="sm" icon={<Eye size={16} />} onClick={() => onView(project)}>
                View details
              </Button>
            </div>
          </div>
        )}
        <div className="-mt-1">
          <SidePanelTitle dir="auto" className="[overflow-wrap:anywhere]">
            {isGone ? "Project not available" : (project?.title ?? <span className="sr-only">Project</span>)}
          </SidePanelTitle>
          {isGone && <p className="mt-2 text-ink2">{PROJECT_MESSAGES.notFound}</p>}
          {isGone && <UnsavedText projectId={projectId} tasks={known ?? []} />}
          {project && <ClientLabel project={project} className="mt-1.5 text-ink2" />}
        </div>
        {!project && !isGone && <Coming query={query} />}
        <div className="flex flex-wrap items-center gap-2">
          {project?.canEdit && (
            <>
              <Button variant="primary" onClick={focusTitleSoon}>
                + Add Task
              </Button>
              <Button id={PANEL_EDIT_ID} icon={<Pencil size={16} />} onClick={() => onEdit(project)}>
                Edit Project
              </Button>
            </>
          )}
          <Button
            ref={closeButton}
            variant={project?.canEdit ? "quiet" : "secondary"}
            onClick={onClose}
            className={project?.canEdit ? "ms-auto" : undefined}
          >
            Close
          </Button>
        </div>
        {project?.canEdit && <TaskAddForm project={project} ref={form} folded />}
      </div>
      {project && (
        <>
          <TasksHeading counts={project.taskCounts} />
          <TaskList
            project={project}
            emptyMessage={TASK_MESSAGES.emptyPanel}
            afterLast={() => form.current?.titleInput() ?? closeButton.current}
          />
        </>
      )}
    </>
  );
}

/** Loading, or failed with a way to retry. */
function Coming({ query }: { query: ReturnType<typeof useProject> }) {
  if (query.isLoadingError) {
    return <ErrorState message={messageOf(query.error)} busy={query.isFetching} onRetry={() => void query.refetch()} />;
  }
  return (
    <Delayed pending label="Loading project" skeleton={<HeadSkeleton />}>
      {null}
    </Delayed>
  );
}

function TasksHeading({ counts: { total, completed } }: { counts: Project["taskCounts"] }) {
  return (
    <div className="flex items-center gap-3 px-5 pb-2.5">
      <h3 className="font-sans font-semibold text-body tracking-normal">Tasks</h3>
      {total > 0 && (
        <>
          <span className="text-dense text-ink2">{`${completed} of ${total} done`}</span>
          <ProgressThread done={completed} total={total} hideLabel className="flex-1" />
        </>
      )}
    </div>
  );
}

function HeadSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-5 w-3/4" />
      <Skeleton className="h-4 w-1/3" />
      <Skeleton className="h-9 w-full" />
    </div>
  );
}
