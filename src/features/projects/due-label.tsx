import { Calendar, CalendarClock, CalendarX, type LucideIcon } from "lucide-react";
import { cn } from "@/lib/cn";
import { type CalendarDay, type DueState, dueState, formatDay } from "@/lib/format";
import { useToday } from "@/lib/use-today";
import { VisuallyHidden } from "@/ui/visually-hidden";

type DueLabelProps = {
  due: CalendarDay | null;
  /** Finished work is never overdue: it shows only the date. */
  finished: boolean;
  /** "Due" before the date: for screen readers alone, for everybody, or nowhere, since a label beside it says so. */
  prefix?: "spoken" | "shown" | "none";
  /** Of the icon; "none" in a field, which has one of its own. */
  size?: 14 | 16 | "none" | undefined;
  className?: string | undefined;
};

const DUE_META: Record<DueState["kind"], { icon: LucideIcon; colour: string }> = {
  none: { icon: Calendar, colour: "" },
  later: { icon: Calendar, colour: "" },
  soon: { icon: CalendarClock, colour: "text-orange" },
  tomorrow: { icon: CalendarClock, colour: "text-orange" },
  today: { icon: CalendarClock, colour: "text-orange" },
  overdue: { icon: CalendarX, colour: "text-red" },
};

/** A due date as text, with an icon for each state. Design 3.3. */
export function DueLabel({ due, finished, prefix = "spoken", size = 16, className }: DueLabelProps) {
  const now = useToday();
  const state: DueState = due && finished ? { kind: "later", label: formatDay(due) } : dueState(due, now);
  // "Overdue since" and "No due date" say it themselves.
  const hasPrefix = state.kind !== "overdue" && state.kind !== "none";
  const { icon: Icon, colour } = DUE_META[state.kind];
  return (
    <span className={cn("inline-flex min-w-0 items-center gap-1.5", colour && "font-medium", colour, className)}>
      {size !== "none" && <Icon size={size} className="shrink-0" />}
      {hasPrefix && prefix === "shown" && "Due "}
      {hasPrefix && prefix === "spoken" && <VisuallyHidden>Due </VisuallyHidden>}
      {due ? (
        <time dateTime={due} className="truncate">
          {state.label}
        </time>
      ) : (
        <span className="truncate">{state.label}</span>
      )}
    </span>
  );
}
