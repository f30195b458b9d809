import type { TaskPriority } from "@db/enums";
import { PRIORITY_LABELS } from "@server/contract/labels";
import { ChevronDown, ChevronsUp, ChevronUp, Equal, type LucideIcon, Minus } from "lucide-react";
import { cn } from "@/lib/cn";

const META: Record<TaskPriority, { icon: LucideIcon; ink: string }> = {
  none: { icon: Minus, ink: "text-ink3" },
  low: { icon: ChevronDown, ink: "text-grey" },
  medium: { icon: Equal, ink: "text-blue" },
  high: { icon: ChevronUp, ink: "text-orange" },
  urgent: { icon: ChevronsUp, ink: "text-red" },
};

/** A priority as icon, colour and word. */
export function PriorityMark({ priority }: { priority: TaskPriority }) {
  const { icon: Icon, ink } = META[priority];
  return (
    <span className={cn("inline-flex items-center gap-1.5 font-medium", ink)}>
      <Icon size={16} className="shrink-0" />
      {PRIORITY_LABELS[priority]}
    </span>
  );
}
