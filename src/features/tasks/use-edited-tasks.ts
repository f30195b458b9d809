import type { Project, Task } from "@server/contract/views";
import { useEffect, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { readDraft } from "@/lib/session-draft";
import { parseTaskDraft, taskDraftKey } from "./task-form-values";

type EditedTasksOptions = {
  tasks: readonly Task[];
  project: Project;
  /** Moves the focus when a form that had it has closed. */
  focusAfter: (taskId: string) => void;
};

/** The rows of a list that are open as forms, from the start those with a draft in this tab. */
export function useEditedTasks({ tasks, project, focusAfter }: EditedTasksOptions) {
  const me = useMe();
  const [edited, setEdited] = useState<readonly Task[]>(() =>
    project.canEdit ? tasks.filter(({ id }) => readDraft(taskDraftKey(me.id, id), parseTaskDraft) !== null) : [],
  );
  const [opened, setOpened] = useState<string | null>(null);
  const focusBack = useRef<string | null>(null);
  useEffect(() => {
    const taskId = focusBack.current;
    if (taskId === null || edited.some(({ id }) => id === taskId)) return;
    focusBack.current = null;
    focusAfter(taskId);
  });
  return {
    has: (taskId: string) => edited.some(({ id }) => id === taskId),
    /** Tasks that someone else deleted while they were edited here, in their last known state. */
    gone: edited.filter(({ id }) => !tasks.some((task) => task.id === id)),
    /** The task whose form was opened last. */
    opened,
    /** Changes with the set of edited tasks. */
    key: edited.map(({ id }) => id).join(),
    open(task: Task): void {
      setEdited((before) => [...before, task]);
      setOpened(task.id);
    },
    replace(taskId: string, by: Task): void {
      setEdited((before) => before.map((task) => (task.id === taskId ? by : task)));
      setOpened(by.id);
    },
    close(taskId: string): void {
      // Not when the form closes because it was saved elsewhere.
      const at = document.activeElement;
      if (at?.closest("[data-row]")?.getAttribute("data-row") === taskId) focusBack.current = taskId;
      setEdited((before) => before.filter(({ id }) => id !== taskId));
      setOpened(null);
    },
  };
}
