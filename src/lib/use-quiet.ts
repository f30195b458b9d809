import { type RegisteredRouter, useRouter } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";

const QUIET_MS = 4_000;

/** Calls `work` once, long after everything that the page itself needs: to fetch whatever one may open or enter next. Keep it the same function. */
export function useQuiet(work: () => void): void {
  useEffect(() => {
    const timer = setTimeout(work, QUIET_MS);
    return () => clearTimeout(timer);
  }, [work]);
}

/** Fetches the code of those pages then, none of their data. Keep `paths` the same array. */
export function usePreloadedPages(paths: readonly (keyof RegisteredRouter["routesByPath"])[]): void {
  const router = useRouter();
  const preload = useCallback(() => {
    for (const path of paths) {
      // A failure shows when the page is entered.
      router.loadRouteChunk(router.routesByPath[path])?.catch(() => undefined);
    }
  }, [router, paths]);
  useQuiet(preload);
}
