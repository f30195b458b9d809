import { TWO_FACTOR_MESSAGES } from "@server/contract/messages/two-factor";
import type { VerifyTwoFactor } from "@server/contract/two-factor";
import type { Me } from "@server/contract/views";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { fieldErrorsOf, reasonOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Steady } from "@/ui/steady";
import { CodeField } from "./code-field";
import { SignInRefusal } from "./login-outcome";
import { useVerifyTwoFactor } from "./use-identity";

type SecondStepProps = {
  /** From the first step. */
  challenge: string;
  onSignedIn: (user: Me) => Promise<void>;
  /** Back to the first step. */
  onBack: () => void;
};

/** The second step of a sign-in: a code. Fetched when somebody needs it. */
export function SecondStep({ challenge, onSignedIn, onBack }: SecondStepProps) {
  const verify = useVerifyTwoFactor({ onSignedIn });
  const code = useRef<HTMLInputElement>(null);
  const [isBlank, setBlank] = useState(false);
  const refused = fieldErrorsOf(verify.error).code;
  const isOver = reasonOf(verify.error) === "sign-in-expired";
  // It replaces the form that had the focus.
  useEffect(() => code.current?.focus(), []);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (verify.isPending || verify.isSuccess) return;
    const typed = code.current?.value.trim() ?? "";
    setBlank(typed === "");
    verify.reset();
    if (typed === "") code.current?.focus();
    else {
      const rememberBrowser = new FormData(event.currentTarget).has("rememberBrowser" satisfies keyof VerifyTwoFactor);
      verify.mutate({ challenge, code: typed, rememberBrowser }, { onError: () => code.current?.select() });
    }
  }

  return (
    <form noValidate aria-label="Second step" onSubmit={submit} className="flex flex-col gap-4">
      <Steady>{verify.error && !refused && <SignInRefusal error={verify.error} />}</Steady>
      <CodeField ref={code} error={isBlank ? TWO_FACTOR_MESSAGES.codeRequired : refused} takesRecoveryCode />
      <Checkbox name="rememberBrowser" label="Remember this browser for 30 days" />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        wide
        disabled={isOver}
        busy={verify.isPending || verify.isSuccess}
        busyLabel="Logging in..."
      >
        Log In
      </Button>
      <Button variant="quiet" wide onClick={onBack}>
        Back
      </Button>
    </form>
  );
}
