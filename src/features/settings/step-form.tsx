import { type FormEvent, type ReactNode, useRef } from "react";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { InlineAlert } from "@/ui/inline-alert";
import { Steady } from "@/ui/steady";

type StepFormProps = {
  label: string;
  /** Why it was refused, where no field says so. */
  failure: unknown;
  submit: { label: string; busyLabel: string; variant?: "primary" | "danger" };
  busy: boolean;
  onSubmit: () => void;
  /** Without it there is no way out but through. */
  onCancel?: (() => void) | undefined;
  children: ReactNode;
};

/** A form of one or two uncontrolled fields that opens in a section of the settings, with its refusal above and its buttons below them. */
export function StepForm({ label, failure, submit, busy, onSubmit, onCancel, children }: StepFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useUnsavedForm(() => [...(form.current?.querySelectorAll("input") ?? [])].some(isTyped));
  function send(event: FormEvent): void {
    event.preventDefault();
    if (!busy) onSubmit();
  }
  return (
    <form ref={form} noValidate aria-label={label} onSubmit={send} className="grid gap-4">
      <Steady>{failure ? <InlineAlert tone="red">{messageOf(failure)}</InlineAlert> : null}</Steady>
      {children}
      <div className="flex flex-wrap justify-end gap-2">
        {onCancel && (
          // What is on its way can't be called back.
          <Button variant="quiet" aria-disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button
          type="submit"
          variant={submit.variant ?? "primary"}
          busy={busy}
          busyLabel={submit.busyLabel}
          wide={!onCancel}
          className="max-sm:flex-1"
        >
          {submit.label}
        </Button>
      </div>
    </form>
  );
}

function isTyped({ value, defaultValue }: HTMLInputElement): boolean {
  return value !== defaultValue;
}
