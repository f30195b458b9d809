import type { Ref } from "react";
import { Field } from "@/ui/field";
import { TextInput } from "@/ui/text-input";

type CodeFieldProps = {
  ref: Ref<HTMLInputElement>;
  error?: string | undefined;
  /** Whether a recovery code is as good. */
  takesRecoveryCode: boolean;
};

/** Six digits of the authenticator app, or a recovery code. Phones and password managers offer the present code. */
export function CodeField({ ref, error, takesRecoveryCode }: CodeFieldProps) {
  return (
    <Field
      label="Code"
      required
      error={error}
      hint={takesRecoveryCode ? "Six digits from your authenticator app, or a recovery code." : undefined}
    >
      <TextInput
        ref={ref}
        name="code"
        data-autofocus=""
        autoComplete="one-time-code"
        inputMode={takesRecoveryCode ? "text" : "numeric"}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        className="font-mono"
      />
    </Field>
  );
}
