import { CalendarDays, List } from "lucide-react";
import { cn } from "@/lib/cn";

const LAYOUTS = [
  { value: "month", label: "Month", icon: CalendarDays },
  { value: "agenda", label: "Agenda", icon: List },
] as const;

type CalendarLayout = (typeof LAYOUTS)[number]["value"];

type CalendarSwitchProps = { value: CalendarLayout; onValueChange: (value: CalendarLayout) => void };

/** Switches between a month grid and a list of days. */
export function CalendarSwitch({ value, onValueChange }: CalendarSwitchProps) {
  return (
    <fieldset className="flex rounded-control border border-line bg-raised p-0.5">
      <legend className="sr-only">Show as</legend>
      {LAYOUTS.map(({ value: layout, label, icon: Icon }) => (
        <button
          key={layout}
          type="button"
          aria-pressed={layout === value}
          onClick={() => onValueChange(layout)}
          className={cn(
            "flex h-10 items-center gap-2 rounded-check px-3 font-medium text-dense transition-colors duration-90 ease-out pointer-fine:h-8",
            layout === value ? "bg-grey-soft text-ink" : "text-ink2 hover:text-ink",
          )}
        >
          <Icon size={16} className="shrink-0 max-[359px]:hidden" />
          {label}
        </button>
      ))}
    </fieldset>
  );
}
