import type { CommitFeed } from "@server/contract/views";
import { useEffect, useRef } from "react";

/**
 * When news take away what has the focus, such as the line of a problem that is mended or the commits of a project that has
 * gone, it goes on to the notice around it, or else to the page's heading.
 */
export function useFocusKept(feed: CommitFeed | undefined): void {
  const last = useRef<{ element: Element; notice: Element | null } | null>(null);
  useEffect(() => {
    function follow({ target }: FocusEvent): void {
      const element = target instanceof Element && target.closest("main") ? target : null;
      last.current = element && { element, notice: element.closest("details") };
    }
    document.addEventListener("focusin", follow);
    return () => document.removeEventListener("focusin", follow);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again with each feed, once it is drawn.
  useEffect(() => {
    if (!last.current || last.current.element.isConnected || document.activeElement !== document.body) return;
    const { notice } = last.current;
    const next = notice?.isConnected ? notice.querySelector("summary") : document.querySelector("main h1");
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  }, [feed]);
}
