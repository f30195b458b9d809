import type { Project, Task } from "@server/contract/views";
import { useRef, useState } from "react";
import { deleteButtonId, editButtonId } from "./task-row";
import { useDeleteTask } from "./use-tasks";

type TaskQuestionsOptions = {
  project: Project;
  /** The rows as they stand. */
  ordered: readonly Task[];
  rowId: (taskId: string) => string;
  /** Where the focus goes when the last row has left. */
  afterLast: () => HTMLElement | null;
};

/** What is asked before a task is deleted, or what was typed into its form is given up; one question for all rows. */
export function useTaskQuestions({ project, ordered, rowId, afterLast }: TaskQuestionsOptions) {
  const remove = useDeleteTask(project.id);
  const [taskToDelete, setTaskToDelete] = useState<Task | null>(null);
  const [discard, setDiscard] = useState<{ task: Task; confirm: () => void } | null>(null);
  const focusNext = useRef<string | null>(null);
  const askedFrom = useRef<Element | null>(null);

  function askToDelete(task: Task): void {
    focusNext.current = task.id;
    setTaskToDelete(task);
  }
  function confirmDeletion(): void {
    if (!taskToDelete) return;
    const at = ordered.findIndex(({ id }) => id === taskToDelete.id);
    focusNext.current = (ordered[at + 1] ?? ordered[at - 1])?.id ?? null;
    setTaskToDelete(null);
    void remove(taskToDelete);
  }
  function askToDiscard(task: Task, confirm: () => void): void {
    focusNext.current = task.id;
    askedFrom.current = document.activeElement;
    setDiscard({ task, confirm });
  }
  /** Back to where one was typing; once the form is gone, to the button that opens it. */
  function afterDiscard(): HTMLElement | null {
    const from = askedFrom.current;
    if (from instanceof HTMLElement && from.isConnected) return from;
    return byId(focusNext.current && editButtonId(rowId(focusNext.current))) ?? afterLast();
  }
  return {
    askToDelete,
    askToDiscard,
    deletion: {
      open: taskToDelete !== null,
      onOpenChange: (open: boolean) => void (open || setTaskToDelete(null)),
      onConfirm: confirmDeletion,
      finalFocus: () => byId(focusNext.current && deleteButtonId(rowId(focusNext.current))) ?? afterLast(),
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

function byId(id: string | null): HTMLElement | null {
  return id ? document.getElementById(id) : null;
}
