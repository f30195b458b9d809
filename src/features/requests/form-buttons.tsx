import { Button } from "@/ui/button";

type FormButtonsProps = { submit: string; busyLabel: string; isBusy: boolean; onCancel?: (() => void) | undefined };

/** Below a form about a request: the verb, and the way out. */
export function FormButtons({ submit, busyLabel, isBusy, onCancel }: FormButtonsProps) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {onCancel && (
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      )}
      <Button variant="primary" type="submit" busy={isBusy} busyLabel={busyLabel}>
        {submit}
      </Button>
    </div>
  );
}
