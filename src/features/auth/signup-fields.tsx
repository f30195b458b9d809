import type { signUpSchema } from "@server/contract/accounts";
import { PASSWORD_MESSAGES } from "@server/contract/messages/passwords";
import { Check } from "lucide-react";
import { useState } from "react";
import { type Control, type UseFormReturn, useWatch } from "react-hook-form";
import type { z } from "zod/mini";
import { Field } from "@/ui/field";
import { PasswordInput } from "@/ui/password-input";
import { EmailInput, TextInput } from "@/ui/text-input";
import { TermsCheckbox } from "./terms-checkbox";

/** The values while the form is filled in. */
export type SignUpValues = z.input<typeof signUpSchema>;

/** The fields of /signup with their errors. */
export function SignupFields({ form }: { form: UseFormReturn<SignUpValues> }) {
  const {
    register,
    control,
    getValues,
    trigger,
    formState: { errors },
  } = form;
  const [passwordsShown, setPasswordsShown] = useState(false);

  function compareAgain(): void {
    if (getValues("confirmPassword") !== "") void trigger("confirmPassword");
  }

  return (
    <>
      <Field label="Full name" required error={errors.name?.message}>
        <TextInput autoComplete="name" {...register("name")} />
      </Field>
      <Field label="Email" required error={errors.email?.message}>
        <EmailInput {...register("email")} />
      </Field>
      <Field label="Phone number" required error={errors.mobile?.message}>
        <TextInput type="tel" autoComplete="tel" {...register("mobile")} />
      </Field>
      <Field
        label="Password"
        required
        error={errors.password?.message}
        hint={!errors.password && <PasswordHint control={control} />}
      >
        <PasswordInput
          autoComplete="new-password"
          shown={passwordsShown}
          onShownChange={setPasswordsShown}
          {...register("password", {
            onBlur: compareAgain,
            onChange: () => errors.confirmPassword && compareAgain(),
          })}
        />
      </Field>
      <Field label="Confirm password" required error={errors.confirmPassword?.message}>
        <PasswordInput autoComplete="new-password" shown={passwordsShown} {...register("confirmPassword")} />
      </Field>
      <TermsCheckbox error={errors.agreeToTerms?.message} {...register("agreeToTerms")} />
    </>
  );
}

/** The password rule, ticked off while typing. An error replaces it. */
function PasswordHint({ control }: { control: Control<SignUpValues> }) {
  const isMet = [...useWatch({ control, name: "password" })].length >= 6;
  return (
    <span className="flex items-center gap-1.5">
      {isMet && <Check size={14} className="text-green" />}
      {PASSWORD_MESSAGES.passwordTooShort}
    </span>
  );
}
