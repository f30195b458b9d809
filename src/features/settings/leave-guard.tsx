import { useBlocker } from "@tanstack/react-router";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { ConfirmDialog } from "@/ui/confirm-dialog";

type LeaveGuardProps = {
  /** There are unsaved changes. */
  isDirty: boolean;
  /** Discards the changes; needed only where they would outlive leaving. */
  onDiscard?: (() => void) | undefined;
  /** Describes the unsaved changes. */
  question?: string | undefined;
};

/**
 * Asks before Settings are left with unsaved changes: by a link or by Back, and for a reload through the browser's own dialog.
 * Opening and closing something over Settings does not count.
 */
export function LeaveGuard({ isDirty, onDiscard, question }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    disabled: !isDirty,
    withResolver: true,
  });
  useUnsavedForm(() => isDirty);
  return (
    <ConfirmDialog
      open={blocker.status === "blocked"}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title="Discard changes?"
      question={question ?? "Your changes to your profile will be lost."}
      cancelLabel="Keep editing"
      confirmLabel="Discard"
      onConfirm={() => {
        onDiscard?.();
        blocker.proceed?.();
      }}
    />
  );
}
