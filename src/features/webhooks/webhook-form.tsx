import { NOTIFICATION_KINDS, type NotificationKind } from "@db/event-kinds";
import { WEBHOOK_KIND_LABELS, WEBHOOK_MESSAGES } from "@server/contract/messages/webhooks";
import type { CreatedWebhook } from "@server/contract/views";
import { createWebhookSchema } from "@server/contract/webhooks";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { fieldErrorsOf } from "@/lib/user-message";
import { Checkbox } from "@/ui/checkbox";
import { Field } from "@/ui/field";
import { FormButtons } from "@/ui/form-buttons";
import { Steady } from "@/ui/steady";
import { TextInput } from "@/ui/text-input";
import { useCreateWebhook } from "./use-webhooks";

type Values = { url: string; kinds: NotificationKind[] };

type WebhookFormProps = {
  onMade: (made: CreatedWebhook) => void;
  onCancel: () => void;
  /** Keep it stable. */
  onDirtyChange: (isDirty: boolean) => void;
};

/** Where events are sent, and which. Keeps the input when it is refused. */
export function WebhookForm({ onMade, onCancel, onDirtyChange }: WebhookFormProps) {
  const create = useCreateWebhook();
  const { register, handleSubmit, setError, setFocus, formState } = useForm<Values>({
    defaultValues: { url: "", kinds: [] },
  });
  const { errors, isDirty } = formState;
  useEffect(() => {
    onDirtyChange(isDirty);
    return () => onDirtyChange(false);
  }, [isDirty, onDirtyChange]);
  // The form replaces the button that had the focus.
  useEffect(() => setFocus("url"), [setFocus]);
  const submit = useSubmitOnce(
    handleSubmit(async (values) => {
      create.reset();
      const parsed = createWebhookSchema.safeParse(values);
      if (!parsed.success) {
        complain(parsed.error.issues.map(({ path, message }) => [String(path[0]), message]));
        return;
      }
      try {
        onMade(await create.mutateAsync(parsed.data));
      } catch (error) {
        complain(Object.entries(fieldErrorsOf(error)));
      }
    }),
  );
  /** Each at its field; the first one gets the focus. */
  function complain(found: [path: string, message: string][]): void {
    for (const [at, [path, message]] of found.entries()) {
      const field = path.startsWith("kinds") ? "kinds" : "url";
      setError(field, { type: "custom", message }, { shouldFocus: at === 0 });
    }
  }
  return (
    <form noValidate aria-label="New webhook" onSubmit={(event) => void submit(event)} className="grid gap-4">
      <Field label="Address" required error={errors.url?.message} hint={WEBHOOK_MESSAGES.addressHint}>
        <TextInput
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://hooks.example.com/sangam"
          {...register("url")}
        />
      </Field>
      <fieldset aria-describedby={errors.kinds ? "webhook-kinds-error" : undefined}>
        <legend className="font-medium text-dense">Events</legend>
        <div className="grid gap-x-5 sm:grid-cols-2">
          {NOTIFICATION_KINDS.map((kind) => (
            <Checkbox key={kind} label={WEBHOOK_KIND_LABELS[kind]} value={kind} {...register("kinds")} />
          ))}
        </div>
        <Steady>
          {errors.kinds && (
            <p id="webhook-kinds-error" className="text-dense text-red">
              {errors.kinds.message}
            </p>
          )}
        </Steady>
      </fieldset>
      <FormButtons
        submit="Add Webhook"
        busyLabel="Adding..."
        busy={create.isPending}
        error={create.error}
        onCancel={onCancel}
      />
    </form>
  );
}
