import { cn } from "@/lib/cn";
import { VisuallyHidden } from "./visually-hidden";

type ProgressThreadProps = {
  done: number;
  total: number;
  /** What is written at the end: "4 of 9" unless told. */
  label?: string | undefined;
  /** Written instead when there is nothing to do: "No tasks yet". */
  emptyLabel?: string | undefined;
  /** Leaves the words out, for when they stand elsewhere. */
  hideLabel?: boolean | undefined;
  className?: string | undefined;
};

/** How far along, as the marigold thread with its words. */
export function ProgressThread({
  done,
  total,
  label,
  emptyLabel = "",
  hideLabel = false,
  className,
}: ProgressThreadProps) {
  const share = total > 0 ? Math.min(1, done / total) : 0;
  return (
    <div className={cn("flex items-center gap-2.5 text-ink2 text-meta", className)}>
      <span aria-hidden="true" className="h-[3px] min-w-0 flex-1 overflow-hidden rounded-pill bg-line">
        <span
          className="thread-fill block h-full origin-left rounded-pill bg-brand transition-transform duration-240 ease-out"
          style={{ transform: `scaleX(${share})` }}
        />
      </span>
      {!hideLabel && (
        <span>
          {total > 0 ? (label ?? `${done} of ${total}`) : emptyLabel}
          {total > 0 && !label && <VisuallyHidden> tasks done</VisuallyHidden>}
        </span>
      )}
    </div>
  );
}
