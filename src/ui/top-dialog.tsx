import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { cn } from "@/lib/cn";

type TopDialogProps = {
  title: string;
  /** Asked for by Escape, or by Back on a phone. Unset: it cannot be dismissed, and covers the page. */
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
    show(shown);
    addEventListener("keydown", keepFromBelow, true);
    return () => {
      removeEventListener("keydown", keepFromBelow, true);
      // Closing it while it is in the document returns the focus.
      shown?.close();
    };
  }, []);

  function keepToItself(event: KeyboardEvent): void {
    // The layers below listen for keys on the document.
    event.stopPropagation();
    if (event.key === "Escape") cancel(event);
  }
  function cancel(event: SyntheticEvent): void {
    event.preventDefault();
    onDismiss?.();
  }
  /** Browsers close it all the same when they are asked to once more, with no press in between. */
  function closed(): void {
    // In development React takes effects back once and runs them again at once.
    if (dialog.current?.open) return;
    if (onDismiss) onDismiss();
    else show(dialog.current);
  }

  return createPortal(
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onKeyDown={keepToItself}
      onCancel={cancel}
      onClose={closed}
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

/** Nothing below it can have the focus. Where it was lost, keys go to the body, and there to every layer and shortcut. */
function keepFromBelow(event: globalThis.KeyboardEvent): void {
  if (event.target === document.body) event.stopPropagation();
}

function show(dialog: HTMLDialogElement | null): void {
  dialog?.showModal();
  dialog?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
}
