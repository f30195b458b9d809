import { PROJECT_HEALTHS } from "@db/client-enums";
import { HEALTH_LABELS, STATUS_UPDATE_MESSAGES } from "@server/contract/messages/status-updates";
import { sendStatusUpdateSchema } from "@server/contract/status-updates";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { useMe } from "@/features/auth/use-auth";
import { readDraft, useDraft } from "@/lib/session-draft";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { fieldErrorsOf } from "@/lib/user-message";
import { Field } from "@/ui/field";
import { FormButtons } from "@/ui/form-buttons";
import { Select } from "@/ui/select";
import { Skeleton } from "@/ui/skeleton";
import { TextArea } from "@/ui/text-area";
import { useSendStatusUpdate, useStatusDraft } from "./use-status-updates";

const draftSchema = z.object({ health: z.enum(PROJECT_HEALTHS), text: z.string(), upTo: z.optional(z.string()) });
type Draft = z.output<typeof draftSchema>;

function parseDraft(stored: unknown): Draft | null {
  return draftSchema.safeParse(stored).data ?? null;
}

const keyOf = (userId: string, projectId: string) => `draft-status-update-${userId}-${projectId}`;

type StatusUpdateFormProps = { projectId: string; onClose: () => void };

/** A new status update, begun with what happened since the last one. What was typed stays when it is closed or refused. */
export function StatusUpdateForm({ projectId, onClose }: StatusUpdateFormProps) {
  const suggested = useStatusDraft(projectId);
  const kept = readDraft(keyOf(useMe().id, projectId), parseDraft);
  if (!kept && suggested.isPending) return <Skeleton className="h-48 w-full" />;
  const initial = kept ?? suggested.data ?? { health: "on-track" as const, text: "" };
  return <Fields projectId={projectId} onClose={onClose} initial={initial} />;
}

function Fields({ projectId, onClose, initial }: StatusUpdateFormProps & { initial: Draft }) {
  const send = useSendStatusUpdate();
  const { register, handleSubmit, setError, setFocus, getValues, reset, formState } = useForm<Draft>({
    defaultValues: initial,
  });
  const draft = useDraft({
    key: keyOf(useMe().id, projectId),
    parse: parseDraft,
    onOther: (other) => other && reset(other),
  });
  useUnsavedForm(() => draft.read() !== null);
  useEffect(() => setFocus("text"), [setFocus]);
  const submit = useSubmitOnce(
    handleSubmit(async (values) => {
      const parsed = sendStatusUpdateSchema.safeParse({ projectId, ...values } satisfies z.input<
        typeof sendStatusUpdateSchema
      >);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        setError("text", { type: "custom", message: issue?.message ?? "" }, { shouldFocus: true });
        return;
      }
      try {
        await send.mutateAsync(parsed.data);
        draft.write(null);
        onClose();
      } catch (error) {
        const message = fieldErrorsOf(error).text;
        if (message) setError("text", { type: "custom", message }, { shouldFocus: true });
      }
    }),
  );
  return (
    <form
      noValidate
      aria-label="New status update"
      onSubmit={(event) => void submit(event)}
      onChange={() => draft.write(getValues())}
      className="grid gap-4 rounded-control bg-sunken p-4"
    >
      <Field label="How the project stands">
        <Select {...register("health")}>
          {PROJECT_HEALTHS.map((health) => (
            <option key={health} value={health}>
              {HEALTH_LABELS[health]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Status update" required error={formState.errors.text?.message} hint="The client reads this.">
        <TextArea dir="auto" rows={6} {...register("text")} />
      </Field>
      <FormButtons
        submit="Send"
        busyLabel="Sending..."
        busy={send.isPending}
        error={send.error}
        failed={STATUS_UPDATE_MESSAGES.sendFailed}
        onCancel={onClose}
      />
    </form>
  );
}
