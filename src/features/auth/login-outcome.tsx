import { AUTH_MESSAGES } from "@server/contract/messages/auth";
import { useEffect, useState } from "react";
import { codeOf, isRefusal, messageOf, NOTICES, type Notice, reasonOf } from "@/lib/user-message";
import { InlineAlert } from "@/ui/inline-alert";
import { forgetGoogleSignUp, isGoogleSignUp } from "./google-button";

/** Why the last attempt to sign in failed. */
export function SignInRefusal({ error }: { error: unknown }) {
  // Not an error: the account awaits approval.
  return <InlineAlert tone={reasonOf(error) === "account-pending" ? "orange" : "red"}>{messageOf(error)}</InlineAlert>;
}

/** Why the visitor was redirected here. */
export function NoticeAlert({ notice }: { notice: Notice }) {
  if (notice === "signed-out") return <p role="status">{NOTICES[notice]}</p>;
  if (notice === "reset") return <InlineAlert tone="green">{NOTICES[notice]}</InlineAlert>;
  if (notice !== "pending") return <InlineAlert tone="red">{NOTICES[notice]}</InlineAlert>;
  return (
    <>
      <InlineAlert tone="orange">{NOTICES.pending}</InlineAlert>
      <GoogleSignUpDone />
    </>
  );
}

/** The email is on its way, or why the request failed. */
export function ResetOutcome({ error }: { error: unknown }) {
  if (!error) return <InlineAlert tone="green">{AUTH_MESSAGES.resetSent}</InlineAlert>;
  return <Failure title={AUTH_MESSAGES.resetFailed} error={error} />;
}

/** What failed, and the reason if the server gave one. */
export function Failure({ title, error }: { title: string; error: unknown }) {
  return (
    <InlineAlert tone="red">
      {title}
      {(isRefusal(error) || codeOf(error) === "SERVICE_UNAVAILABLE") && <p>{messageOf(error)}</p>}
    </InlineAlert>
  );
}

/** After "Sign up with Google": the same message as after any sign-up. */
function GoogleSignUpDone() {
  const [isNew] = useState(isGoogleSignUp);
  useEffect(forgetGoogleSignUp, []);
  return isNew && <p role="status">{AUTH_MESSAGES.signUpDone}</p>;
}
