import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { changePasswordSchema } from "@server/contract/accounts";
import { PASSWORD_MESSAGES } from "@server/contract/messages/passwords";
import { Link } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { useState } from "react";
import { type Control, useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { authLink } from "@/features/auth/auth-layout";
import { useMe } from "@/features/auth/use-auth";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { InlineAlert } from "@/ui/inline-alert";
import { PasswordInput } from "@/ui/password-input";
import { Steady } from "@/ui/steady";
import { useChangePassword } from "./use-settings";

const schema = z.extend(changePasswordSchema, {
  confirmPassword: z.string({ error: PASSWORD_MESSAGES.passwordsDiffer }),
});
type Passwords = z.input<typeof schema>;

const SERVER_FIELDS = ["currentPassword", "newPassword"] as const;
const BLANK: Passwords = { currentPassword: "", newPassword: "", confirmPassword: "" };
const bySchema = standardSchemaResolver(schema);

/** Reports a mismatch together with all other errors, not after them. */
const resolver: typeof bySchema = async (values, context, options) => {
  const result = await bySchema(values, context, options);
  if (values.confirmPassword === values.newPassword) return result;
  const mismatch = { type: "custom", message: PASSWORD_MESSAGES.passwordsDiffer };
  return { values: {}, errors: { ...result.errors, confirmPassword: mismatch } };
};

/** Current, new, confirm. Keeps what is typed when it is refused. */
export function PasswordForm() {
  const { email } = useMe();
  const change = useChangePassword();
  const [areShown, setShown] = useState(false);
  const { register, control, handleSubmit, reset, setError, trigger, getFieldState, formState } = useForm<Passwords>({
    resolver,
    mode: "onTouched",
    defaultValues: BLANK,
  });
  const { errors, isDirty } = formState;
  useUnsavedForm(() => isDirty);

  const save = useSubmitOnce(
    handleSubmit(async ({ currentPassword, newPassword }) => {
      try {
        await change.mutateAsync({ currentPassword, newPassword });
        reset(BLANK);
        setShown(false);
      } catch (error) {
        const refused = fieldErrorsOf(error);
        const first = SERVER_FIELDS.find((field) => refused[field]);
        for (const field of SERVER_FIELDS) {
          const message = refused[field];
          if (message) setError(field, { type: "server", message }, { shouldFocus: field === first });
        }
      }
    }),
  );
  function compareAgain(): void {
    if (getFieldState("confirmPassword").isTouched) void trigger("confirmPassword");
  }
  const failure = change.error && Object.keys(fieldErrorsOf(change.error)).length === 0 ? change.error : null;
  return (
    <form noValidate onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
      {/* For password managers: whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field
        label="Current password"
        required
        error={errors.currentPassword?.message}
        aside={
          <Link to="/reset-password" preload={false} className={`text-dense ${authLink}`}>
            Forgot Password
          </Link>
        }
      >
        <PasswordInput
          autoComplete="current-password"
          shown={areShown}
          onShownChange={setShown}
          {...register("currentPassword")}
        />
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          label="New password"
          required
          error={errors.newPassword?.message}
          hint={!errors.newPassword && <LengthHint control={control} />}
        >
          <PasswordInput
            autoComplete="new-password"
            shown={areShown}
            {...register("newPassword", { onChange: compareAgain })}
          />
        </Field>
        <Field label="Confirm password" required error={errors.confirmPassword?.message}>
          <PasswordInput autoComplete="new-password" shown={areShown} {...register("confirmPassword")} />
        </Field>
      </div>
      <Steady>{failure && <InlineAlert tone="red">{messageOf(failure)}</InlineAlert>}</Steady>
      <Button type="submit" busy={change.isPending} busyLabel="Changing..." className="self-start max-sm:self-stretch">
        Change Password
      </Button>
    </form>
  );
}

/** The password rule, ticked off while typing. An error replaces it. */
function LengthHint({ control }: { control: Control<Passwords> }) {
  const isMet = [...useWatch({ control, name: "newPassword" })].length >= 6;
  return (
    <span className="flex items-center gap-1.5">
      {isMet && <Check size={14} className="text-green" />}
      {PASSWORD_MESSAGES.passwordTooShort}
    </span>
  );
}
