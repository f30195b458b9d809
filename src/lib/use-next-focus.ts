import { type RefObject, useLayoutEffect, useRef } from "react";

/** Where a control goes away and the focus with it, as a button for more with the last page, `target` takes it. */
export function useNextFocus(isThere: boolean, target: RefObject<HTMLElement | null>): void {
  const wasThere = useRef(isThere);
  useLayoutEffect(() => {
    const isGone = wasThere.current && !isThere;
    wasThere.current = isThere;
    // What was above it stays where it is.
    if (isGone && document.activeElement === document.body) target.current?.focus({ preventScroll: true });
  }, [isThere, target]);
}
