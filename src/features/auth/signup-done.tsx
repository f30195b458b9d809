import { AUTH_MESSAGES } from "@server/contract/messages/auth";
import { EMAIL_CONFIRMATION_MESSAGES } from "@server/contract/messages/email-confirmation";
import { useRef } from "react";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { InlineAlert } from "@/ui/inline-alert";
import { Steady } from "@/ui/steady";
import { Failure } from "./login-outcome";
import { useResendConfirmation } from "./use-auth";

type SignupDoneProps = { email: string; onLeave: () => void };

/** The account exists and awaits confirmation and approval. Loaded while the form is being filled in. */
export function SignupDone({ email, onLeave }: SignupDoneProps) {
  const goToLogin = useRef<HTMLButtonElement>(null);
  const resend = useResendConfirmation();
  return (
    <Dialog
      size="sm"
      open
      onOpenChange={onLeave}
      title="Check your email"
      initialFocus={goToLogin}
      footer={
        <>
          <Button busy={resend.isPending} busyLabel="Sending..." onClick={() => resend.mutate({ email })}>
            Send again
          </Button>
          <Button ref={goToLogin} variant="primary" onClick={onLeave}>
            Go to login
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-reading">{AUTH_MESSAGES.signUpDone}</p>
        <p className="text-reading">{EMAIL_CONFIRMATION_MESSAGES.sent}</p>
        <Steady>
          {resend.isSuccess && <InlineAlert tone="green">{EMAIL_CONFIRMATION_MESSAGES.sentAgain}</InlineAlert>}
          {resend.error && <Failure title={EMAIL_CONFIRMATION_MESSAGES.sendFailed} error={resend.error} />}
        </Steady>
      </div>
    </Dialog>
  );
}
