import { cn } from "@/lib/cn";
import type { Unsent } from "@/lib/outbox";
import { Button } from "./button";
import { useSteady } from "./steady";

type UnsentActionsProps = {
  unsent: Pick<Unsent, "state" | "refusal" | "isFinal">;
  /** Undefined where nothing can be written. */
  onEdit: (() => void) | undefined;
  onRetry: () => void;
  onDelete: () => void;
  className?: string | undefined;
};

/** Below what was not sent: why the server refused it, and what can be done with it. Nothing while it is being sent. */
export function UnsentActions({ unsent, onEdit, onRetry, onDelete, className }: UnsentActionsProps) {
  // It is tried again by itself now and then, but not away from under a press, which then does nothing.
  const { state, refusal, isFinal } = useSteady(unsent);
  if (state === "sending") return null;
  const unlessSending = (act: () => void) => () => void (unsent.state === "sending" || act());
  return (
    <div className={cn("flex flex-col gap-1.5", className)}>
      {refusal && <p className="text-dense text-red [overflow-wrap:anywhere]">{refusal}</p>}
      <div className="flex flex-wrap gap-1">
        {/* What was lost may be stored: written anew it would be there twice. */}
        {state === "refused" && onEdit && (
          <Button size="sm" onClick={unlessSending(onEdit)}>
            Edit
          </Button>
        )}
        {!isFinal && (
          <Button size="sm" onClick={unlessSending(onRetry)}>
            Retry
          </Button>
        )}
        <Button size="sm" variant="danger" onClick={unlessSending(onDelete)}>
          Delete
        </Button>
      </div>
    </div>
  );
}
