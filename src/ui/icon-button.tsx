import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";
import { useTooltip } from "./tooltip";

type IconButtonProps = Omit<ComponentProps<"button">, "children" | "aria-label"> & {
  icon: LucideIcon;
  /** The accessible name, and the tooltip. */
  label: string;
  /** Shown in the tooltip, such as "[". */
  shortcut?: string | undefined;
  /** A toggle button: sets `aria-pressed`. */
  pressed?: boolean | undefined;
  /** 36 px with a mouse, 44 on touch; "sm" is 28 px with a mouse, for rows and cards. */
  size?: "sm" | "md" | undefined;
  /** "line" has a border, like the secondary button. */
  variant?: "quiet" | "line" | undefined;
  tooltipSide?: "top" | "right" | undefined;
};

/** A button that is only an icon. Its label is its name and its tooltip. */
export function IconButton({
  icon: Icon,
  label,
  shortcut,
  pressed,
  size = "md",
  variant = "quiet",
  tooltipSide,
  className,
  type = "button",
  ...rest
}: IconButtonProps) {
  const tooltip = useTooltip({ text: label, shortcut, side: tooltipSide });
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      aria-pressed={pressed}
      onPointerEnter={(event) => {
        tooltip.onPointerEnter(event);
        rest.onPointerEnter?.(event);
      }}
      onPointerLeave={tooltip.onPointerLeave}
      onPointerDown={(event) => {
        tooltip.onPointerDown();
        rest.onPointerDown?.(event);
      }}
      onFocus={(event) => {
        tooltip.onFocus(event);
        rest.onFocus?.(event);
      }}
      onBlur={(event) => {
        tooltip.onBlur();
        rest.onBlur?.(event);
      }}
      onKeyDown={(event) => {
        tooltip.onKeyDown(event);
        rest.onKeyDown?.(event);
      }}
      className={cn(
        "inline-grid shrink-0 place-items-center rounded-control border text-ink2 transition-colors duration-90 ease-out",
        "not-aria-disabled:hover:bg-hover not-aria-disabled:hover:text-ink aria-disabled:opacity-65",
        variant === "line" ? "border-line bg-raised" : "border-transparent",
        size === "sm" ? "size-11 pointer-fine:size-7" : "size-11 pointer-fine:size-9",
        className,
      )}
    >
      <Icon size={18} />
    </button>
  );
}
