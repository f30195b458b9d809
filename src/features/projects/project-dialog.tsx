import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Project } from "@server/contract/views";
import { Pencil } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { ProjectComments } from "@/features/comments/comments";
import { ProjectFindings } from "@/features/findings/worth-a-look";
import { FollowButton } from "@/features/notifications/follow-button";
import { TeamStatusUpdates } from "@/features/status-updates/team-status-updates";
import { ProjectCopies } from "@/features/templates/project-copies";
import { writeDraft } from "@/lib/session-draft";
import { codeOf, messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Delayed } from "@/ui/delayed";
import { Dialog, type FocusTarget } from "@/ui/dialog";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { useLast } from "@/ui/use-last";
import { CommitViewSettings } from "./commit-view-settings";
import { EditProjectForm } from "./edit-project-form";
import { ProjectDetails } from "./project-details";
import { projectEditKey } from "./project-drafts";
import { mayManage } from "./project-people";
import { useDiscardGuard } from "./use-discard-guard";
import { useProject, useUpdateProject } from "./use-projects";

const ProjectFiles = lazy(() =>
  import("@/features/files/project-files").then((module) => ({ default: module.ProjectFiles })),
);
const TeamSignOffs = lazy(() =>
  import("@/features/sign-offs/team-sign-offs").then((module) => ({ default: module.TeamSignOffs })),
);

type ProjectDialogProps = {
  /** Undefined closes the dialog. */
  mode: "view" | "edit" | undefined;
  projectId: string | undefined;
  onClose: () => void;
  /** Switches from the view to the form. */
  onEdit: () => void;
  /** Shows a project that was made of this one. */
  onDuplicated: (project: Project) => void;
  /** Leaves the form: back to the view, or closes the dialog if it opened with the form. */
  onEditDone: () => void;
  /** "Project Tasks" under the details. */
  renderTasks: (project: Project) => ReactNode;
  finalFocus?: FocusTarget | undefined;
};

/** The writer that discards an edit's draft. */
const DISCARDED = {};

/** A project's details and its edit form, in one dialog. Design 3.5. */
export function ProjectDialog(props: ProjectDialogProps) {
  const { mode, projectId, onClose, onEdit, onEditDone, onDuplicated, renderTasks, finalFocus } = props;
  const formId = useId();
  const query = useProject(projectId);
  const update = useUpdateProject();
  const [isDirty, setDirty] = useState(false);
  const isOpen = mode !== undefined && projectId !== undefined;
  const me = useMe();
  const guard = useDiscardGuard({
    isDirty: isOpen && isDirty,
    isBusy: isOpen && update.isPending,
    onDiscard: () => projectId && writeDraft(projectEditKey(me.id, projectId), null, DISCARDED),
  });
  const isGone = codeOf(query.error) === "NOT_FOUND";
  const project = isGone ? undefined : query.data;
  // Someone removed from a project while editing it still finds their input.
  const last = useLast(project, project !== undefined);
  const edited = project ?? (isDirty && last?.id === projectId ? last : undefined);
  const isEditing = mode === "edit" && edited?.canEdit === true;
  const [noticeSlot, setNoticeSlot] = useState<HTMLElement | null>(null);
  const editButton = useFocusBack(mode);
  const details = useRef<HTMLDivElement>(null);
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => !open && guard.leave(onClose)}
      title={isEditing ? "Edit Project" : isGone ? "Project not available" : (project?.title ?? "Project")}
      initialFocus={isEditing ? () => document.getElementById(formId)?.querySelector("input") ?? null : details}
      finalFocus={finalFocus}
      footer={
        isEditing && (
          <>
            <div ref={setNoticeSlot} className="w-full empty:hidden" />
            <Button variant="quiet" aria-disabled={update.isPending} onClick={() => guard.leave(onEditDone)}>
              Cancel
            </Button>
            <Button variant="primary" type="submit" form={formId} busy={update.isPending} busyLabel="Saving...">
              Save Changes
            </Button>
          </>
        )
      }
    >
      {isEditing ? (
        <EditProjectForm
          key={edited.id}
          formId={formId}
          project={edited}
          isGone={isGone}
          update={update}
          noticeSlot={noticeSlot}
          onDirtyChange={setDirty}
          onSaved={onEditDone}
        />
      ) : project ? (
        <>
          <ProjectDetails ref={details} project={project} />
          {project.canEdit && (
            <div className="mt-5 flex flex-wrap gap-2">
              <Button ref={editButton} icon={<Pencil size={16} />} onClick={onEdit}>
                Edit Project
              </Button>
              <ProjectCopies project={project} onDuplicated={onDuplicated} />
            </div>
          )}
          {renderTasks(project)}
          <Suspense>
            <ProjectFiles
              project={project}
              heading={(id) => (
                <h3 id={id} className="text-reading">
                  Files
                </h3>
              )}
              className="mt-6"
            />
          </Suspense>
          <div className="mt-6">
            <TeamStatusUpdates project={project} />
          </div>
          <CommitViewSettings project={project} />
          <Suspense>
            <TeamSignOffs project={project} />
          </Suspense>
          {mayManage(me, project) && (
            <div className="mt-6">
              <ProjectFindings project={project} />
            </div>
          )}
          <ProjectComments
            project={project}
            heading={(id) => (
              <div className="mb-2 flex items-center justify-between gap-3">
                <h3 id={id} className="text-reading">
                  Discussion
                </h3>
                <FollowButton subject={{ projectId: project.id }} />
              </div>
            )}
            // Down to the dialog's edge: below it no comment shows through.
            composerClassName="sticky -bottom-5 z-10 -mb-5 bg-surface pb-5"
            className="mt-6"
          />
        </>
      ) : (
        <Absent query={query} isGone={isGone} />
      )}
      {guard.question}
    </Dialog>
  );
}

/** For the button that opens the form: focused when Cancel or Save returns to the view. */
function useFocusBack(mode: ProjectDialogProps["mode"]) {
  const button = useRef<HTMLButtonElement>(null);
  const before = useRef(mode);
  useEffect(() => {
    if (before.current === "edit" && mode === "view") button.current?.focus();
    before.current = mode;
  }, [mode]);
  return button;
}

/** No project to show: not available, loading, or failed with a way to retry. */
function Absent({ query, isGone }: { query: ReturnType<typeof useProject>; isGone: boolean }) {
  if (isGone) return <p className="text-ink2">{PROJECT_MESSAGES.notFound}</p>;
  if (query.isLoadingError) {
    return <ErrorState message={messageOf(query.error)} busy={query.isFetching} onRetry={() => void query.refetch()} />;
  }
  return (
    <Delayed pending label="Loading project" skeleton={<Skeleton className="h-60 w-full" />}>
      {null}
    </Delayed>
  );
}
