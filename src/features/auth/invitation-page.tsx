import { ACCEPTANCE_MESSAGES } from "@server/contract/messages/acceptance";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { InlineAlert } from "@/ui/inline-alert";
import { AuthLayout, authLink } from "./auth-layout";
import { Failure } from "./login-outcome";
import { NewPasswordForm } from "./new-password-form";
import { TermsCheckbox } from "./terms-checkbox";
import { heldLinkToken, useAcceptInvitation, useSession } from "./use-auth";

const ASK_AGAIN = "Ask the person who invited you to send the invitation again.";

/** /invitation. Opening the page accepts nothing: mail scanners follow links. */
export function InvitationPage() {
  const [token] = useState(() => heldLinkToken("invitation"));
  const accept = useAcceptInvitation();
  return (
    <AuthLayout title="Accept your invitation" lead="Choose a password. Your account is active at once.">
      {accept.isSuccess ? (
        <Accepted email={accept.data.email} />
      ) : (
        <>
          {token === null ? (
            <InlineAlert tone="orange">
              <p>Open the link in your invitation email.</p>
              <p>It works once, within 7 days. {ASK_AGAIN}</p>
            </InlineAlert>
          ) : (
            <NewPasswordForm
              save={accept}
              onSubmit={(passwords) => accept.mutate({ token, ...passwords, agreeToTerms: true })}
              submitLabel="Accept invitation"
              Terms={TermsCheckbox}
              outcome={(error) => <Failure title={ACCEPTANCE_MESSAGES.acceptFailed} error={error} />}
              deadLink={
                <>
                  <p>{ACCEPTANCE_MESSAGES.linkDead}</p>
                  <p>{ASK_AGAIN}</p>
                </>
              }
            />
          )}
          <p className="mt-6 text-ink2">
            Already accepted?{" "}
            <Link to="/login" className={authLink}>
              Log in
            </Link>
          </p>
        </>
      )}
    </AuthLayout>
  );
}

function Accepted({ email }: { email: string }) {
  const login = useRef<HTMLAnchorElement>(null);
  const { data: me } = useSession();
  // The pressed button is gone.
  useEffect(() => login.current?.focus(), []);
  return (
    <>
      <InlineAlert tone="green">{ACCEPTANCE_MESSAGES.accepted}</InlineAlert>
      <p className="mt-4 text-ink2">
        {me ? (
          <>
            This browser is logged in as {me.displayName}. Log out there first, or use another browser:{" "}
            <Link ref={login} to="/login" className={authLink}>
              continue as {me.displayName}
            </Link>
          </>
        ) : (
          <>
            Your email is {email}.{" "}
            <Link ref={login} to="/login" state={{ email }} className={authLink}>
              Log in
            </Link>
          </>
        )}
      </p>
    </>
  );
}
