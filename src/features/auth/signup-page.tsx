import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { signUpSchema } from "@server/contract/accounts";
import { MESSAGES } from "@server/contract/messages";
import { Link, useNavigate } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { useState } from "react";
import { type Control, useForm, useWatch } from "react-hook-form";
import type { z } from "zod/mini";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Field } from "@/ui/field";
import { InlineAlert } from "@/ui/inline-alert";
import { PasswordInput } from "@/ui/password-input";
import { TextInput } from "@/ui/text-input";
import { AuthLayout } from "./auth-layout";
import type { SignupDone } from "./signup-done";
import { useSignUp } from "./use-auth";

type Values = z.input<typeof signUpSchema>;

const FIELDS = ["name", "email", "mobile", "password", "confirmPassword", "agreeToTerms"] as const;
const loadDone = () => import("./signup-done");
const link = "font-medium text-brand-text underline underline-offset-3";

const bySchema = standardSchemaResolver(signUpSchema);

/** The schema compares the passwords once every field is right by itself; a reader wants to know at once. */
const resolver: typeof bySchema = async (values, context, options) => {
  const result = await bySchema(values, context, options);
  const { password, confirmPassword } = values;
  if (confirmPassword === "" || confirmPassword === password || "confirmPassword" in result.errors) return result;
  const mismatch = { type: "custom", message: MESSAGES.auth.passwordsDiffer };
  return { values: {}, errors: { ...result.errors, confirmPassword: mismatch } };
};

/** /signup. Makes an account that awaits an admin; nothing typed is lost when it fails. */
export function SignupPage() {
  const navigate = useNavigate();
  const signUp = useSignUp();
  const [passwordsShown, setPasswordsShown] = useState(false);
  const [Done, setDone] = useState<typeof SignupDone | null>(null);
  const { register, handleSubmit, setError, control, getValues, trigger, formState } = useForm<Values>({
    resolver,
    mode: "onTouched",
    defaultValues: { name: "", email: "", mobile: "", password: "", confirmPassword: "" },
  });
  const { errors } = formState;

  const submit = handleSubmit((values) =>
    signUp.mutate(values, {
      onSuccess: () => loadDone().then((module) => setDone(() => module.SignupDone), leave),
      onError(error) {
        const refused = fieldErrorsOf(error);
        for (const field of FIELDS) {
          const message = refused[field];
          if (message) setError(field, { message }, { shouldFocus: true });
        }
      },
    }),
  );

  function compareAgain(): void {
    if (getValues("confirmPassword") !== "") void trigger("confirmPassword");
  }

  function leave(): void {
    void navigate({ to: "/login", state: { email: getValues("email").trim() } });
  }

  return (
    <AuthLayout title="Create Account" lead="An admin approves each new account before its first login.">
      <form
        noValidate
        onSubmit={submit}
        onFocus={() => void loadDone().catch(() => {})}
        className="flex flex-col gap-4"
      >
        {signUp.error && (
          <InlineAlert tone="red">
            {MESSAGES.auth.signUpFailed}
            {messageOf(signUp.error)}
          </InlineAlert>
        )}
        <Field label="Full name" required error={errors.name?.message}>
          <TextInput autoComplete="name" {...register("name")} />
        </Field>
        <Field label="Email" required error={errors.email?.message}>
          <TextInput
            type="email"
            autoComplete="email"
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
            {...register("email")}
          />
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
        <Checkbox
          error={errors.agreeToTerms?.message}
          label={
            <>
              I agree to the{" "}
              <a href="/terms" target="_blank" rel="noopener" className={link}>
                Terms
              </a>{" "}
              and the{" "}
              <a href="/privacy" target="_blank" rel="noopener" className={link}>
                Privacy Policy
              </a>
            </>
          }
          {...register("agreeToTerms")}
        />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          wide
          busy={signUp.isPending || signUp.isSuccess}
          busyLabel="Creating account..."
          className="mt-1"
        >
          Create Account
        </Button>
      </form>
      <p className="mt-6 text-ink2">
        Already have an account?{" "}
        <Link to="/login" className={link}>
          Log in
        </Link>
      </p>
      {Done && <Done onLeave={leave} />}
    </AuthLayout>
  );
}

/** The one rule for passwords, ticked off while typing; the error takes its place when it is broken. */
function PasswordHint({ control }: { control: Control<Values> }) {
  const isMet = useWatch({ control, name: "password" }).length >= 6;
  return (
    <span className="flex items-center gap-1.5">
      {isMet && <Check aria-hidden="true" size={14} strokeWidth={1.75} className="text-green" />}
      {MESSAGES.auth.passwordTooShort}
    </span>
  );
}
