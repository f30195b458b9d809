import { GENERAL_MESSAGES } from "@server/contract/messages/general";
import { cn } from "@/lib/cn";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { Button } from "./button";
import { InlineAlert } from "./inline-alert";
import { Steady } from "./steady";

type FormButtonsProps = {
  submit: string;
  busyLabel: string;
  busy: boolean;
  /** "secondary" where the form is always there, beside others of its page. */
  variant?: "primary" | "secondary";
  onCancel?: (() => void) | undefined;
  /** Why the last attempt failed. Shown unless it names fields, which say it themselves. */
  error?: unknown;
  /** What did not happen: "The webhook could not be added." */
  failed?: string;
};

/** Below a form in the page: why it was refused, the way out and the verb, at the end in the order of dialogs. */
export function FormButtons({ submit, busyLabel, busy, variant, onCancel, error, failed }: FormButtonsProps) {
  const isShown = Boolean(error) && Object.keys(fieldErrorsOf(error)).length === 0;
  return (
    <>
      <Steady>
        {isShown && (
          <InlineAlert tone="red">
            {failed} {messageOf(error)} {GENERAL_MESSAGES.typedIsKept}
          </InlineAlert>
        )}
      </Steady>
      <div className={cn("flex flex-wrap gap-2", onCancel && "justify-end")}>
        {onCancel && (
          // What is on its way can't be called back.
          <Button variant="quiet" aria-disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button
          type="submit"
          variant={variant ?? "primary"}
          busy={busy}
          busyLabel={busyLabel}
          className="max-sm:flex-1"
        >
          {submit}
        </Button>
      </div>
    </>
  );
}
