import { AUTH_MESSAGES } from "@server/contract/messages/auth";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useRef, useState } from "react";
import { fieldErrorsOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Steady } from "@/ui/steady";
import { TextInput } from "@/ui/text-input";
import { AuthLayout, authLink } from "./auth-layout";
import { ResetOutcome } from "./login-outcome";
import { NewPasswordForm } from "./new-password-form";
import { dropResetToken, heldResetToken } from "./reset-token";
import { useRequestReset } from "./use-auth";

/** /reset-password: with the token of a link a new password, without one the request for a link. */
export function ResetPasswordPage() {
  const [token, setToken] = useState(heldResetToken);

  function askForNewLink(): void {
    dropResetToken();
    setToken(null);
  }
  return token === null ? (
    <AuthLayout title="Reset password" lead="We send a link to your email. It works once, for 30 minutes.">
      <RequestForm />
      <BackToLogin />
    </AuthLayout>
  ) : (
    <AuthLayout title="Choose a new password" lead="It logs you out everywhere; then you log in with the new one.">
      <NewPasswordForm token={token} onAskForNewLink={askForNewLink} />
      <BackToLogin />
    </AuthLayout>
  );
}

function RequestForm() {
  const request = useRequestReset();
  const email = useRef<HTMLInputElement>(null);
  const [isBlank, setBlank] = useState(false);
  const refused = isBlank ? AUTH_MESSAGES.emailRequired : fieldErrorsOf(request.error).email;

  function submit(event: FormEvent): void {
    event.preventDefault();
    const address = email.current?.value ?? "";
    const hasNone = address.trim() === "";
    setBlank(hasNone);
    request.reset();
    if (hasNone) email.current?.focus();
    else request.mutate({ email: address }, { onError: () => email.current?.focus() });
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Steady>{(request.isSuccess || request.isError) && !refused && <ResetOutcome error={request.error} />}</Steady>
      <Field label="Email" required error={refused}>
        <TextInput
          ref={email}
          type="email"
          name="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Button
        type="submit"
        variant="primary"
        size="lg"
        wide
        busy={request.isPending}
        busyLabel="Sending..."
        className="mt-1"
      >
        Send link
      </Button>
    </form>
  );
}

function BackToLogin() {
  return (
    <p className="mt-6 text-ink2">
      Remembered it?{" "}
      <Link to="/login" className={authLink}>
        Log in
      </Link>
    </p>
  );
}
