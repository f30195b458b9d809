import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { TASK_MESSAGES } from "@server/contract/messages/tasks";
import { type TaskFields, taskFormSchema } from "@server/contract/tasks";
import type { Project } from "@server/contract/views";
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { Controller, useForm } from "react-hook-form";
import { useMe } from "@/features/auth/use-auth";
import { cn } from "@/lib/cn";
import { isComposing } from "@/lib/is-composing";
import { mayTakeFocus } from "@/lib/page-focus";
import { useDraft } from "@/lib/session-draft";
import { typedSince } from "@/lib/three-way-merge";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Select } from "@/ui/select";
import { TextArea } from "@/ui/text-area";
import { TextInput } from "@/ui/text-input";
import { toast } from "@/ui/toast";
import { AssigneesField, ownError, RequiredNotice, StatusOptions } from "./task-fields";
import {
  draftOf,
  type NewTaskForm,
  newTaskKey,
  parseNewTask,
  TASK_FORM_FIELDS,
  type TaskFormValues,
  typedTask,
} from "./task-form-values";
import { useCreateTask } from "./use-tasks";

/** Gives the title field to the button that focuses it. */
type TaskTitleRef = Ref<{ titleInput: () => HTMLInputElement | null }>;

type TaskAddFormProps = {
  project: Project;
  ref: TaskTitleRef;
  /** Shows only the title until it is focused. */
  folded?: boolean | undefined;
  className?: string | undefined;
};

/** Adds a task. Enter in the title adds it when the description is there; the focus stays for the next one. */
export function TaskAddForm({ project, ref, folded = false, className }: TaskAddFormProps) {
  const me = useMe();
  const projectId = project.id;
  const blank: TaskFormValues = { title: "", description: "", dueDate: "", status: "todo", assignedTo: [me.id] };
  const create = useCreateTask(projectId);
  const draft = useDraft({
    key: newTaskKey(me.id, projectId),
    parse: parseNewTask,
    // The panel's form and the dialog's form share one draft.
    onOther(draft) {
      reset({ ...blank, ...draft }, { keepErrors: draft !== null });
      if (draft) setOpen(true);
    },
  });
  const [kept] = useState(draft.read);
  const [isOpen, setOpen] = useState(!folded || kept !== null);
  const { register, control, handleSubmit, formState, getValues, reset, setError, subscribe } = useForm<
    NewTaskForm,
    unknown,
    TaskFields
  >({
    resolver: standardSchemaResolver(taskFormSchema),
    defaultValues: { ...blank, ...kept },
  });
  const form = useRef<HTMLFormElement>(null);
  useImperativeHandle(ref, () => ({ titleInput: () => form.current?.querySelector("input") ?? null }), []);

  const { errors } = formState;
  useUnsavedForm(() => draftOf(getValues()) !== null);
  useEffect(() => {
    return subscribe({ formState: { values: true }, callback: ({ values }) => draft.write(draftOf(values)) });
  }, [draft, subscribe]);

  const read = () => typedTask(getValues(), blank);
  const send = handleSubmit(async (task) => {
    const sent = read();
    try {
      await create.mutateAsync({ projectId, ...task });
      // Someone who already types the next one keeps it.
      reset(typedSince(TASK_FORM_FIELDS, { sent, mine: read(), saved: blank }) ?? blank);
      // Also when the panel was closed meanwhile: an added task must not come back as a draft.
      draft.write(draftOf(getValues()));
      // Someone who types elsewhere meanwhile keeps the focus there.
      if (mayTakeFocus(form.current)) form.current?.querySelector("input")?.focus();
      announce(`Task added: ${task.title}`);
    } catch (error) {
      const complaints = fieldErrorsOf(error);
      for (const field of ["title", "description", "dueDate", "assignedTo"] as const) {
        if (complaints[field]) setError(field, { message: complaints[field] });
      }
      toast.error(TASK_MESSAGES.addFailed, { description: messageOf(error) });
    }
  });

  const add = useSubmitOnce(send);
  function onTitleKey(event: KeyboardEvent): void {
    if (event.key !== "Enter" || isComposing(event) || getValues("description").trim() !== "") return;
    event.preventDefault();
    // Immediately: the form library focuses later, and the next letters would still go to the title.
    form.current?.querySelector("textarea")?.focus();
  }
  return (
    <form
      ref={form}
      noValidate
      aria-label="Add a task"
      onSubmit={(event) => void add(event)}
      onFocus={() => setOpen(true)}
      onKeyDown={keepTypedText}
      className={cn("grid gap-3", className)}
    >
      <RequiredNotice complaints={[errors.title, errors.description]} />
      <Field label="Title" error={ownError(errors.title)} required>
        <TextInput
          {...register("title")}
          dir="auto"
          autoComplete="off"
          placeholder="What needs to be done?"
          aria-invalid={Boolean(errors.title)}
          onKeyDown={onTitleKey}
        />
      </Field>
      {isOpen && (
        <>
          <Field label="Description" error={ownError(errors.description)} required>
            <TextArea dir="auto" {...register("description")} rows={2} aria-invalid={Boolean(errors.description)} />
          </Field>
          <div className="grid grid-cols-2 items-end gap-3">
            <Field label="Due date" mark="optional" error={errors.dueDate?.message}>
              <TextInput type="date" {...register("dueDate")} />
            </Field>
            <Field label="Status">
              <Select {...register("status")}>
                <StatusOptions />
              </Select>
            </Field>
          </div>
          <div className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_auto]">
            <Controller
              control={control}
              name="assignedTo"
              render={({ field: { value = [], onChange, onBlur } }) => (
                <AssigneesField
                  project={project}
                  present={[{ ...me, name: me.displayName }]}
                  error={errors.assignedTo?.message}
                  value={value}
                  onChange={onChange}
                  onBlur={onBlur}
                />
              )}
            />
            <Button variant="primary" type="submit" busy={create.isPending} busyLabel="Adding...">
              Add
            </Button>
          </div>
        </>
      )}
    </form>
  );
}

/** Escape in a field that holds text does not close the panel or the dialog around it. Design 3.4. */
function keepTypedText(event: KeyboardEvent): void {
  const { target } = event;
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  if (event.key === "Escape" && isField && target.value !== "") event.preventDefault();
}
