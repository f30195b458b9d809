import { PASSWORD_MESSAGES } from "@server/contract/messages/passwords";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "@/ui/button";
import { AuthLayout, authLink } from "./auth-layout";
import { LinkRequestForm } from "./link-request-form";
import { ResetOutcome } from "./login-outcome";
import { NewPasswordForm } from "./new-password-form";
import { dropLinkToken, heldLinkToken, useRequestReset, useResetPassword } from "./use-auth";

/** /reset-password: with a token the form for a new password, without one the request for a link. */
export function ResetPasswordPage() {
  const [token, setToken] = useState(() => heldLinkToken("reset"));
  const [isAnew, setAnew] = useState(false);

  function askForNewLink(): void {
    dropLinkToken("reset");
    setToken(null);
    setAnew(true);
  }
  return token === null ? (
    <AuthLayout title="Reset password" lead="We'll email you a link. It works once, within 30 minutes.">
      <RequestForm takesFocus={isAnew} />
      <BackToLogin />
    </AuthLayout>
  ) : (
    <AuthLayout
      title="Choose a new password"
      lead="You'll be logged out everywhere. Then log in with the new password."
    >
      <ResetForm token={token} onAskForNewLink={askForNewLink} />
      <BackToLogin />
    </AuthLayout>
  );
}

function ResetForm({ token, onAskForNewLink }: { token: string; onAskForNewLink: () => void }) {
  const reset = useResetPassword();
  return (
    <NewPasswordForm
      save={reset}
      onSubmit={(passwords) => reset.mutate({ token, ...passwords })}
      submitLabel="Set new password"
      outcome={(error) => <ResetOutcome error={error} />}
      deadLink={
        <>
          <p>{PASSWORD_MESSAGES.resetLinkDead}</p>
          <Button size="sm" className="mt-2.5" onClick={onAskForNewLink}>
            Request a new link
          </Button>
        </>
      }
    />
  );
}

function RequestForm({ takesFocus }: { takesFocus: boolean }) {
  const request = useRequestReset();
  return (
    <LinkRequestForm request={request} outcome={(error) => <ResetOutcome error={error} />} takesFocus={takesFocus} />
  );
}

function BackToLogin() {
  return (
    <p className="mt-6 text-ink2">
      Remembered your password?{" "}
      <Link to="/login" className={authLink}>
        Log in
      </Link>
    </p>
  );
}
