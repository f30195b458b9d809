import { SESSION_SCOPES, type SessionScope } from "@db/enums";
import { createApiKeySchema } from "@server/contract/api-keys";
import { DAY_MS } from "@server/contract/days";
import type { CreatedApiKey } from "@server/contract/views";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import type * as z from "zod/mini";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { fieldErrorsOf } from "@/lib/user-message";
import { Field } from "@/ui/field";
import { FormButtons } from "@/ui/form-buttons";
import { Select } from "@/ui/select";
import { TextInput } from "@/ui/text-input";
import { LeaveGuard } from "./leave-guard";
import { useCreateApiKey } from "./use-api-keys";

/** Days from now; 0 for none. */
const LIFETIMES = [
  [30, "30 days"],
  [90, "90 days"],
  [365, "1 year"],
  [0, "No expiry"],
] as const;

export const SCOPE_LABELS: Record<SessionScope, string> = { read: "Read only", write: "Read and write" };

const FIELDS = ["name", "scope", "expiresAt"] as const;

type ApiKeyFormProps = {
  onMade: (made: CreatedApiKey) => void;
  onCancel: () => void;
};

/** Name, scope and lifetime of a new key. Keeps the input when it is refused. */
export function ApiKeyForm({ onMade, onCancel }: ApiKeyFormProps) {
  const create = useCreateApiKey();
  const { register, handleSubmit, setError, setFocus, formState } = useForm({
    mode: "onTouched",
    defaultValues: { name: "", scope: "read", expiresAt: "90" },
  });
  const { errors, isDirty } = formState;
  // The form replaces the button that had the focus.
  useEffect(() => setFocus("name"), [setFocus]);
  const submit = useSubmitOnce(
    handleSubmit(async ({ name, scope, expiresAt }) => {
      const days = Number(expiresAt);
      const parsed = createApiKeySchema.safeParse({
        name,
        scope,
        ...(days > 0 && { expiresAt: new Date(Date.now() + days * DAY_MS) }),
      } satisfies Partial<Record<keyof z.input<typeof createApiKeySchema>, unknown>>);
      if (!parsed.success) {
        for (const { path, message } of parsed.error.issues) complain(String(path[0]), message);
        return;
      }
      try {
        onMade(await create.mutateAsync(parsed.data));
      } catch (error) {
        for (const [field, message] of Object.entries(fieldErrorsOf(error))) complain(field, message);
      }
    }),
  );
  function complain(path: string, message: string): void {
    const field = FIELDS.find((name) => name === path);
    if (field) setError(field, { type: "custom", message }, { shouldFocus: true });
  }
  return (
    <form
      noValidate
      aria-label="New API key"
      onSubmit={(event) => void submit(event)}
      // Only what was not touched: nothing is lost.
      onKeyDown={({ key }) => key === "Escape" && !isDirty && onCancel()}
      className="grid gap-4"
    >
      <Field label="Name" required error={errors.name?.message} hint="What it is for, such as Nightly report.">
        <TextInput autoComplete="off" maxLength={200} {...register("name")} />
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Access" error={errors.scope?.message}>
          <Select {...register("scope")}>
            {SESSION_SCOPES.map((scope) => (
              <option key={scope} value={scope}>
                {SCOPE_LABELS[scope]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Expires after" error={errors.expiresAt?.message}>
          <Select {...register("expiresAt")}>
            {LIFETIMES.map(([days, label]) => (
              <option key={days} value={days}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <FormButtons
        submit="Create Key"
        busyLabel="Creating..."
        busy={create.isPending}
        error={create.error}
        onCancel={onCancel}
      />
      <LeaveGuard isDirty={isDirty} question="What you typed for the new API key will be lost." />
    </form>
  );
}
