import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { DiscardDialog } from "@/ui/discard-dialog";

type Departure = () => void;

type DiscardGuardOptions = {
  /** There is unsaved input. */
  isDirty: boolean;
  /** The input is on its way to the server. */
  isBusy?: boolean | undefined;
  /** The input is discarded. */
  onDiscard?: (() => void) | undefined;
};

/**
 * Asks "Discard changes?" before unsaved input is lost: on `leave` (X, Escape, backdrop, Cancel), on Back and any other
 * navigation, and with the browser's own prompt on reload. While it is being sent the dialog stays, as nothing could be
 * discarded any more, and the answer would act on whatever is open by then. Render `question` inside the guarded dialog.
 */
export function useDiscardGuard({ isDirty, isBusy = false, onDiscard }: DiscardGuardOptions): {
  leave: (departure: Departure) => void;
  question: ReactNode;
} {
  const [asked, setAsked] = useState<{ departure: Departure } | null>(null);
  const blocker = useBlocker({
    // Of what is only busy Back alone: the answer itself leads on, before `isBusy` has changed.
    shouldBlockFn: ({ action }) => isDirty || action === "BACK",
    enableBeforeUnload: isDirty,
    disabled: !isDirty && !isBusy,
    withResolver: true,
  });
  useUnsavedForm(() => isDirty);
  const isBlocked = blocker.status === "blocked";
  useEffect(() => {
    if (!isBusy) return;
    // Also of a question from just before the form was sent.
    setAsked(null);
    if (blocker.status === "blocked") blocker.reset();
  }, [isBusy, blocker]);

  function keepEditing(): void {
    setAsked(null);
    if (isBlocked) blocker.reset();
  }
  function discard(): void {
    setAsked(null);
    onDiscard?.();
    if (isBlocked) blocker.proceed();
    else asked?.departure();
  }
  return {
    leave(departure) {
      if (isBusy) return;
      if (isDirty) setAsked({ departure });
      else departure();
    },
    question: (
      <DiscardDialog
        open={!isBusy && (asked !== null || isBlocked)}
        onOpenChange={(open) => !open && keepEditing()}
        onDiscard={discard}
      />
    ),
  };
}
