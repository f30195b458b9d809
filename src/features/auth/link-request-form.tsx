import { AUTH_MESSAGES } from "@server/contract/messages/auth";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { fieldErrorsOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Steady } from "@/ui/steady";
import { EmailInput } from "@/ui/text-input";

type LinkRequest = {
  isPending: boolean;
  isSuccess: boolean;
  isError: boolean;
  error: unknown;
  reset: () => void;
  mutate: (input: { email: string }, options: { onError: () => void }) => void;
};
type LinkRequestFormProps = {
  request: LinkRequest;
  /** The error; null for success. */
  outcome: (error: unknown) => ReactNode;
  /** It stands where something was pressed that is gone now. */
  takesFocus?: boolean | undefined;
};

/** An email address to send a link to. */
export function LinkRequestForm({ request, outcome, takesFocus = false }: LinkRequestFormProps) {
  const email = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) email.current?.focus();
  }, [takesFocus]);
  useUnsavedForm(() => !request.isSuccess && Boolean(email.current?.value));
  const [isBlank, setBlank] = useState(false);
  const refused = isBlank ? AUTH_MESSAGES.emailRequired : fieldErrorsOf(request.error).email;

  function submit(event: FormEvent): void {
    event.preventDefault();
    const address = email.current?.value ?? "";
    const hasNone = address.trim() === "";
    setBlank(hasNone);
    request.reset();
    if (hasNone) email.current?.focus();
    else request.mutate({ email: address }, { onError: () => email.current?.focus() });
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Steady>{(request.isSuccess || request.isError) && !refused && outcome(request.error)}</Steady>
      <Field label="Email" required error={refused}>
        <EmailInput ref={email} name="email" autoComplete="username" />
      </Field>
      <Button
        type="submit"
        variant="primary"
        size="lg"
        wide
        busy={request.isPending}
        busyLabel="Sending..."
        className="mt-1"
      >
        Send link
      </Button>
    </form>
  );
}
