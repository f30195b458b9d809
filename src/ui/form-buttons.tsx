import { GENERAL_MESSAGES } from "@server/contract/messages/general";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { Button } from "./button";
import { InlineAlert } from "./inline-alert";
import { Steady } from "./steady";

type FormButtonsProps = {
  submit: string;
  busyLabel: string;
  busy: boolean;
  onCancel?: (() => void) | undefined;
  /** Why the last attempt failed. Shown unless it names fields, which say it themselves. */
  error?: unknown;
  /** What did not happen: "The webhook could not be added." */
  failed?: string;
};

/** Below a form in the page: why it was refused, the verb, and the way out. */
export function FormButtons({ submit, busyLabel, busy, onCancel, error, failed }: FormButtonsProps) {
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
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={busy} busyLabel={busyLabel} className="max-sm:flex-1">
          {submit}
        </Button>
        {onCancel && (
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </>
  );
}
