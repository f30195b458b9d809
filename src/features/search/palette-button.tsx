import { Command, Search } from "lucide-react";
import { useMedia } from "@/lib/use-media";
import { ariaShortcut, shortcutLabel, useIsApple } from "@/lib/use-shortcuts";
import { IconButton } from "@/ui/icon-button";
import { Kbd } from "@/ui/kbd";
import { useTooltip } from "@/ui/tooltip";
import { PALETTE_LABEL, PALETTE_SHORTCUT } from "./palette-label";

/** The palette's code, fetched when it first opens, or ahead of time. */
export const loadPalette = () => import("./palette");

export function preloadPalette(): void {
  // A failure shows when it is opened.
  loadPalette().catch(() => undefined);
}

/** Inside the search box: shows the shortcut of the palette, and opens it. */
export function PaletteButton({ onClick }: { onClick: () => void }) {
  const isApple = useIsApple();
  const keys = shortcutLabel(PALETTE_SHORTCUT, isApple);
  const tooltip = useTooltip({ text: PALETTE_LABEL, shortcut: keys });
  return (
    <button
      type="button"
      aria-label={`${PALETTE_LABEL} ${keys}`}
      aria-haspopup="dialog"
      aria-keyshortcuts={ariaShortcut(PALETTE_SHORTCUT, isApple)}
      onClick={onClick}
      onPointerEnter={(event) => {
        preloadPalette();
        tooltip.onPointerEnter(event);
      }}
      onPointerLeave={tooltip.onPointerLeave}
      onPointerDown={tooltip.onPointerDown}
      onFocus={(event) => {
        preloadPalette();
        tooltip.onFocus(event);
      }}
      onBlur={tooltip.onBlur}
      onKeyDown={tooltip.onKeyDown}
      className="inline-flex h-11 min-w-11 items-center justify-center rounded-check px-1.5 text-ink2 transition-colors duration-90 ease-out hover:bg-hover focus-visible:-outline-offset-1 pointer-fine:h-7 pointer-fine:min-w-7"
    >
      <span className="pointer-coarse:hidden">
        <Kbd>{keys}</Kbd>
      </span>
      <Command size={18} className="pointer-fine:hidden" />
    </button>
  );
}

/** Opens the palette, in shells without a search box. On a phone it is an icon. */
export function PaletteBox({ onClick }: { onClick: () => void }) {
  const isWide = useMedia("(width >= 48rem)");
  const isApple = useIsApple();
  const opening = {
    "aria-haspopup": "dialog",
    "aria-keyshortcuts": ariaShortcut(PALETTE_SHORTCUT, isApple),
    onClick,
    onPointerEnter: preloadPalette,
    onFocus: preloadPalette,
  } as const;
  if (!isWide) return <IconButton {...opening} icon={Search} label={PALETTE_LABEL} />;
  return (
    <button
      {...opening}
      type="button"
      className="flex h-11 w-full min-w-0 max-w-[420px] items-center gap-2.5 rounded-control border border-line bg-raised px-2.5 text-body text-ink3 transition-colors duration-90 ease-out hover:border-line-strong pointer-fine:h-9 dark:bg-surface"
    >
      <Search size={16} className="shrink-0 text-ink2" />
      <span className="truncate">{PALETTE_LABEL}</span>
      <span className="ms-auto pointer-coarse:hidden">
        <Kbd>{shortcutLabel(PALETTE_SHORTCUT, isApple)}</Kbd>
      </span>
    </button>
  );
}
