import { AUTH_MESSAGES } from "@server/contract/messages/auth";
import { TWO_FACTOR_MESSAGES } from "@server/contract/messages/two-factor";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { settleProof } from "@/lib/identity-proof";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { InlineAlert } from "@/ui/inline-alert";
import { PasswordInput } from "@/ui/password-input";
import { Steady, useSteady } from "@/ui/steady";
import { TopDialog } from "@/ui/top-dialog";
import { CodeField } from "./code-field";
import { useMe } from "./use-auth";
import { useConfirmIdentity, useTwoFactorStatus } from "./use-identity";

const cancel = () => settleProof(false);

/** Opens over everything, with what was begun kept below it: once the proof is given, the call that wanted it goes on. */
export function ConfirmIdentity() {
  const { email } = useMe();
  const confirm = useConfirmIdentity();
  const hasTwoFactor = useSteady(useTwoFactorStatus().data?.enabled ?? false);
  const field = useRef<HTMLInputElement>(null);
  const [byCode, setByCode] = useState(false);
  const [isBlank, setBlank] = useState(false);
  const refused = fieldErrorsOf(confirm.error);
  useCancelledWhenGone();

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (confirm.isPending) return;
    const typed = field.current?.value ?? "";
    setBlank(typed === "");
    confirm.reset();
    const refocus = () => field.current?.select();
    if (typed === "") refocus();
    else confirm.mutate(byCode ? { code: typed } : { password: typed }, { onError: refocus });
  }
  function change(): void {
    confirm.reset();
    flushSync(() => {
      setByCode(!byCode);
      setBlank(false);
    });
    field.current?.focus();
  }

  return (
    <TopDialog title="Confirm that it's you" onDismiss={cancel}>
      <p className="mt-2 text-ink2">
        Your last confirmation was more than 15 minutes ago. Then what you started continues.
      </p>
      <form noValidate onSubmit={submit} className="mt-4 flex flex-col gap-4">
        {/* For password managers: whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <Steady>
          {confirm.error && !(refused.password ?? refused.code) && (
            <InlineAlert tone="red">{messageOf(confirm.error)}</InlineAlert>
          )}
        </Steady>
        {byCode ? (
          <CodeField ref={field} error={isBlank ? TWO_FACTOR_MESSAGES.codeRequired : refused.code} takesRecoveryCode />
        ) : (
          <Field label="Password" required error={isBlank ? AUTH_MESSAGES.passwordRequired : refused.password}>
            <PasswordInput ref={field} data-autofocus="" name="password" autoComplete="current-password" />
          </Field>
        )}
        {hasTwoFactor && (
          <Button variant="quiet" size="sm" className="-ms-3 self-start" onClick={change}>
            {byCode ? "Use the password instead" : "Use a code instead"}
          </Button>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="quiet" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={confirm.isPending} busyLabel="Checking...">
            Confirm
          </Button>
        </div>
      </form>
    </TopDialog>
  );
}

/** When the session ends below it: nothing may wait for an answer that nobody can give any more. */
function useCancelledWhenGone(): void {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
      // In development React takes effects back once and runs them again at once.
      queueMicrotask(() => isShown.current || cancel());
    };
  }, []);
}
