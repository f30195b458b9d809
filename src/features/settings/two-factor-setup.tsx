import { AUTH_MESSAGES } from "@server/contract/messages/auth";
import { TWO_FACTOR_MESSAGES } from "@server/contract/messages/two-factor";
import type { TwoFactorSetup as Setup } from "@server/contract/views";
import { useEffect, useRef, useState } from "react";
import { CodeField } from "@/features/auth/code-field";
import { useMe } from "@/features/auth/use-auth";
import { fieldErrorsOf } from "@/lib/user-message";
import { Field } from "@/ui/field";
import { PasswordInput } from "@/ui/password-input";
import { RecoveryCodes } from "./recovery-codes";
import { StepForm } from "./step-form";
import { useConfirmTwoFactor, useEnableTwoFactor } from "./use-two-factor";

type TwoFactorSetupProps = {
  onDone?: (() => void) | undefined;
  /** Without it there is no way out but through. */
  onCancel?: (() => void) | undefined;
};

/** Password, then the authenticator app and the recovery codes, then the first code. */
export function TwoFactorSetup({ onDone, onCancel }: TwoFactorSetupProps) {
  const [setup, setSetup] = useState<Setup | null>(null);
  return setup ? (
    <AppStep setup={setup} onDone={onDone} onCancel={onCancel} />
  ) : (
    <PasswordStep onBegun={setSetup} onCancel={onCancel} />
  );
}

function PasswordStep({
  onBegun,
  onCancel,
}: Pick<TwoFactorSetupProps, "onCancel"> & { onBegun: (setup: Setup) => void }) {
  const { email } = useMe();
  const enable = useEnableTwoFactor();
  const password = useRef<HTMLInputElement>(null);
  const [isBlank, setBlank] = useState(false);
  const refused = fieldErrorsOf(enable.error).password;
  // The form replaces the button that had the focus.
  useEffect(() => password.current?.focus(), []);

  function submit(): void {
    const typed = password.current?.value ?? "";
    setBlank(typed === "");
    enable.reset();
    if (typed === "") password.current?.focus();
    else enable.mutate({ password: typed }, { onSuccess: onBegun, onError: () => password.current?.select() });
  }
  return (
    <StepForm
      label="Set up two-factor sign-in"
      failure={refused ? null : enable.error}
      submit={{ label: "Continue", busyLabel: "Checking..." }}
      busy={enable.isPending}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <p>You need an authenticator app on your phone: Google Authenticator, Aegis, 1Password or another.</p>
      {/* For password managers: whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field label="Your password" required error={isBlank ? AUTH_MESSAGES.passwordRequired : refused}>
        <PasswordInput ref={password} name="password" autoComplete="current-password" />
      </Field>
    </StepForm>
  );
}

function AppStep({ setup, onDone, onCancel }: TwoFactorSetupProps & { setup: Setup }) {
  const confirm = useConfirmTwoFactor();
  const code = useRef<HTMLInputElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [isBlank, setBlank] = useState(false);
  const refused = fieldErrorsOf(confirm.error).code;
  useEffect(() => heading.current?.focus(), []);

  function submit(): void {
    const typed = code.current?.value.trim() ?? "";
    setBlank(typed === "");
    confirm.reset();
    if (typed === "") code.current?.focus();
    else confirm.mutate({ code: typed }, { onSuccess: () => onDone?.(), onError: () => code.current?.select() });
  }
  return (
    <div className="grid gap-6">
      <section className="grid gap-3">
        <h3 ref={heading} tabIndex={-1} className="font-semibold">
          1. Add Sangam to your app
        </h3>
        <p>Scan this code with your authenticator app, or type the key into it.</p>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <img
            src={`data:image/svg+xml,${encodeURIComponent(setup.qrCode)}`}
            alt="QR code for your authenticator app"
            width={180}
            height={180}
            className="rounded-control bg-white"
          />
          <p className="min-w-0 flex-1 basis-52">
            <span className="block font-medium text-dense">Key</span>
            <code className="font-mono text-dense [overflow-wrap:anywhere]">
              {setup.secret.replace(/(.{4})(?=.)/g, "$1 ")}
            </code>
          </p>
        </div>
      </section>
      <section className="grid gap-3">
        <h3 className="font-semibold">2. Save your recovery codes</h3>
        <RecoveryCodes codes={setup.recoveryCodes} />
      </section>
      <section className="grid gap-4">
        <h3 className="font-semibold">3. Enter the code that the app shows</h3>
        <StepForm
          label="First code"
          failure={refused ? null : confirm.error}
          submit={{ label: "Turn On", busyLabel: "Checking..." }}
          busy={confirm.isPending}
          onSubmit={submit}
          onCancel={onCancel}
        >
          <CodeField
            ref={code}
            error={isBlank ? TWO_FACTOR_MESSAGES.appCodeRequired : refused}
            takesRecoveryCode={false}
          />
        </StepForm>
      </section>
    </div>
  );
}
