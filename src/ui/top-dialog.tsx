import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { cn } from "@/lib/cn";

type TopDialogProps = {
  title: string;
  /** Asked for by Escape. Unset: it cannot be dismissed, and covers the page. */
  onDismiss?: (() => void) | undefined;
  /** The field with `data-autofocus` gets the focus. */
  children: ReactNode;
};

/**
 * A question above everything, dialogs included: the browser's native modal is above every layer and leaves them unchanged. Open as
 * long as it is mounted; then the focus returns.
 */
export function TopDialog({ title, onDismiss, children }: TopDialogProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    // Closing it while it is in the document returns the focus.
    return () => shown?.close();
  }, []);

  function keepToItself(event: KeyboardEvent): void {
    // The layers below listen for keys on the document.
    event.stopPropagation();
    if (event.key !== "Escape") return;
    event.preventDefault();
    onDismiss?.();
  }

  return createPortal(
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onKeyDown={keepToItself}
      onCancel={(event) => event.preventDefault()}
      className={cn(
        "m-auto w-[calc(100%-32px)] max-w-[420px] rounded-dialog bg-surface p-6 text-ink shadow-3",
        onDismiss ? "backdrop:bg-scrim" : "backdrop:bg-canvas",
      )}
    >
      <h2 id={titleId} className="text-h3">
        {title}
      </h2>
      {children}
    </dialog>,
    document.body,
  );
}
