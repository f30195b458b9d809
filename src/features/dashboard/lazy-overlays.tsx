import type { Me } from "@server/contract/views";
import { lazy, memo, Suspense, useCallback, useState } from "react";
import { useDelayed } from "@/lib/use-delayed";
import { preloadRoom } from "./lazy-rooms";
import { roomsFor } from "./rooms";

/** What opens over every room and stands in no address. */
export type Overlay = "palette" | "help" | "more";

const loadPalette = () => import("../search/palette");
const BoardPalette = lazy(() => loadPalette().then((module) => ({ default: module.BoardPalette })));
const ShortcutHelp = lazy(() => import("./shortcut-help").then((module) => ({ default: module.ShortcutHelp })));
const MoreSheet = lazy(() => import("./more-sheet").then((module) => ({ default: module.MoreSheet })));

/** Fetches the palette's code before its keys are pressed. */
export function preloadPalette(): void {
  // A failure here is told when it is opened.
  loadPalette().catch(() => undefined);
}

type LazyOverlaysProps = { me: Me; shown: Overlay | null; onShow: (overlay: Overlay | null) => void };

/** The command palette, the list of keys and a phone's "More": each fetched for the first time that it opens. */
export const LazyOverlays = memo(function LazyOverlays({ me, shown, onShow }: LazyOverlaysProps) {
  const [needed, setNeeded] = useState<ReadonlySet<Overlay>>(new Set());
  // Kept from then on, so that they may close as gently as they opened.
  if (shown && !needed.has(shown)) setNeeded(new Set([...needed, shown]));
  usePreloads(me);
  const props = (overlay: Overlay) => ({
    open: shown === overlay,
    onOpenChange: (open: boolean) => onShow(open ? overlay : null),
  });
  return (
    <Suspense>
      {needed.has("palette") && <BoardPalette {...props("palette")} me={me} onHelp={() => onShow("help")} />}
      {needed.has("help") && <ShortcutHelp {...props("help")} mayWrite={me.accountType !== "client"} />}
      {needed.has("more") && <MoreSheet {...props("more")} me={me} onSearch={() => onShow("palette")} />}
    </Suspense>
  );
});

/** Whatever one may open or enter next. */
function usePreloads(me: Me): void {
  const preload = useCallback(() => {
    preloadPalette();
    for (const { view } of roomsFor(me)) preloadRoom(view);
  }, [me]);
  useDelayed(preload);
}
