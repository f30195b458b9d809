import { type ComponentProps, lazy, Suspense, useEffect, useState } from "react";
import { useBoardSearch } from "./use-board";

const load = () => import("./board-layers");
const BoardLayers = lazy(() => load().then((module) => ({ default: module.BoardLayers })));

/** Fetches what opens over the board before anybody opens it. */
export function preloadLayers(): void {
  // A failure here is told when something is opened.
  load().catch(() => undefined);
}

/** The panel and the dialogs: fetched when the page has come to rest, mounted with the first that opens. */
export function LazyLayers(props: ComponentProps<typeof BoardLayers>) {
  const { panel, modal } = useBoardSearch();
  const [isNeeded, setNeeded] = useState(false);
  if (!isNeeded && (panel || modal)) setNeeded(true);
  useEffect(() => {
    if (typeof requestIdleCallback === "undefined") {
      const timer = setTimeout(preloadLayers, 1_000);
      return () => clearTimeout(timer);
    }
    const handle = requestIdleCallback(preloadLayers, { timeout: 3_000 });
    return () => cancelIdleCallback(handle);
  }, []);
  return (
    isNeeded && (
      <Suspense>
        <BoardLayers {...props} />
      </Suspense>
    )
  );
}
