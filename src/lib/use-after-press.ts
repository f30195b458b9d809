import { useCallback, useEffect, useRef } from "react";
import { flushSync } from "react-dom";

/**
 * Keeps what lies under a pressed pointer in its place. The returned function runs `act` at once, or, while the mouse button or
 * a finger is down, after its click: an element that moves between press and release gets none. What `act` changes is drawn
 * before it returns, since a press may come before React's next render. It returns its own cancellation.
 */
export function useAfterPress(): (act: () => void) => () => void {
  const isPressed = useRef(false);
  const waiting = useRef(new Set<() => void>());
  useEffect(() => {
    function press({ button }: PointerEvent): void {
      isPressed.current = button === 0;
    }
    function release(): void {
      isPressed.current = false;
      // The click follows the release within the same task.
      setTimeout(() => {
        if (isPressed.current) return;
        const acts = [...waiting.current];
        waiting.current.clear();
        for (const act of acts) flushSync(act);
      });
    }
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener("pointerdown", press, { capture: true, signal });
    addEventListener("pointerup", release, { capture: true, signal });
    addEventListener("pointercancel", release, { capture: true, signal });
    // Of the window alone: a press blurs the element that had the focus.
    addEventListener("blur", release, { signal });
    return () => listening.abort();
  }, []);
  return useCallback((act) => {
    if (isPressed.current) waiting.current.add(act);
    else flushSync(act);
    return () => void waiting.current.delete(act);
  }, []);
}
