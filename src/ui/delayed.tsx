import { type ReactNode, useEffect, useRef, useState } from "react";
import { useSteady } from "./steady";
import { VisuallyHidden } from "./visually-hidden";

const WAIT_MS = 150;
const SHOW_MS = 300;

type DelayedProps = {
  /** True until there is something to show for the first time; a refetch is not pending. */
  pending: boolean;
  skeleton: ReactNode;
  /** Said once, politely, with the skeleton: "Loading projects". */
  label: string;
  /**
   * A function is called only when nothing is pending. What it takes of a query, `pending` has to look at too: a query tells
   * of changes to what somebody has read, and while the skeleton stands the function has read nothing. A part that uses such a
   * query is given it: with a hook of its own it would ask again once a failure is shown, and so be pending again.
   */
  children: ReactNode | (() => ReactNode);
};

/**
 * Nothing to see for 150 ms, then the skeleton for at least 300 ms, then the content: fast answers never flash. Design 3.0. Content
 * that comes while a pointer is pressed waits for its click: it is seldom as high as its skeleton.
 */
export function Delayed({ pending, skeleton, label, children }: DelayedProps) {
  const latest = useDelayedPhase(pending);
  const steady = useSteady(latest);
  // Only the content waits: whatever is pending again has nothing to show.
  const phase = latest === "content" ? steady : latest;
  if (phase === "content") return typeof children === "function" ? children() : children;
  return (
    <div aria-busy="true">
      <div role="status">{phase === "skeleton" && <VisuallyHidden>{label}</VisuallyHidden>}</div>
      {/* It takes its place from the start: what stands below it would move otherwise. */}
      <div className={phase === "skeleton" ? undefined : "invisible"}>{skeleton}</div>
    </div>
  );
}

/** The same rhythm for those who draw it themselves: "nothing", "skeleton" or "content". */
export function useDelayedPhase(pending: boolean): "nothing" | "skeleton" | "content" {
  const [isShown, setShown] = useState(false);
  const shownAtMs = useRef(0);
  useEffect(() => {
    if (pending && !isShown) {
      const timer = setTimeout(() => {
        shownAtMs.current = performance.now();
        setShown(true);
      }, WAIT_MS);
      return () => clearTimeout(timer);
    }
    if (!pending && isShown) {
      const timer = setTimeout(() => setShown(false), SHOW_MS - (performance.now() - shownAtMs.current));
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [pending, isShown]);
  if (isShown) return "skeleton";
  return pending ? "nothing" : "content";
}
