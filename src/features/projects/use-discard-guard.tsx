import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { DiscardDialog } from "@/ui/discard-dialog";

type Departure = () => void;

type DiscardGuardOptions = {
  /** There is unsaved input. */
  isDirty: boolean;
  /** The input is discarded. */
  onDiscard?: (() => void) | undefined;
};

/**
 * Asks "Discard changes?" before unsaved input is lost: on `leave` (X, Escape, backdrop, Cancel), on Back and any other
 * navigation, and with the browser's own prompt on reload. Render `question` inside the guarded dialog.
 */
export function useDiscardGuard({ isDirty, onDiscard }: DiscardGuardOptions): {
  leave: (departure: Departure) => void;
  question: ReactNode;
} {
  const [asked, setAsked] = useState<{ departure: Departure } | null>(null);
  const blocker = useBlocker({ shouldBlockFn: () => isDirty, disabled: !isDirty, withResolver: true });
  useUnsavedForm(() => isDirty);
  const isBlocked = blocker.status === "blocked";

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
    leave: (departure) => (isDirty ? setAsked({ departure }) : departure()),
    question: (
      <DiscardDialog
        open={asked !== null || isBlocked}
        onOpenChange={(open) => !open && keepEditing()}
        onDiscard={discard}
      />
    ),
  };
}
