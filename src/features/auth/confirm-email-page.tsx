import { EMAIL_CONFIRMATION_MESSAGES } from "@server/contract/messages/email-confirmation";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { codeOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { InlineAlert } from "@/ui/inline-alert";
import { Steady } from "@/ui/steady";
import { AuthLayout, authLink } from "./auth-layout";
import { LinkRequestForm } from "./link-request-form";
import { Failure } from "./login-outcome";
import { useConfirmEmail, useResendConfirmation } from "./use-auth";

const route = getRouteApi("/confirm-email");
const LEAD = "This shows that the address is yours. An admin approves each new account before its first login.";

/**
 * /confirm-email. Opening the page confirms nothing: mail scanners follow links. The token stays in the address, so that a
 * reload keeps the button; it can only confirm.
 */
export function ConfirmEmailPage() {
  const { token } = route.useSearch();
  const confirm = useConfirmEmail();
  // Expired, used or truncated by a mail program: in each case offer a new one.
  const isDead = codeOf(confirm.error) === "BAD_REQUEST";
  return (
    <AuthLayout title="Confirm your email" lead={LEAD}>
      {confirm.isSuccess ? (
        <Confirmed />
      ) : token === undefined || isDead ? (
        <NewLink isDead={isDead} />
      ) : (
        <div className="flex flex-col gap-4">
          <Steady>
            {confirm.error && <Failure title={EMAIL_CONFIRMATION_MESSAGES.confirmFailed} error={confirm.error} />}
          </Steady>
          <Button
            variant="primary"
            size="lg"
            wide
            busy={confirm.isPending}
            busyLabel="Confirming..."
            onClick={() => confirm.mutate({ token })}
          >
            Confirm email
          </Button>
        </div>
      )}
    </AuthLayout>
  );
}

function Confirmed() {
  const login = useRef<HTMLAnchorElement>(null);
  // The pressed button is gone.
  useEffect(() => login.current?.focus(), []);
  return (
    <>
      <InlineAlert tone="green">{EMAIL_CONFIRMATION_MESSAGES.confirmed}</InlineAlert>
      <p className="mt-4 text-ink2">
        We will email you when an admin approves your account. If that has already happened, you can{" "}
        <Link ref={login} to="/login" className={authLink}>
          log in
        </Link>
        .
      </p>
    </>
  );
}

function NewLink({ isDead }: { isDead: boolean }) {
  const request = useResendConfirmation();
  const isAsked = request.isSuccess || request.isError;
  return (
    <>
      <Steady>
        {isDead && !isAsked && (
          <InlineAlert tone="red" className="mb-4">
            <p>{EMAIL_CONFIRMATION_MESSAGES.linkDead}</p>
            <p>If you have already confirmed your email, you are done. Otherwise request a new link.</p>
          </InlineAlert>
        )}
      </Steady>
      <LinkRequestForm request={request} outcome={(error) => <ResendOutcome error={error} />} takesFocus={isDead} />
      <p className="mt-6 text-ink2">
        Confirmed and approved?{" "}
        <Link to="/login" className={authLink}>
          Log in
        </Link>
      </p>
    </>
  );
}

function ResendOutcome({ error }: { error: unknown }) {
  if (error) return <Failure title={EMAIL_CONFIRMATION_MESSAGES.sendFailed} error={error} />;
  return <InlineAlert tone="green">{EMAIL_CONFIRMATION_MESSAGES.sentAgain}</InlineAlert>;
}
