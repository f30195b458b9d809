import { useEffect } from "react";

const DELAY_MS = 4_000;

/** Calls `work` once, long after everything that the page itself needs: to fetch whatever one may open or enter next. Keep it the same function. */
export function useDelayed(work: () => void): void {
  useEffect(() => {
    const timer = setTimeout(work, DELAY_MS);
    return () => clearTimeout(timer);
  }, [work]);
}
