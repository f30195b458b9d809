import type { Project, Task } from "@server/contract/views";
import { ArrowDown, ArrowUp, ChevronsUpDown, GripVertical, Pencil, Trash2 } from "lucide-react";
import type { KeyboardEvent } from "react";
import { statusMeta } from "@/features/projects/project-status";
import { cn } from "@/lib/cn";
import { rowAction } from "@/lib/use-row-focus";
import { ActionMenu } from "@/ui/action-menu";
import { CheckboxInput } from "@/ui/checkbox";
import { IconButton } from "@/ui/icon-button";
import { Steady } from "@/ui/steady";
import { VisuallyHidden } from "@/ui/visually-hidden";
import { CompleteOffer, NotSaved, TaskDetails } from "./task-details";
import { useTick } from "./use-tasks";

export type TaskRowProps = {
  task: Task;
  project: Project;
  /** Unique on the page: the same task may appear in the panel and in the dialog. */
  rowId: string;
  onEdit: () => void;
  onDelete: () => void;
  /** Up (-1) or down; absent when the task is alone in its group. */
  onMove?: ((step: -1 | 1) => void) | undefined;
  isFirst: boolean;
  isLast: boolean;
  hasHandle: boolean;
};

/** The id of a row's edit button: where the focus goes when its form closes. */
export function editButtonId(rowId: string): string {
  return `${rowId}-edit`;
}

/**
 * A task: its checkbox, named by its title, its details and its actions. Alt+Up and Alt+Down on any of its controls move it.
 * Clients see an icon instead of the checkbox.
 */
export function TaskRow(props: TaskRowProps) {
  const { task, project, rowId, onMove, hasHandle } = props;
  const { completed, tick, retry } = useTick(task);
  const { title } = task;
  const titleStyle = cn(
    "min-w-0 text-body [overflow-wrap:anywhere]",
    completed ? "text-ink3 line-through" : "font-medium",
  );
  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : null;
    if (!onMove || !event.altKey || step === null) return;
    event.preventDefault();
    // Also keeps the menu's button from opening its menu.
    event.stopPropagation();
    onMove(step);
  }
  return (
    <div onKeyDownCapture={onKeyDown} className="group/row">
      {project.canEdit ? (
        <div className="flex items-start gap-3">
          {hasHandle && <Handle />}
          {/* The label covers the whole line: a target of 44 px. */}
          <label htmlFor={rowId} className="-my-3 flex min-w-0 flex-1 items-start gap-3 py-3">
            <CheckboxInput id={rowId} tone="done" checked={completed} onChange={({ target }) => tick(target.checked)} />
            <span dir="auto" className={titleStyle}>
              {title}
            </span>
          </label>
          <RowActions {...props} />
        </div>
      ) : (
        <div className="flex items-start gap-3">
          <ReadOnlyTick completed={completed} />
          <p dir="auto" className={titleStyle}>
            {title}
          </p>
        </div>
      )}
      <div className="ps-8">
        <TaskDetails task={task} project={project} completed={completed} />
        {project.canEdit && !completed && !retry && (
          <CompleteOffer task={task} onComplete={() => tick(true)} boxId={rowId} />
        )}
        <Steady>{retry && <NotSaved title={title} onRetry={retry} boxId={rowId} />}</Steady>
      </div>
    </div>
  );
}

function RowActions({ task: { title }, rowId, onEdit, onDelete, onMove, isFirst, isLast }: TaskRowProps) {
  return (
    <div className="-my-1 -me-1.5 flex pointer-coarse:-my-3 pointer-coarse:-me-3 pointer-coarse:-space-x-2">
      {onMove && (
        <ActionMenu
          label={`Move ${title}`}
          trigger={
            <IconButton
              icon={ChevronsUpDown}
              label={`Move task: ${title}`}
              shortcut="Alt+Up, Alt+Down"
              size="sm"
              aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
              className="pointer-fine:not-group-focus-within/row:not-group-hover/row:not-aria-expanded:opacity-0"
            />
          }
          entries={[
            { label: "Move up", icon: ArrowUp, disabled: isFirst, onSelect: () => onMove(-1) },
            { label: "Move down", icon: ArrowDown, disabled: isLast, onSelect: () => onMove(1) },
          ]}
        />
      )}
      <IconButton id={editButtonId(rowId)} icon={Pencil} label={`Edit task: ${title}`} size="sm" onClick={onEdit} />
      <IconButton {...rowAction} icon={Trash2} label={`Delete task: ${title}`} size="sm" onClick={onDelete} />
    </div>
  );
}

/** For the mouse only, in the row's margin, above the checkbox's target. Keyboard and menu do the same. */
function Handle() {
  return (
    <span
      data-handle
      aria-hidden="true"
      className="absolute start-0 top-1.5 z-1 grid h-8 w-(--row-inset,20px) cursor-grab place-items-center text-ink3 opacity-0 transition-opacity duration-90 hover:text-ink group-focus-within/row:opacity-100 group-hover/row:opacity-100"
    >
      <GripVertical size={16} />
    </span>
  );
}

function ReadOnlyTick({ completed }: { completed: boolean }) {
  const { icon: Icon } = statusMeta(completed ? "completed" : "todo");
  return (
    <span className={cn("shrink-0", completed ? "text-blue" : "text-ink3")}>
      <Icon size={20} />
      <VisuallyHidden>{completed ? "Completed: " : "Open: "}</VisuallyHidden>
    </span>
  );
}
