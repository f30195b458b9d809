import { AUTH_MESSAGES } from "@server/contract/messages/auth";
import { type FormEvent, useRef, useState } from "react";
import { settleProof } from "@/lib/identity-proof";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { InlineAlert } from "@/ui/inline-alert";
import { PasswordInput } from "@/ui/password-input";
import { Steady } from "@/ui/steady";
import { TopDialog } from "@/ui/top-dialog";
import { useConfirmIdentity, useMe } from "./use-auth";

/** Opens over everything, with what was begun kept below it: once the proof is given, the call that wanted it goes on. */
export function ConfirmIdentity() {
  const { email } = useMe();
  const confirm = useConfirmIdentity();
  const password = useRef<HTMLInputElement>(null);
  const [isBlank, setBlank] = useState(false);
  const refused = fieldErrorsOf(confirm.error);
  const cancel = () => settleProof(false);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (confirm.isPending) return;
    const typed = password.current?.value ?? "";
    setBlank(typed === "");
    confirm.reset();
    const refocus = () => password.current?.focus();
    if (typed === "") refocus();
    else confirm.mutate({ password: typed }, { onError: refocus });
  }

  return (
    <TopDialog title="Confirm that it's you" onDismiss={cancel}>
      <p className="mt-2 text-ink2">
        Your last confirmation was more than 15 minutes ago. What you began goes on afterwards.
      </p>
      <form noValidate onSubmit={submit} className="mt-4 flex flex-col gap-4">
        {/* For password managers: whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <Steady>
          {confirm.error && !refused.password && <InlineAlert tone="red">{messageOf(confirm.error)}</InlineAlert>}
        </Steady>
        <Field label="Password" required error={isBlank ? AUTH_MESSAGES.passwordRequired : refused.password}>
          <PasswordInput ref={password} data-autofocus="" name="password" autoComplete="current-password" />
        </Field>
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
