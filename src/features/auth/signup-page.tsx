import { AUTH_MESSAGES } from "@server/contract/messages/auth";
import { CREDENTIAL_MESSAGES } from "@server/contract/messages/credentials";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Resolver, useForm } from "react-hook-form";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { InlineAlert } from "@/ui/inline-alert";
import { Steady } from "@/ui/steady";
import { AuthLayout, authLink } from "./auth-layout";
import { forgetGoogleSignUp, GoogleButton, noteGoogleSignUp } from "./google-button";
import type { SignupDone } from "./signup-done";
import { type SignUpValues, SignupFields } from "./signup-fields";
import { useGoogle, useSignUp } from "./use-auth";

const FIELDS = ["name", "email", "mobile", "password", "confirmPassword", "agreeToTerms"] as const;
const loadCheck = () => import("./signup-check");
const loadDone = () => import("./signup-done");

/** The server checks again, so if the rules' code has not loaded the server reports the errors. */
const resolver: Resolver<SignUpValues> = async (values, context, options) => {
  const rules = await loadCheck().catch(() => null);
  return rules ? rules.checkSignUp(values, context, options) : { values, errors: {} };
};

/** /signup. Requests an account that awaits approval. Keeps what is typed when it fails. */
export function SignupPage() {
  const navigate = useNavigate();
  const signUp = useSignUp();
  const google = useGoogle();
  const [Done, setDone] = useState<typeof SignupDone | null>(null);
  const form = useForm<SignUpValues>({
    resolver,
    mode: "onTouched",
    defaultValues: { name: "", email: "", mobile: "", password: "", confirmPassword: "" },
  });

  const { isDirty, isSubmitting } = form.formState;
  useUnsavedForm(() => isDirty && !signUp.isSuccess);
  const submit = useSubmitOnce(
    form.handleSubmit(async (values) => {
      google.reset();
      try {
        await signUp.mutateAsync(values);
      } catch (error) {
        const refused = fieldErrorsOf(error);
        const first = FIELDS.find((field) => refused[field]);
        for (const field of FIELDS) {
          const message = refused[field];
          if (message) form.setError(field, { message }, { shouldFocus: field === first });
        }
        return;
      }
      await loadDone().then((module) => setDone(() => module.SignupDone), leave);
    }),
  );

  function signUpWithGoogle(): void {
    signUp.reset();
    noteGoogleSignUp();
    google.mutate({ intent: "signUp" }, { onError: forgetGoogleSignUp });
  }

  function leave(): void {
    void navigate({ to: "/login", state: { email: form.getValues("email").trim() } });
  }

  return (
    <AuthLayout title="Create Account" lead="An admin approves each new account before its first login.">
      <form
        noValidate
        onSubmit={(event) => void submit(event)}
        onFocus={() => void Promise.all([loadCheck(), loadDone()]).catch(() => {})}
        className="flex flex-col gap-4"
      >
        <Steady>
          {(signUp.error || google.isError) && (
            <div ref={bringIntoView}>
              <InlineAlert tone="red">
                {signUp.error
                  ? `${CREDENTIAL_MESSAGES.signUpFailed}${messageOf(signUp.error)}`
                  : AUTH_MESSAGES.googleSignUpFailed}
              </InlineAlert>
            </div>
          )}
        </Steady>
        <SignupFields form={form} />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          wide
          busy={isSubmitting || (signUp.isSuccess && !Done)}
          busyLabel="Creating account..."
          className="mt-1"
        >
          Create Account
        </Button>
        <GoogleButton busy={google.isPending || google.isSuccess} onClick={signUpWithGoogle}>
          Sign up with Google
        </GoogleButton>
      </form>
      <p className="mt-6 text-ink2">
        Already have an account?{" "}
        <Link to="/login" className={authLink}>
          Log in
        </Link>
      </p>
      {Done && <Done email={form.getValues("email")} onLeave={leave} />}
    </AuthLayout>
  );
}

/** On a phone the buttons are far from the top of the form. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}
