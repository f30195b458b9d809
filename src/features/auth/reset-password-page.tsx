import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { AuthLayout, authLink } from "./auth-layout";
import { LinkRequestForm } from "./link-request-form";
import { ResetOutcome } from "./login-outcome";
import { NewPasswordForm } from "./new-password-form";
import { dropResetToken, heldResetToken, useRequestReset } from "./use-auth";

/** /reset-password: with a token the form for a new password, without one the request for a link. */
export function ResetPasswordPage() {
  const [token, setToken] = useState(heldResetToken);

  function askForNewLink(): void {
    dropResetToken();
    setToken(null);
  }
  return token === null ? (
    <AuthLayout title="Reset password" lead="We'll email you a link. It works once, within 30 minutes.">
      <RequestForm />
      <BackToLogin />
    </AuthLayout>
  ) : (
    <AuthLayout
      title="Choose a new password"
      lead="You'll be logged out everywhere. Then log in with the new password."
    >
      <NewPasswordForm token={token} onAskForNewLink={askForNewLink} />
      <BackToLogin />
    </AuthLayout>
  );
}

function RequestForm() {
  return <LinkRequestForm request={useRequestReset()} outcome={(error) => <ResetOutcome error={error} />} />;
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
