import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { copyFormSchema } from "@server/contract/templates";
import { type ReactNode, useEffect } from "react";
import { useForm, useWatch } from "react-hook-form";
import { PROJECT_LABELS } from "@/features/projects/project-labels";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { Field } from "@/ui/field";
import { TextInput } from "@/ui/text-input";
import { toast } from "@/ui/toast";

export interface CopyValues {
  title: string;
  startDate: string;
}

type CopyFormProps = {
  id: string;
  initial: CopyValues;
  /** Rejects when the server refuses: what it says of a field stands there. */
  onSubmit: (values: CopyValues) => Promise<void>;
  /** The toast's title when it fails. */
  failed: string;
  /** Whether leaving now would lose something; false once the form is gone. Must be stable between renders. */
  onDirtyChange: (isDirty: boolean) => void;
  /** Between the fields and the end, for a start. */
  children: (startDate: string) => ReactNode;
};

/** What is asked of a project that is made of another one or of a template: how it is called, and when it starts. */
export function CopyForm({ id, initial, onSubmit, failed, onDirtyChange, children }: CopyFormProps) {
  const { register, control, handleSubmit, setError, formState } = useForm<CopyValues>({
    resolver: standardSchemaResolver(copyFormSchema),
    defaultValues: initial,
    mode: "onTouched",
  });
  const startDate = useWatch({ control, name: "startDate" });
  const { errors, isDirty } = formState;
  useEffect(() => {
    onDirtyChange(isDirty);
    return () => onDirtyChange(false);
  }, [isDirty, onDirtyChange]);
  const submit = useSubmitOnce(
    handleSubmit(async (values) => {
      try {
        await onSubmit(values);
      } catch (error) {
        const complaints = fieldErrorsOf(error);
        for (const field of ["startDate", "title"] as const) {
          const message = complaints[field];
          if (message) setError(field, { type: "server", message }, { shouldFocus: true });
        }
        toast.error(failed, { description: messageOf(error) });
      }
    }),
  );
  return (
    <form id={id} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4 sm:grid-cols-6">
      <Field label={PROJECT_LABELS.title} error={errors.title?.message} required className="sm:col-span-4">
        <TextInput {...register("title")} dir="auto" autoComplete="off" />
      </Field>
      <Field label={PROJECT_LABELS.startDate} error={errors.startDate?.message} required className="sm:col-span-2">
        <TextInput type="date" {...register("startDate")} />
      </Field>
      <div className="sm:col-span-6">{children(startDate)}</div>
    </form>
  );
}
