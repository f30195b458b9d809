import { TASK_MESSAGES } from "@server/contract/messages/tasks";
import type { Project } from "@server/contract/views";
import { Ellipsis, FolderKanban, Link2, Trash2 } from "lucide-react";
import { useState } from "react";
import { SubjectFiles } from "@/features/files/subject-files";
import { FollowButton } from "@/features/notifications/follow-button";
import { copyLink } from "@/features/projects/use-project-actions";
import { FromRequest } from "@/features/requests/from-request";
import { ActionMenu } from "@/ui/action-menu";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { IconButton } from "@/ui/icon-button";
import { TaskChecklist } from "./task-checklist";
import type { TaskPart } from "./task-edits";
import { TaskProperties } from "./task-properties";
import { TaskDescription, TaskTitle } from "./task-texts";
import { TaskTimeline } from "./task-timeline";
import { useDeleteTask } from "./use-delete-task";

type TaskPageProps = TaskPart & { asClientId: string | undefined; onOpenProject: (projectId: string) => void };

/** The title, the description, the fields and the rest, painted one after the other: the title as soon as the sheet is there. */
export const TASK_PAGE_STEPS = 4;

/**
 * All that belongs to a task, below the bar, as far as that step. Each field is edited in place and saves by itself. Design 3.11.
 */
export function TaskPage({ step, asClientId, onOpenProject, ...part }: TaskPageProps & { step: number }) {
  const { project } = part;
  return (
    <div className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start px-5 sm:grid-cols-[minmax(0,1fr)_240px] sm:grid-rows-[auto_1fr]">
      <div className="min-w-0 pt-4 sm:pe-5">
        <ProjectName project={project} onOpen={asClientId === undefined ? onOpenProject : undefined} />
        <FromRequest task={part.task} asClientId={asClientId} />
        <TaskTitle {...part} />
        {step > 1 && <TaskDescription {...part} />}
      </div>
      {step > 2 && (
        <TaskProperties
          {...part}
          className="mt-5 border-line pb-1 sm:row-span-2 sm:-me-1 sm:mt-0 sm:border-s sm:ps-5 sm:pt-4 sm:pb-6"
        />
      )}
      {step > 3 && (
        <div className="flex min-w-0 flex-col pt-5 sm:pe-5">
          <TaskChecklist {...part} />
          <SubjectFiles subject={{ taskId: part.task.id }} project={project} asClientId={asClientId} />
          <TaskTimeline {...part} asClientId={asClientId} />
        </div>
      )}
    </div>
  );
}

/** What can be done with a task as a whole. */
export function TaskActions({ asClientId, onClose, onOpenProject, ...part }: TaskActionsProps) {
  return (
    <>
      {asClientId === undefined && <FollowButton subject={{ taskId: part.task.id }} size="icon" />}
      <IconButton icon={Link2} label="Copy link" onClick={() => void copyLink(`/task/${part.taskKey}`)} />
      {part.project.canEdit && <TaskMenu {...part} onClose={onClose} onOpenProject={onOpenProject} />}
    </>
  );
}

function ProjectName({
  project: { id, title },
  onOpen,
}: {
  project: Project;
  onOpen: ((projectId: string) => void) | undefined;
}) {
  const name = (
    <bdi className="truncate" title={title}>
      {title}
    </bdi>
  );
  const style = "flex max-w-full items-center gap-1.5 text-dense text-ink2";
  const icon = <FolderKanban size={14} className="shrink-0 text-ink3" />;
  if (!onOpen) {
    return (
      <p className={style}>
        {icon}
        {name}
      </p>
    );
  }
  return (
    <button
      type="button"
      onClick={() => onOpen(id)}
      aria-label={`Project ${title}`}
      className={`${style} -mx-1 -my-1 min-h-6 rounded-check px-1 py-1 hover:bg-hover hover:text-ink pointer-coarse:min-h-11`}
    >
      {icon}
      {name}
    </button>
  );
}

type TaskActionsProps = TaskMenuProps & Pick<TaskPageProps, "asClientId">;
type TaskMenuProps = TaskPart & Pick<TaskPageProps, "onOpenProject"> & { onClose: () => void };

function TaskMenu({ task, project, onClose, onOpenProject }: TaskMenuProps) {
  const remove = useDeleteTask(project.id);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <ActionMenu
        label="Task actions"
        trigger={<IconButton icon={Ellipsis} label="More actions" />}
        entries={[
          { label: "Open project", icon: FolderKanban, onSelect: () => onOpenProject(project.id) },
          { label: "Delete task", icon: Trash2, onSelect: () => setAsking(true) },
        ]}
      />
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Delete task"
        question={TASK_MESSAGES.confirmDelete}
        confirmLabel="Delete"
        onConfirm={() => {
          setAsking(false);
          onClose();
          void remove(task);
        }}
      >
        <p className="font-semibold">{task.title}</p>
      </ConfirmDialog>
    </>
  );
}
