import { useDarkMode, useShortcutKeys, useSidebarCollapsed } from "@/lib/use-local-setting";
import { useMedia } from "@/lib/use-media";
import { Kbd } from "@/ui/kbd";
import { Choice } from "./choice";

/** Settings of this browser. Each takes effect at once, in every tab. */
export function Appearance() {
  const [isDark, setDark] = useDarkMode();
  const [isCollapsed, setCollapsed] = useSidebarCollapsed();
  const [areKeysOn, setKeysOn] = useShortcutKeys();
  // Below this width the sidebar is a rail or a bar anyway.
  const hasSidebar = useMedia("(width >= 64rem)");
  return (
    <div className="flex flex-col gap-3">
      <Choice label="Dark mode" isOn={isDark} onChange={setDark}>
        Light text on a dark background.
      </Choice>
      {hasSidebar && (
        <Choice label="Collapsed sidebar" isOn={isCollapsed} onChange={setCollapsed}>
          Shows icons only, to leave more room for the page.
        </Choice>
      )}
      <Choice label="Keyboard shortcuts" isOn={areKeysOn} onChange={setKeysOn}>
        Single keys do things on the page: <Key of="[">left square bracket</Key> collapses the sidebar,{" "}
        <Key of="/">slash</Key> searches projects. Turn them off if you dictate or press keys by accident.
      </Choice>
    </div>
  );
}

/** A key as shown, and as read out by screen readers. */
function Key({ of: key, children }: { of: string; children: string }) {
  return (
    <>
      <Kbd>{key}</Kbd>
      <span className="sr-only">{children}</span>
    </>
  );
}
