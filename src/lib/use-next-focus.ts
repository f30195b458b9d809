import { type RefObject, useLayoutEffect, useRef } from "react";

type Target = RefObject<HTMLElement | null> | (() => HTMLElement | null);

/**
 * Where a control goes away and the focus with it, as a button for more with the last page, `target` takes it. Keep a function
 * stable.
 */
export function useNextFocus(isThere: boolean, target: Target): void {
  const wasThere = useRef(isThere);
  useLayoutEffect(() => {
    const isGone = wasThere.current && !isThere;
    wasThere.current = isThere;
    // What was above it stays where it is.
    if (!isGone || document.activeElement !== document.body) return;
    const next = typeof target === "function" ? target() : target.current;
    next?.focus({ preventScroll: true });
  }, [isThere, target]);
}
