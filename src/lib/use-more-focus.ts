import { type RefObject, useLayoutEffect, useRef } from "react";

/** A button for more that goes away with the last page hands the focus to `target`, which can take it. */
export function useMoreFocus(hasMore: boolean, target: RefObject<HTMLElement | null>): void {
  const hadMore = useRef(hasMore);
  useLayoutEffect(() => {
    const isOver = hadMore.current && !hasMore;
    hadMore.current = hasMore;
    // What was above the button stays where it is.
    if (isOver && document.activeElement === document.body) target.current?.focus({ preventScroll: true });
  }, [hasMore, target]);
}
