import { useRouter } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";

const DELAY_MS = 4_000;

/** Calls `work` once, long after the page has loaded, to prefetch what may be opened next. Must be stable between renders. */
export function useDelayed(work: () => void): void {
  useEffect(() => {
    const timer = setTimeout(work, DELAY_MS);
    return () => clearTimeout(timer);
  }, [work]);
}

/** Fetches the code of those pages then, none of their data. Keep `paths` the same array. */
export function usePreloadedPages(paths: readonly string[]): void {
  const router = useRouter();
  const preload = useCallback(() => {
    for (const [path, route] of Object.entries(router.routesByPath)) {
      // A failure shows when the page is entered.
      if (paths.includes(path)) router.loadRouteChunk(route)?.catch(() => undefined);
    }
  }, [router, paths]);
  useDelayed(preload);
}
