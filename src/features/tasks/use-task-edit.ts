import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { TASK_MESSAGES } from "@server/contract/messages/tasks";
import { type TaskPatch, taskPatchSchema } from "@server/contract/tasks";
import type { Task } from "@server/contract/views";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { useMe } from "@/features/auth/use-auth";
import { useTitleFocus } from "@/features/projects/use-title-focus";
import { useDraft, writeDraft } from "@/lib/session-draft";
import { typedSince } from "@/lib/three-way-merge";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { useEditConflict } from "@/lib/use-edit-conflict";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { codeOf, fieldErrorsOf, messageOf, reasonOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";
import {
  editionOf,
  isSameTask,
  isTaskField,
  parseTaskDraft,
  TASK_FORM_FIELDS,
  type TaskEdition,
  type TaskForm,
  type TaskFormValues,
  taskDraftKey,
  taskPatchOf,
  typedTask,
} from "./task-form-values";
import { useCreateTask, useReloadTask, useUpdateTask } from "./use-tasks";

type TaskEditOptions = {
  /** The latest known version. */
  task: Task;
  /** Someone else has deleted it: saving adds the input as a new task. */
  isGone: boolean;
  /**
   * Saved, unchanged, or saved or discarded in another form of the same task. With `added`, the task that was added in place of this
   * one, what was typed meanwhile is its draft.
   */
  onDone: (added?: Task) => void;
};

/** An edit of a task. Its input survives a closed panel, Back, a reload and a failure, and never overwrites another edit. */
export function useTaskEdit({ task, isGone, onDone }: TaskEditOptions) {
  const update = useUpdateTask(task.projectId);
  const create = useCreateTask(task.projectId);
  const reload = useReloadTask(task.projectId);
  const isSaving = update.isPending || create.isPending;
  const me = useMe();
  const draft = useDraft({
    key: taskDraftKey(me.id, task.id),
    parse: parseTaskDraft,
    onOther(kept) {
      if (!kept) return onDone();
      reset(kept.typed);
      if (kept.base.version !== conflict.base.version) conflict.adopt(kept.base);
    },
  });
  const [begun] = useState(() => draft.read() ?? { base: editionOf(task), typed: editionOf(task).values });
  const form = useForm<TaskForm, unknown, TaskPatch>({
    resolver: standardSchemaResolver(taskPatchSchema),
    defaultValues: begun.typed,
  });
  const { getValues, reset, setError, subscribe } = form;
  const read = () => typedTask(getValues(), begun.typed);
  const conflict = useEditConflict<TaskEdition, TaskFormValues>({
    fields: TASK_FORM_FIELDS,
    valuesOf,
    begun: begun.base,
    live: editionOf(task),
    isSaving,
    form: { read, fill: (values) => reset(values) },
  });
  const { base } = conflict;

  useEffect(() => {
    function keep(values: TaskForm): void {
      const typed = typedTask(values, base.values);
      draft.write(isSameTask(typed, base.values) ? null : { base, typed });
    }
    keep(getValues());
    return subscribe({ formState: { values: true }, callback: ({ values }) => keep(values) });
  }, [draft, base, getValues, subscribe]);

  async function save(fields: TaskPatch, from: TaskEdition, sent = read()): Promise<void> {
    const patch = taskPatchOf(from.values, fields);
    if (!isGone && Object.keys(patch).length === 0) return finish();
    try {
      const { title = "", description = "" } = fields;
      const saved = isGone
        ? await create.mutateAsync({ ...fields, title, description, projectId: task.projectId })
        : await update.mutateAsync({ taskId: task.id, version: from.version, patch });
      const base = editionOf(saved);
      conflict.adopt(base);
      announce(isGone ? `Task added: ${saved.title}` : `Task saved: ${saved.title}`);
      const typed = typedSince(TASK_FORM_FIELDS, { sent, mine: read(), saved: base.values });
      if (!typed) return finish();
      if (isGone) {
        writeDraft(taskDraftKey(me.id, saved.id), { base, typed }, draft);
        return finish(saved);
      }
      reset(typed);
      draft.write({ base, typed });
    } catch (error) {
      if (!(await mergeAfter(error, fields, from, sent))) complain(error);
    }
  }
  /** Someone else saved first. True when the form now shows both versions, or was saved because no field conflicts. */
  async function mergeAfter(
    error: unknown,
    fields: TaskPatch,
    from: TaskEdition,
    sent: TaskFormValues,
  ): Promise<boolean> {
    if (reasonOf(error) !== "stale-version" && codeOf(error) !== "NOT_FOUND") return false;
    const present = await reload(task.id).catch(() => null);
    if (!present || present.version <= from.version) return false;
    const theirs = editionOf(present);
    const { taken, conflicts } = conflict.open(theirs);
    if (taken.length + conflicts.length === 0) await save(fields, theirs, sent);
    return true;
  }
  function complain(error: unknown): void {
    const complaints = Object.entries(fieldErrorsOf(error));
    for (const [at, [field, message]] of complaints.entries()) {
      if (isTaskField(field)) setError(field, { type: "server", message }, { shouldFocus: at === 0 });
    }
    toast.error(isGone ? TASK_MESSAGES.addFailed : TASK_MESSAGES.updateFailed, { description: messageOf(error) });
  }
  function finish(added?: Task): void {
    draft.write(null);
    onDone(added);
  }

  const isDirty = () => isGone || !isSameTask(read(), base.values);
  useUnsavedForm(isDirty);
  const { element, focusTitle } = useTitleFocus();
  const submit = useSubmitOnce(form.handleSubmit((fields) => save(fields, base)));
  return {
    form,
    element,
    focusTitle,
    conflict,
    isSaving,
    submit,
    isDirty,
    discard: () => draft.write(null),
    saveMine() {
      conflict.insist();
      void submit();
    },
    loadTheirs() {
      reset(conflict.live.values);
      conflict.adopt(conflict.live);
      focusTitle();
      announce("The form now shows their version");
    },
  };
}

function valuesOf({ values }: TaskEdition): TaskFormValues {
  return values;
}
