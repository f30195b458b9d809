import { AUTH_MESSAGES } from "@server/contract/messages/auth";
import { TWO_FACTOR_MESSAGES } from "@server/contract/messages/two-factor";
import type { TwoFactorStatus } from "@server/contract/views";
import { CircleCheck, ShieldOff } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { CodeField } from "@/features/auth/code-field";
import { useTwoFactorStatus } from "@/features/auth/use-identity";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Chip } from "@/ui/chip";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Field } from "@/ui/field";
import { InlineAlert } from "@/ui/inline-alert";
import { PasswordInput } from "@/ui/password-input";
import { Skeleton } from "@/ui/skeleton";
import { Steady } from "@/ui/steady";
import { RecoveryCodes } from "./recovery-codes";
import { StepForm } from "./step-form";
import { TwoFactorSetup } from "./two-factor-setup";
import { useDisableTwoFactor, useRenewRecoveryCodes } from "./use-two-factor";

/** Whether the person's two-factor sign-in is on, with what sets it up and turns it off. */
export function TwoFactor() {
  const { data, isPending, isFetching, error, refetch } = useTwoFactorStatus();
  return (
    <Delayed pending={isPending} label="Loading two-factor sign-in" skeleton={<Skeleton className="h-12 w-full" />}>
      {() =>
        data ? (
          <Status status={data} />
        ) : (
          <ErrorState message={messageOf(error)} busy={isFetching} onRetry={() => void refetch()} className="py-4" />
        )
      }
    </Delayed>
  );
}

function Status({ status: { enabled, required, recoveryCodesLeft } }: { status: TwoFactorStatus }) {
  const [open, setOpen] = useState<"set-up" | "off" | null>(null);
  const renew = useRenewRecoveryCodes();
  const actions = useRef<HTMLDivElement>(null);

  function close(): void {
    // An answer closes it too: outside of an event React would draw the buttons at some later time.
    flushSync(() => setOpen(null));
    actions.current?.querySelector<HTMLElement>("button")?.focus();
  }
  /** Those on the screen are worth nothing once it is off. */
  function endCodes(): void {
    renew.reset();
    close();
  }
  return (
    <div className="grid gap-4">
      <div className="grid justify-items-start gap-2">
        {enabled ? (
          <Chip tone="green" icon={CircleCheck} label="On" />
        ) : (
          <Chip tone="grey" icon={ShieldOff} label="Off" />
        )}
        <p className="text-ink2">
          {enabled
            ? `${recoveryCodesLeft} of 10 recovery codes left. New ones replace them at once.`
            : "With it, a stolen password is not enough: logging in also takes a code from your phone."}
          {required && " Your organisation requires it for admins."}
        </p>
      </div>
      <Steady>{renew.error && <InlineAlert tone="red">{messageOf(renew.error)}</InlineAlert>}</Steady>
      {renew.data && <RecoveryCodes codes={renew.data.recoveryCodes} />}
      {open === "set-up" && <TwoFactorSetup onDone={close} onCancel={close} />}
      {open === "off" && <TurnOff isRequired={required} onDone={endCodes} onClose={close} />}
      {open === null && (
        <div ref={actions} className="flex flex-wrap gap-2">
          {/* One button, so that it keeps the focus when what it does changes. */}
          <Button
            busy={renew.isPending}
            busyLabel="Creating..."
            className={enabled ? undefined : "max-sm:flex-1"}
            onClick={() => (enabled ? renew.mutate() : setOpen("set-up"))}
          >
            {enabled ? "New Recovery Codes" : "Set Up"}
          </Button>
          {enabled && (
            <Button variant="danger" onClick={() => setOpen("off")}>
              Turn Off
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** Password and code. Keeps what is typed when it is refused. */
function TurnOff({ isRequired, onDone, onClose }: { isRequired: boolean; onDone: () => void; onClose: () => void }) {
  const disable = useDisableTwoFactor();
  const password = useRef<HTMLInputElement>(null);
  const code = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState<{ password?: string; code?: string }>({});
  const refused: typeof missing = fieldErrorsOf(disable.error);
  useEffect(() => password.current?.focus(), []);

  function submit(): void {
    const typed = { password: password.current?.value ?? "", code: code.current?.value.trim() ?? "" };
    const found = {
      ...(typed.password === "" && { password: AUTH_MESSAGES.passwordRequired }),
      ...(typed.code === "" && { code: TWO_FACTOR_MESSAGES.codeRequired }),
    };
    setMissing(found);
    disable.reset();
    const complain = (about: typeof missing) => (about.password ? password : code).current?.select();
    if (found.password ?? found.code) complain(found);
    else disable.mutate(typed, { onSuccess: onDone, onError: (error) => complain(fieldErrorsOf(error)) });
  }
  const failure = disable.error && !(refused.password ?? refused.code) ? disable.error : null;
  return (
    <StepForm
      label="Turn off two-factor sign-in"
      failure={failure}
      submit={{ label: "Turn Off", busyLabel: "Turning off...", variant: "danger" }}
      busy={disable.isPending}
      onSubmit={submit}
      onCancel={onClose}
    >
      {isRequired && (
        <InlineAlert tone="orange">
          Your organisation requires it for admins: you will have to set it up again before you can do anything else.
        </InlineAlert>
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Your password" required error={missing.password ?? refused.password}>
          <PasswordInput ref={password} name="password" autoComplete="current-password" />
        </Field>
        <CodeField ref={code} error={missing.code ?? refused.code} takesRecoveryCode />
      </div>
    </StepForm>
  );
}
