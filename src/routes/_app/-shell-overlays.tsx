import { useParams } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import { lazy, memo, Suspense, useCallback, useMemo, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { useOverlays } from "@/features/projects/use-overlays";
import { loadPalette, preloadPalette } from "@/features/search/palette-button";
import { PALETTE_SHORTCUT } from "@/features/search/palette-label";
import type { Home } from "@/lib/landing";
import { useDelayed, usePreloadedPages } from "@/lib/use-delayed";
import { useShortcuts } from "@/lib/use-shortcuts";
import { useSidebarOpen } from "@/ui/sidebar-toggle";
import type { PagePath } from "../-page-link";

const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })));
const ShortcutHelp = lazy(() => import("./-shortcut-help").then((module) => ({ default: module.ShortcutHelp })));

/** A page in the menu of a shell. */
export interface ShellPage {
  to: PagePath;
  label: string;
  icon: LucideIcon;
}

/** What opens over every page of a shell and is not in the address. */
type Overlay = "palette" | "help";

type ShellOptions = {
  home: Home;
  /** The pages of its menu. Keep the array stable. */
  pages: readonly ShellPage[];
  /** Opens a page. Keep the function stable. */
  enter: (to: PagePath, changes?: { q?: string }) => void;
};

/**
 * What all shells share: the command palette, the list of keyboard shortcuts, their keys, and prefetching the code of the
 * pages. Render `overlays` in the shell.
 */
export function useShellOverlays(options: ShellOptions) {
  const { accountType } = useMe();
  const { openModal } = useOverlays();
  const [, toggleSidebar] = useSidebarOpen();
  const [shown, setShown] = useState<Overlay | null>(null);
  const openPalette = useCallback(() => setShown("palette"), []);
  const openHelp = useCallback(() => setShown("help"), []);
  useDelayed(preloadPalette);
  usePreloadedPages(useMemo(() => options.pages.map(({ to }) => to), [options.pages]));
  // What is typed before the palette's code has come is meant for it.
  const singleKeys = shown === null && { "[": toggleSidebar, "?": openHelp };
  const forTeam = shown === null && accountType !== "client" && { n: () => openModal("create") };
  useShortcuts({ [PALETTE_SHORTCUT]: openPalette, ...singleKeys, ...forTeam });
  return { openPalette, openHelp, overlays: <ShellOverlays {...options} shown={shown} onShow={setShown} /> };
}

type ShellOverlaysProps = ShellOptions & { shown: Overlay | null; onShow: (overlay: Overlay | null) => void };

/** Fetches each when it first opens, and keeps it from then on, so that closing is animated too. */
const ShellOverlays = memo(function ShellOverlays({ home, pages, enter, shown, onShow }: ShellOverlaysProps) {
  const me = useMe();
  const asClientId = useParams({ strict: false, select: ({ clientId }) => clientId });
  const [needed, setNeeded] = useState<ReadonlySet<Overlay>>(new Set());
  if (shown && !needed.has(shown)) setNeeded(new Set([...needed, shown]));
  const props = (overlay: Overlay) => ({
    open: shown === overlay,
    onOpenChange: (open: boolean) => onShow(open ? overlay : null),
  });
  return (
    <Suspense>
      {needed.has("palette") && (
        <Palette
          {...props("palette")}
          me={me}
          home={home}
          asClientId={asClientId}
          pages={pages.map(({ to, label, icon }) => ({ label, icon, enter: () => enter(to) }))}
          onPerson={(name) => enter("/dashboard/team", { q: name })}
          onHelp={() => onShow("help")}
        />
      )}
      {needed.has("help") && <ShortcutHelp {...props("help")} home={home} mayWrite={me.accountType !== "client"} />}
    </Suspense>
  );
});
