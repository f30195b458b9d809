import { cn } from "@/lib/cn";
import { Button } from "./button";

type LoadFailureProps = {
  /** A sentence: what could not be loaded. */
  message: string;
  onRetry: () => void;
  /** The retry is under way. */
  busy: boolean;
  className?: string | undefined;
};

/** One line in the place of what is not there while there is nothing: without it a failed read would look like that. */
export function LoadFailure({ message, onRetry, busy, className }: LoadFailureProps) {
  return (
    <p role="alert" className={cn("flex flex-wrap items-center gap-2 text-dense text-ink2", className)}>
      {message}
      <Button size="sm" busy={busy} busyLabel="Loading..." onClick={onRetry}>
        Retry
      </Button>
    </p>
  );
}
