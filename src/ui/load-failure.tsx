import { useLayoutEffect, useRef } from "react";
import { cn } from "@/lib/cn";
import { pageHeading } from "@/lib/page-focus";
import { Button } from "./button";

type LoadFailureProps = {
  /** Has no answer yet: mount it only while that is so. */
  query: { errorUpdateCount: number; isFetching: boolean; refetch: () => unknown };
  /** A sentence: what could not be loaded. */
  message: string;
  className?: string | undefined;
};

/**
 * One line in the place of what could not be read: without it a failed read would look like nothing. It stays during a retry, so that
 * nothing moves below it; once it goes, the heading of the page has the focus of its button.
 */
export function LoadFailure({
  query: { errorUpdateCount, isFetching, refetch },
  message,
  className,
}: LoadFailureProps) {
  const box = useRef<HTMLParagraphElement>(null);
  // A retry takes the error back before it is answered, but not this.
  const hasFailed = errorUpdateCount > 0;
  useLayoutEffect(() => {
    if (!hasFailed) return undefined;
    const line = box.current;
    return () => {
      if (line?.contains(document.activeElement)) pageHeading()?.focus({ preventScroll: true });
    };
  }, [hasFailed]);
  return (
    hasFailed && (
      <p ref={box} role="alert" className={cn("flex flex-wrap items-center gap-2 text-dense text-ink2", className)}>
        {message}
        <Button size="sm" busy={isFetching} busyLabel="Loading..." onClick={() => void refetch()}>
          Retry
        </Button>
      </p>
    )
  );
}
