import { TASK_STATUSES } from "@db/enums";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { MESSAGES } from "@server/contract/messages";
import { newTaskSchema } from "@server/contract/tasks";
import { type KeyboardEvent, type Ref, useImperativeHandle, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import type * as z from "zod/mini";
import { useMe } from "@/features/auth/use-auth";
import { statusLook } from "@/features/projects/project-status";
import { cn } from "@/lib/cn";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { InlineAlert } from "@/ui/inline-alert";
import { Select } from "@/ui/select";
import { TextArea } from "@/ui/text-area";
import { TextInput } from "@/ui/text-input";
import { toast } from "@/ui/toast";
import { useCreateTask } from "./use-tasks";

type Values = z.input<typeof newTaskSchema>;

/** For the button that leads here: where to type, once it is there. */
export type TaskTitleRef = Ref<{ titleInput: () => HTMLInputElement | null }>;

type TaskAddFormProps = {
  projectId: string;
  ref: TaskTitleRef;
  /** Shows only the title until somebody reaches for it. */
  folded?: boolean | undefined;
  className?: string | undefined;
};

const BLANK: Values = { title: "", description: "", dueDate: "", status: "todo" };
/** What was typed and not added, by person and project: another panel or a closed one loses nothing. */
const drafts = new Map<string, Values>();

/** Adds a task. Enter in the title adds it when the description is there; the focus stays for the next one. */
export function TaskAddForm({ projectId, ref, folded = false, className }: TaskAddFormProps) {
  const create = useCreateTask(projectId);
  const draftKey = `${useMe().id} ${projectId}`;
  const draft = drafts.get(draftKey);
  const [isOpen, setOpen] = useState(!folded || draft !== undefined);
  const { register, handleSubmit, formState, getValues, reset, setError } = useForm<
    Values,
    unknown,
    z.output<typeof newTaskSchema>
  >({
    resolver: standardSchemaResolver(newTaskSchema),
    defaultValues: draft ?? BLANK,
  });
  const form = useRef<HTMLFormElement>(null);
  useImperativeHandle(ref, () => ({ titleInput: () => form.current?.querySelector("input") ?? null }), []);

  const { errors } = formState;
  const isMissing = (field: "title" | "description") => errors[field]?.message === MESSAGES.tasks.required;
  /** A missing field is told once for all of them, above; what else is wrong stands under its field. */
  const errorOf = (field: "title" | "description") => (isMissing(field) ? undefined : errors[field]?.message);

  const add = handleSubmit(async (task) => {
    if (create.isPending) return;
    const sent = getValues();
    try {
      await create.mutateAsync({ projectId, ...task });
      drafts.delete(draftKey);
      // Who already types the next one keeps it.
      const now = getValues();
      reset({
        ...BLANK,
        ...(now.title !== sent.title && { title: now.title }),
        ...(now.description !== sent.description && { description: now.description }),
      });
      form.current?.querySelector("input")?.focus();
      announce(`Task added: ${task.title}`);
    } catch (error) {
      const complaints = fieldErrorsOf(error);
      for (const field of ["title", "description", "dueDate"] as const) {
        if (complaints[field]) setError(field, { message: complaints[field] });
      }
      toast.error(MESSAGES.tasks.addFailed, { description: messageOf(error) });
    }
  });

  function onTitleKey(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.nativeEvent.isComposing || getValues("description").trim() !== "") return;
    event.preventDefault();
    // At once: the form library's own way waits a moment, and the next letters would still go to the title.
    form.current?.querySelector("textarea")?.focus();
  }
  function keepDraft(): void {
    const values = getValues();
    if (values.title || values.description || values.dueDate) drafts.set(draftKey, values);
    else drafts.delete(draftKey);
  }
  return (
    <form
      ref={form}
      noValidate
      aria-label="Add a task"
      onSubmit={(event) => void add(event)}
      onInput={keepDraft}
      onFocus={() => setOpen(true)}
      onKeyDown={keepWords}
      className={cn("grid gap-3", className)}
    >
      {(isMissing("title") || isMissing("description")) && (
        <InlineAlert tone="red">{MESSAGES.tasks.required}</InlineAlert>
      )}
      <Field label="Title" error={errorOf("title")} required>
        <TextInput
          {...register("title")}
          autoComplete="off"
          placeholder="What is to be done"
          aria-invalid={Boolean(errors.title)}
          onKeyDown={onTitleKey}
        />
      </Field>
      {isOpen && (
        <>
          <Field label="Description" error={errorOf("description")} required>
            <TextArea {...register("description")} rows={2} aria-invalid={Boolean(errors.description)} />
          </Field>
          <div className="grid grid-cols-2 items-end gap-3 sm:grid-cols-[1fr_1fr_auto]">
            <Field label="Due date" mark="optional" error={errors.dueDate?.message}>
              <TextInput type="date" {...register("dueDate")} />
            </Field>
            <Field label="Status">
              <Select {...register("status")}>
                {TASK_STATUSES.map((status) => (
                  <option key={status} value={status}>
                    {statusLook(status).label}
                  </option>
                ))}
              </Select>
            </Field>
            <Button
              variant="primary"
              type="submit"
              busy={create.isPending}
              busyLabel="Adding..."
              className="max-sm:col-span-2"
            >
              Add
            </Button>
          </div>
        </>
      )}
    </form>
  );
}

/** Escape in a field that holds words closes nothing around it. Design 3.4. */
function keepWords(event: KeyboardEvent): void {
  const { target } = event;
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  if (event.key === "Escape" && isField && target.value !== "") event.preventDefault();
}
