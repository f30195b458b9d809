import type { LucideIcon } from "lucide-react";
import { cn } from "@/lib/cn";
import { TONE_FILL, type Tone } from "./tone";

type ChipProps = { tone: Tone; icon: LucideIcon; label: string; className?: string | undefined };

/** A state as text, icon and colour. */
export function Chip({ tone, icon: Icon, label, className }: ChipProps) {
  return (
    <span
      className={cn(
        "inline-flex h-6 w-fit shrink-0 items-center gap-1.5 whitespace-nowrap rounded-pill border border-transparent ps-1.5 pe-2.5 font-medium text-meta",
        TONE_FILL[tone],
        className,
      )}
    >
      <Icon size={14} className="shrink-0" />
      {label}
    </span>
  );
}
