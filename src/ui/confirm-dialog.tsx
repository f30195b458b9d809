import { AlertDialog as Base } from "@base-ui/react/alert-dialog";
import { type ReactNode, useRef } from "react";
import { cn } from "@/lib/cn";
import { Button } from "./button";
import { DialogBackdrop, type FocusTarget } from "./dialog";
import { useSteady } from "./steady";
import { useLast } from "./use-last";

export type ConfirmDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Short, such as "Delete task". */
  title: string;
  /** The question itself; it is the dialog's description. */
  question: ReactNode;
  /** The verb, such as "Delete". */
  confirmLabel: string;
  /** The verb while at work, such as "Deleting...". */
  busyLabel?: string | undefined;
  cancelLabel?: string | undefined;
  busy?: boolean | undefined;
  /** "danger" (default) is solid red; "primary" for questions that destroy nothing. */
  tone?: "danger" | "primary" | undefined;
  onConfirm: () => void;
  finalFocus?: FocusTarget | undefined;
  /** Between question and buttons: what it is about, in bold, or what went wrong. */
  children?: ReactNode;
};

/**
 * Asks before something that cannot be taken back. Focus starts on Cancel; Escape cancels; the backdrop does nothing. What it says
 * never changes while a pointer is pressed.
 */
export function ConfirmDialog({ open, onOpenChange, finalFocus, ...latest }: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  const last = useLast(latest, open);
  // The action too: what a press confirms is what stood there when it began.
  const content = useSteady(open ? last : null) ?? last;
  const { title, question, confirmLabel, busyLabel, cancelLabel, tone, onConfirm, children } = content;
  // Also at once: a second click may come before the first one's changes are shown.
  const busy = latest.busy || content.busy;
  return (
    <Base.Root open={open} onOpenChange={(next) => !busy && onOpenChange(next)}>
      <Base.Portal>
        <DialogBackdrop />
        <Base.Viewport className="fixed inset-0 z-50 grid place-items-center p-4">
          <Base.Popup
            initialFocus={cancel}
            finalFocus={finalFocus}
            className={cn(
              "w-full max-w-[420px] rounded-dialog bg-surface p-6 text-ink shadow-3 outline-none",
              "transition-[opacity,scale] duration-240 ease-out data-ending-style:duration-180",
              "data-ending-style:scale-98 data-starting-style:scale-98 data-ending-style:opacity-0 data-starting-style:opacity-0",
            )}
          >
            <Base.Title className="text-h3">{title}</Base.Title>
            <Base.Description className="mt-2 text-body text-ink2">{question}</Base.Description>
            {children && <div className="mt-3 break-words">{children}</div>}
            <div className="mt-6 flex flex-wrap justify-end gap-2">
              <Base.Close render={<Button ref={cancel} variant="secondary" aria-disabled={busy} />}>
                {cancelLabel ?? "Cancel"}
              </Base.Close>
              <Button
                variant={tone === "primary" ? "primary" : "danger-solid"}
                busy={busy}
                busyLabel={busyLabel}
                onClick={onConfirm}
              >
                {confirmLabel}
              </Button>
            </div>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
