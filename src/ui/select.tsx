import { ChevronDown, type LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";
import { useFieldControl } from "./field-context";
import { inputStyle } from "./input-style";

type SelectProps = ComponentProps<"select"> & {
  icon?: LucideIcon | undefined;
  /** "field" in forms, "button" for filters, "compact" in table rows, "icon" shows only the icon (label it). */
  variant?: "field" | "button" | "compact" | "icon" | undefined;
  /** Puts a dot on the icon: something other than the default is chosen. */
  marked?: boolean | undefined;
};

const BOX = "rounded-control border border-line bg-raised transition-colors duration-90 ease-out hover:bg-hover";
const VARIANTS = {
  field: cn(inputStyle, "h-11 pe-9 pointer-fine:h-[38px]"),
  button: cn(BOX, "h-11 ps-3.5 pe-9 font-medium text-reading pointer-fine:h-9 sm:text-body"),
  compact: cn(BOX, "h-11 ps-3.5 pe-8 font-medium text-reading pointer-fine:h-8 sm:text-dense"),
  icon: cn(BOX, "size-11 text-transparent pointer-fine:size-9"),
};

/** The native select, drawn by us: best on phones, and 0 KB. Spread `register("name")` on it. */
export function Select({ icon: Icon, variant = "field", marked = false, className, children, ...rest }: SelectProps) {
  const control = useFieldControl(rest);
  const isIcon = variant === "icon";
  return (
    <span className={cn("relative block min-w-0", variant !== "field" && "w-fit shrink-0", className)}>
      {Icon && (
        <Icon
          size={isIcon ? 18 : 16}
          className={cn(
            "pointer-events-none absolute top-1/2 -translate-y-1/2 text-ink",
            isIcon ? "start-1/2 -translate-x-1/2" : "start-3",
          )}
        />
      )}
      <select
        {...rest}
        {...control}
        className={cn(
          "appearance-none truncate [&>option]:bg-raised [&>option]:text-ink",
          VARIANTS[variant],
          Icon && !isIcon && "ps-9",
        )}
      >
        {children}
      </select>
      {isIcon && marked && (
        <span className="pointer-events-none absolute -end-1 -top-1 size-3 rounded-pill border-2 border-canvas bg-brand" />
      )}
      {!isIcon && (
        <ChevronDown size={16} className="pointer-events-none absolute end-2.5 top-1/2 -translate-y-1/2 text-ink2" />
      )}
    </span>
  );
}
