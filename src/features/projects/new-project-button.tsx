import { useShortcutHint } from "@/lib/use-local-setting";
import { Button } from "@/ui/button";
import { useTooltip } from "@/ui/tooltip";
import { preloadOverlays } from "./load-overlays";

type NewProjectButtonProps = { onClick: () => void; className?: string | undefined };

/** "+ New Project", the primary action of the board. The form's code is fetched on hover or focus. */
export function NewProjectButton({ onClick, className }: NewProjectButtonProps) {
  const shortcut = useShortcutHint("n");
  const tooltip = useTooltip({ text: "New project", shortcut, disabled: shortcut === undefined });
  return (
    <Button
      variant="primary"
      aria-keyshortcuts={shortcut}
      onClick={onClick}
      onPointerEnter={(event) => {
        preloadOverlays();
        tooltip.onPointerEnter(event);
      }}
      onPointerLeave={tooltip.onPointerLeave}
      onPointerDown={tooltip.onPointerDown}
      onFocus={(event) => {
        preloadOverlays();
        tooltip.onFocus(event);
      }}
      onBlur={tooltip.onBlur}
      onKeyDown={tooltip.onKeyDown}
      className={className}
    >
      + New Project
    </Button>
  );
}
