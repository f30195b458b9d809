import type { Project, Task } from "@server/contract/views";
import { useRef, useState } from "react";
import { editButtonId } from "./task-row";
import { useDeleteTask } from "./use-delete-task";

type TaskQuestionsOptions = {
  project: Project;
  rowId: (taskId: string) => string;
  /** Where the focus goes when the last row is gone. */
  afterLast: () => HTMLElement | null;
  /** Where the focus goes after the question about a deletion. */
  focusTarget: () => HTMLElement | null;
};

/** The confirmations before a task is deleted or its form's input is discarded, for all rows of a list. */
export function useTaskQuestions({ project, rowId, afterLast, focusTarget }: TaskQuestionsOptions) {
  const remove = useDeleteTask(project.id);
  const [taskToDelete, setTaskToDelete] = useState<Task | null>(null);
  const [discard, setDiscard] = useState<{ task: Task; confirm: () => void } | null>(null);
  const askedFrom = useRef<{ taskId: string; element: Element | null } | null>(null);

  function confirmDeletion(): void {
    if (!taskToDelete) return;
    setTaskToDelete(null);
    void remove(taskToDelete);
  }
  function askToDiscard(task: Task, confirm: () => void): void {
    askedFrom.current = { taskId: task.id, element: document.activeElement };
    setDiscard({ task, confirm });
  }
  /** Back to the field, or to the edit button when the form is closed. */
  function afterDiscard(): HTMLElement | null {
    const from = askedFrom.current?.element;
    if (from instanceof HTMLElement && from.isConnected) return from;
    return document.getElementById(editButtonId(rowId(askedFrom.current?.taskId ?? ""))) ?? afterLast();
  }
  return {
    askToDelete: setTaskToDelete,
    askToDiscard,
    deletion: {
      open: taskToDelete !== null,
      onOpenChange: (open: boolean) => void (open || setTaskToDelete(null)),
      onConfirm: confirmDeletion,
      finalFocus: focusTarget,
      children: <p className="font-semibold">{taskToDelete?.title}</p>,
    },
    discarding: {
      open: discard !== null,
      onOpenChange: (open: boolean) => void (open || setDiscard(null)),
      onConfirm() {
        setDiscard(null);
        discard?.confirm();
      },
      finalFocus: afterDiscard,
      children: <p className="font-semibold">{discard?.task.title}</p>,
    },
  };
}
