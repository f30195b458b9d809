import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useSyncExternalStore } from "react";
import { createStore } from "@/lib/store";
import { useShortcutHint, useSidebarCollapsed } from "@/lib/use-local-setting";
import { useMedia } from "@/lib/use-media";
import { Kbd } from "./kbd";
import { useTooltip } from "./tooltip";

type SidebarToggleProps = {
  /** Drawn at the end of the line; binding the key is the app's. */
  shortcut?: string | undefined;
};

/** Folds the sidebar to a rail and back; a line of the sidebar itself. */
export function SidebarToggle(props: SidebarToggleProps) {
  const shortcut = useShortcutHint(props.shortcut);
  const [isOpen, toggle] = useSidebarOpen();
  const label = isOpen ? "Collapse" : "Expand";
  const Icon = isOpen ? PanelLeftClose : PanelLeftOpen;
  const tooltip = useTooltip({ text: label, shortcut, side: "right", disabled: isOpen });
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-keyshortcuts={shortcut}
        onClick={() => {
          tooltip.onBlur();
          toggle();
        }}
        onPointerEnter={tooltip.onPointerEnter}
        onPointerLeave={tooltip.onPointerLeave}
        onFocus={tooltip.onFocus}
        onBlur={tooltip.onBlur}
        className="flex h-11 w-full items-center gap-2.5 rounded-control px-2.5 font-medium text-body text-ink2 transition-colors duration-90 ease-out hover:bg-hover hover:text-ink pointer-fine:h-[38px]"
      >
        <Icon size={18} className="shrink-0" />
        <span className="rail:sr-only">
          {label}
          <span className="sr-only"> sidebar</span>
        </span>
        {shortcut && (
          <span className="rail:hidden ms-auto pointer-coarse:hidden">
            <Kbd>{shortcut}</Kbd>
          </span>
        )}
      </button>
    </li>
  );
}

/**
 * Whether the sidebar is wide now, and the toggle. At 1024 px and up the choice is kept (`sidebarCollapsed`); between 768
 * and 1023 it starts as a rail and opens for this visit only.
 */
export function useSidebarOpen(): [isOpen: boolean, toggle: () => void] {
  const isWide = useMedia("(width >= 64rem)");
  const [isCollapsed, setCollapsed] = useSidebarCollapsed();
  const isRailOpen = useSyncExternalStore(
    railStore.subscribe,
    () => document.documentElement.dataset.rail === "open",
    () => false,
  );
  if (isWide) return [!isCollapsed, () => setCollapsed(!isCollapsed)];
  return [isRailOpen, () => setRailOpen(!isRailOpen)];
}

const railStore = createStore();

function setRailOpen(open: boolean): void {
  if (open) document.documentElement.dataset.rail = "open";
  else delete document.documentElement.dataset.rail;
  railStore.emit();
}
