import { AUTH_MESSAGES } from "@server/contract/messages/auth";
import { useRef } from "react";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";

type SignupDoneProps = { onLeave: () => void };

/** The account is there and awaits approval. Fetched while the form is being filled in. */
export function SignupDone({ onLeave }: SignupDoneProps) {
  const goToLogin = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      size="sm"
      open
      onOpenChange={onLeave}
      title="Account created"
      initialFocus={goToLogin}
      footer={
        <Button ref={goToLogin} variant="primary" onClick={onLeave}>
          Go to login
        </Button>
      }
    >
      <p className="text-reading">{AUTH_MESSAGES.signUpDone}</p>
    </Dialog>
  );
}
