import { GENERAL_MESSAGES } from "@server/contract/messages/general";
import { TASK_MESSAGES } from "@server/contract/messages/tasks";
import type { Project, Task } from "@server/contract/views";
import { type KeyboardEvent, useEffect } from "react";
import { Controller, useFormState } from "react-hook-form";
import { peopleOf } from "@/features/projects/project-people";
import { useAssignable } from "@/features/users/use-users";
import { isComposing } from "@/lib/is-composing";
import { Button } from "@/ui/button";
import { EditNotice } from "@/ui/edit-notice";
import { EditReview } from "@/ui/edit-review";
import { Field } from "@/ui/field";
import { InlineAlert } from "@/ui/inline-alert";
import { Select } from "@/ui/select";
import { Steady } from "@/ui/steady";
import { TextArea } from "@/ui/text-area";
import { TextInput } from "@/ui/text-input";
import { AssigneesField, isForOpenList, ownError, RequiredNotice, StatusOptions } from "./task-fields";
import { describeTaskField, TASK_LABELS, type TaskFormValues } from "./task-form-values";
import { useTaskEdit } from "./use-task-edit";

type TaskEditFormProps = {
  task: Task;
  project: Project;
  isGone: boolean;
  /** Just opened by the person. A form restored with the page does not take the focus. */
  takesFocus: boolean;
  /** With the task that goes on in place of this one, which is gone. */
  onDone: (added?: Task) => void;
  /** Cancel or Escape. Call `discard` once the person has confirmed; null when nothing would be lost. */
  onLeave: (discard: (() => void) | null) => void;
};

/** A task row as a form. Enter in the title and Ctrl+Enter in the description save, Escape leaves. */
export function TaskEditForm({ task, project, isGone, takesFocus, onDone, onLeave }: TaskEditFormProps) {
  const edit = useTaskEdit({ task, isGone, onDone });
  const { form, conflict, isSaving, submit, focusTitle } = edit;
  const { register } = form;
  const { errors } = useFormState({ control: form.control });
  const people = [...project.people, ...(useAssignable().data ?? [])];
  useEffect(() => {
    if (takesFocus) focusTitle();
  }, [takesFocus, focusTitle]);

  const leave = () => onLeave(edit.isDirty() ? edit.discard : null);
  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void submit();
    }
    if (event.key !== "Escape" || event.defaultPrevented || isForOpenList(event)) return;
    event.preventDefault();
    // The panel or dialog around listens on the document.
    event.stopPropagation();
    leave();
  }
  const heading = GENERAL_MESSAGES.changedMeanwhile(conflict.first.values.title);
  return (
    <form
      ref={edit.element}
      noValidate
      aria-label={`Edit task: ${task.title}`}
      onSubmit={(event) => void submit(event)}
      onKeyDown={onKeyDown}
      className="grid gap-3"
    >
      <Steady>
        {isGone && (
          <InlineAlert tone="orange">
            {TASK_MESSAGES.notFound} {GENERAL_MESSAGES.typedIsKept}
          </InlineAlert>
        )}
        <RequiredNotice complaints={[errors.title, errors.description]} />
        {conflict.review && (
          <EditReview
            heading={heading}
            note={GENERAL_MESSAGES.typedIsKept}
            review={conflict.review}
            labelOf={labelOf}
            describe={(field, values) => describeTaskField(field, values, { people })}
            onChoose={conflict.choose}
            onLoadTheirs={edit.loadTheirs}
            onSaveMine={edit.saveMine}
          />
        )}
      </Steady>
      <Field label={TASK_LABELS.title} error={ownError(errors.title)} required>
        <TextInput {...register("title")} autoComplete="off" aria-invalid={Boolean(errors.title)} />
      </Field>
      <Field label={TASK_LABELS.description} error={ownError(errors.description)} required>
        <TextArea {...register("description")} rows={2} aria-invalid={Boolean(errors.description)} />
      </Field>
      <div className="grid grid-cols-2 items-start gap-3">
        <Field label={TASK_LABELS.dueDate} mark="optional" error={errors.dueDate?.message}>
          <TextInput type="date" {...register("dueDate")} />
        </Field>
        <Field label={TASK_LABELS.status} error={errors.status?.message}>
          <Select {...register("status")}>
            <StatusOptions />
          </Select>
        </Field>
      </div>
      <Controller
        control={form.control}
        name="assignedTo"
        render={({ field: { value = [], onChange, onBlur } }) => (
          <AssigneesField
            project={project}
            present={peopleOf(project, task.assignedTo)}
            error={errors.assignedTo?.message}
            value={value}
            onChange={onChange}
            onBlur={onBlur}
          />
        )}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <Button variant="quiet" onClick={leave}>
          {isGone ? "Discard" : "Cancel"}
        </Button>
        <Button variant="primary" type="submit" busy={isSaving} busyLabel={isGone ? "Adding..." : "Saving..."}>
          {isGone ? "Add as a new task" : "Save"}
        </Button>
      </div>
      <Steady>
        {conflict.news && (
          <EditNotice message={heading} fields={conflict.news.map(labelOf)} onOpen={() => conflict.open()} />
        )}
      </Steady>
    </form>
  );
}

function labelOf(field: keyof TaskFormValues): string {
  return TASK_LABELS[field];
}
