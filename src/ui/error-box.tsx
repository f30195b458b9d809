import { CircleAlert } from "lucide-react";
import { cn } from "@/lib/cn";
import { Button } from "./button";

export type ErrorBoxProps = {
  /** A short sentence: what could not be done. */
  message: string;
  onRetry?: (() => void) | undefined;
  /** The retry is under way. */
  busy?: boolean | undefined;
  className?: string | undefined;
};

/** A region that failed says so, once, and offers "Retry". `ErrorState` is for where a heading remains to take the focus. */
export function ErrorBox({ message, onRetry, busy = false, className }: ErrorBoxProps) {
  return (
    <div role="alert" className={cn("flex flex-col items-center gap-3 px-4 py-12 text-center", className)}>
      <CircleAlert size={20} className="text-red" />
      <p>{message}</p>
      {onRetry && (
        <Button size="sm" busy={busy} busyLabel="Retrying..." onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}
