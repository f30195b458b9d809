import { ConfirmDialog } from "./confirm-dialog";
import type { FocusTarget } from "./dialog";

type DiscardDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDiscard: () => void;
  finalFocus?: FocusTarget | undefined;
};

/** Asks before what was typed is thrown away. */
export function DiscardDialog({ onDiscard, ...rest }: DiscardDialogProps) {
  return (
    <ConfirmDialog
      {...rest}
      title="Discard changes?"
      question="Your changes will be lost."
      cancelLabel="Keep editing"
      confirmLabel="Discard"
      onConfirm={onDiscard}
    />
  );
}
