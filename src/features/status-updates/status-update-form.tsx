import { PROJECT_HEALTHS } from "@db/client-enums";
import { HEALTH_LABELS, STATUS_UPDATE_MESSAGES } from "@server/contract/messages/status-updates";
import { sendStatusUpdateSchema } from "@server/contract/status-updates";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { useMe } from "@/features/auth/use-auth";
import { newKey } from "@/lib/new-key";
import { readDraft, useDraft } from "@/lib/session-draft";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { fieldErrorsOf, messageOf, reasonOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { ErrorState } from "@/ui/error-state";
import { Field } from "@/ui/field";
import { FormButtons } from "@/ui/form-buttons";
import { Select } from "@/ui/select";
import { Skeleton } from "@/ui/skeleton";
import { TextArea } from "@/ui/text-area";
import { useSendStatusUpdate, useStatusDraft } from "./use-status-updates";

const draftSchema = z.object({
  /** "" until somebody has chosen. */
  health: z.enum(["", ...PROJECT_HEALTHS]),
  text: z.string(),
  upTo: z.optional(z.string()),
  /** Kept with the draft: what is sent again after a reload is the same status update. */
  clientUpdateId: z._default(z.string(), newKey),
});
type Draft = z.output<typeof draftSchema>;

function parseDraft(stored: unknown): Draft | null {
  return draftSchema.safeParse(stored).data ?? null;
}

const keyOf = (userId: string, projectId: string) => `draft-status-update-${userId}-${projectId}`;

type StatusUpdateFormProps = { projectId: string; onClose: () => void };

/** A new status update, begun with what happened since the last one. What was typed stays when it is closed or refused. */
export function StatusUpdateForm({ projectId, onClose }: StatusUpdateFormProps) {
  const suggested = useStatusDraft(projectId);
  const [isBlank, setBlank] = useState(false);
  const kept = readDraft(keyOf(useMe().id, projectId), parseDraft);
  const begun = kept ?? (isBlank ? { health: "" as const, text: "" } : suggested.data);
  if (begun) return <Fields projectId={projectId} onClose={onClose} initial={{ clientUpdateId: newKey(), ...begun }} />;
  if (suggested.isPending) return <Skeleton className="h-48 w-full" />;
  return (
    <div className="grid justify-items-center gap-2 rounded-control bg-sunken p-4">
      <ErrorState
        message={messageOf(suggested.error)}
        busy={suggested.isFetching}
        onRetry={() => void suggested.refetch()}
      />
      <Button variant="quiet" size="sm" onClick={() => setBlank(true)}>
        Write without a draft
      </Button>
    </div>
  );
}

function Fields({ projectId, onClose, initial }: StatusUpdateFormProps & { initial: Draft }) {
  const send = useSendStatusUpdate();
  const form = useForm<Draft>({ defaultValues: initial });
  const { register, handleSubmit, setError, setFocus, setValue, getValues, reset, formState } = form;
  const draft = useDraft({
    key: keyOf(useMe().id, projectId),
    parse: parseDraft,
    onOther: (other) => other && reset(other),
  });
  useUnsavedForm(() => draft.read() !== null);
  useEffect(() => setFocus("text"), [setFocus]);
  const submit = useSubmitOnce(
    handleSubmit(async (values) => {
      const given = { projectId, ...values } satisfies Partial<
        Record<keyof z.input<typeof sendStatusUpdateSchema>, unknown>
      >;
      const parsed = sendStatusUpdateSchema.safeParse(given);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        const field = issue?.path[0] === "health" ? "health" : "text";
        setError(field, { type: "custom", message: issue?.message ?? "" }, { shouldFocus: true });
        return;
      }
      // Before the call: a page that is loaded again during it sends the same one.
      draft.write(values);
      try {
        await send.mutateAsync(parsed.data);
        draft.write(null);
        onClose();
      } catch (error) {
        if (reasonOf(error) === "key-taken") {
          // The first one has arrived, only its answer was lost. What was changed since then is another.
          setValue("clientUpdateId", newKey());
          draft.write(getValues());
        }
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
      <Field label="How the project stands" error={formState.errors.health?.message}>
        <Select {...register("health")}>
          {initial.health === "" && (
            <option value="" disabled>
              Choose how it stands
            </option>
          )}
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
