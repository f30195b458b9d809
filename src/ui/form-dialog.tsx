import { type ReactNode, useId } from "react";
import { Button } from "./button";
import { Dialog } from "./dialog";

type FormDialogProps = {
  open: boolean;
  title: string;
  description?: string;
  /** The verb of the button, and the same while it is sent. */
  submit: string;
  busyLabel: string;
  busy: boolean;
  /** Cancel, Escape and the X; not while it is sent. */
  onLeave: () => void;
  /** The form; its id is what the button submits. */
  children: (formId: string) => ReactNode;
};

/** A dialog around a form, with "Cancel" and what sends it below. */
export function FormDialog({ open, submit, busy, busyLabel, onLeave, children, ...dialog }: FormDialogProps) {
  const formId = useId();
  const leave = () => !busy && onLeave();
  return (
    <Dialog
      {...dialog}
      open={open}
      onOpenChange={(next) => !next && leave()}
      footer={
        <>
          <Button variant="quiet" aria-disabled={busy} onClick={leave}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={busy} busyLabel={busyLabel}>
            {submit}
          </Button>
        </>
      }
    >
      {children(formId)}
    </Dialog>
  );
}
